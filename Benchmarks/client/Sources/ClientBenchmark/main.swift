// Times an app's reading with ContentClient, beside Foundation's property lists.
//
//   ClientBenchmark SITE STORE ROUNDS
//   ClientBenchmark SITE KEYS.json ROUNDS
//
// SITE has `objects/…` and the configs of consecutive releases, `configs/1.plist` and so on. With a
// key document, these are forms of one release, of which the first is not signed.
// Prints a line of JSON: the seconds of each round, by task, or by the number of a form.

import ContentClient
import ContentModel
import Foundation

struct BadUse: Error {}

let arguments = CommandLine.arguments
guard arguments.count == 4, let rounds = Int(arguments[3]) else { throw BadUse() }
let site = try LocalSite(arguments[1])
if arguments[2].hasSuffix(".json") {
  let seconds = try await firstLooks(at: site, pinning: arguments[2], rounds: rounds)
  print(String(decoding: try JSONEncoder().encode(seconds), as: UTF8.self))
  exit(0)
}
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
