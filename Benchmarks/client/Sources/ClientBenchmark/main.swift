// Times an app's reading with ContentClient, beside Foundation's property lists.
//
//   ClientBenchmark SITE STORE ROUNDS
//
// SITE has `objects/…` and the configs of consecutive releases, `configs/1.plist` and so on.
// Prints a line of JSON: the seconds of each round, by task.

import ContentClient
import ContentModel
import Foundation

struct BadUse: Error {}

let arguments = CommandLine.arguments
guard arguments.count == 4, let rounds = Int(arguments[3]) else { throw BadUse() }
let site = try LocalSite(arguments[1])
let tasks = try await Tasks(of: site, store: arguments[2])
try tasks.check()
var seconds: [String: [Double]] = [:]
for _ in 0..<rounds {
  for (name, time) in try tasks.round() { seconds[name, default: []].append(time) }
}
// Each release is shown once.
while site.showsNextRelease() {
  seconds["switch", default: []].append(try await tasks.switchRelease())
}
print(String(decoding: try JSONEncoder().encode(seconds), as: UTF8.self))
