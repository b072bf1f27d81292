/// The README's code blocks, which state the output of contentc.
struct Readme {
  let text: String

  init() throws { text = try Sandbox().run("/bin/cat", ["\(Sandbox.checkout)/README.md"]).output }

  /// A command of a tour and its output on both streams.
  struct Step: Equatable {
    var command: String
    var output: String
  }

  /// Returns the code blocks of a language, in order.
  func blocks(_ language: String) -> [String] {
    text.components(between: "```\(language)\n", and: "\n```")
  }

  /// The commands of all console blocks, in order.
  var steps: [Step] {
    var steps: [Step] = []
    for line in blocks("console").joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    return steps
  }

  /// The command that serves a build.
  var server: String? { text.firstMatch(of: /Serve it with `([^`]+)`/).map { String($0.output.1) } }

  /// The output of both readers: the last block of text.
  var printedByReaders: String { (blocks("text").last ?? "") + "\n" }
}

extension String {
  /// The texts between two marks.
  fileprivate func components(between start: String, and end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let opening = rest.firstRange(of: start) {
      rest = rest[opening.upperBound...]
      guard let closing = rest.firstRange(of: end) else { break }
      found.append(String(rest[..<closing.lowerBound]))
      rest = rest[closing.upperBound...]
    }
    return found
  }

  /// The text without measurements that differ between runs and zlib versions.
  var withoutMeasurements: String {
    replacing(/[0-9.]+ s\b/, with: "… s").replacing(/gzipped [0-9.]+ [kM]?B/, with: "gzipped …")
  }
}
