/// A page of the documentation, whose code blocks have programs and the output of commands.
struct DocumentPage {
  let text: String

  init(_ path: String) throws { text = try Sandbox.checkedOut(path) }

  private init(text: String) { self.text = text }

  /// A command of a page and its output on both streams.
  struct Step: Equatable {
    var command: String
    var output: String
  }

  /// Returns the code blocks of a language that have no title, in order.
  func blocks(_ language: String) -> [String] {
    text.components(between: "```\(language)\n", and: "\n```")
  }

  /// Returns the file that the page shows under a title.
  func file(_ title: String) -> String? {
    text.components(between: " title=\"\(title)\"\n", and: "\n```").first
  }

  /// Returns the part of the page below a heading of the second level.
  func section(_ heading: String) -> DocumentPage? {
    (text + "\n## ").components(between: "\n## \(heading)\n", and: "\n## ").first.map {
      DocumentPage(text: $0)
    }
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

  /// Returns the output that the page shows for a command.
  func output(of command: String) -> String? { steps.first { $0.command == command }?.output }

  /// The first command that serves a folder, without the `&` that sends it to the background.
  var server: String? {
    let command = steps.map(\.command).first { $0.hasPrefix("python3 -m http.server ") }
    return command.map { $0.hasSuffix(" &") ? String($0.dropLast(2)) : $0 }
  }
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
}
