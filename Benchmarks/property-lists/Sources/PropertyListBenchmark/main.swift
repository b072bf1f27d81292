// Times one task at a time, as `run.py` asks for it, so that it can take turns with other processes.
//
//   PropertyListBenchmark prepare IN.json OUT     writes OUT.json, .bin, .xml, .openstep
//   PropertyListBenchmark serve FOLDER            a line `TASK ITERATIONS` in, the seconds of one iteration out

import ContentModel
import PropertyLists

struct BadUse: Error {}

let arguments = CommandLine.arguments
switch (arguments.dropFirst().first, arguments.count) {
case ("prepare", 4): try prepare(from: arguments[2], to: arguments[3])
case ("serve", 3):
  let tasks = try Tasks(folder: arguments[2])
  while let line = readLine() {
    let words = line.split(separator: " ")
    guard words.count == 2, let iterations = Int(words[1]) else { throw BadUse() }
    print(try tasks.seconds(String(words[0]), iterations: iterations))
    flushOutput()
  }
default: throw BadUse()
}

func prepare(from input: String, to output: String) throws {
  let value = try PropertyList.decode(readFile(input)).value
  for (format, ending) in [(PropertyListFormat.json, "json"), (.binary, "bin"), (.xml, "xml"), (.openstep, "openstep")]
  {
    try writeFile(PropertyList.encode(value, as: format), "\(output).\(ending)")
  }
}
