/// The runner of GitHub Actions, as far as it finds commands in the lines of a step.
///
/// It follows the class `ActionCommand` of actions/runner.
package enum ActionsRunner {
  /// A command, decoded.
  package struct Command: Equatable, Sendable {
    package var name: String
    package var properties: [String: String]
    package var data: String
  }

  private typealias Text = [Unicode.Scalar]

  private static let names: Set = [
    "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice",
    "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning",
  ]

  /// Returns the commands in what a step printed.
  package static func commands(in log: String) -> [Command] {
    Text(log.unicodeScalars).split { $0 == "\n" || $0 == "\r" }.compactMap { line in
      // .NET compares texts by the rules of a language, in which some characters do not count.
      let visible = line.filter {
        !$0.properties.isDefaultIgnorableCodePoint
          && ($0.properties.isWhitespace || $0.properties.generalCategory != .control)
      }
      return command(in: Text(line)) ?? command(in: visible)
    }
  }

  private static func command(in line: Text) -> Command? {
    let trimmed = Text(line.drop { $0.properties.isWhitespace })
    if trimmed.starts(with: "::".unicodeScalars),
      let end = index(of: "::", in: trimmed, from: 2)
    {
      let info = Text(trimmed[2..<end])
      if let command = command(
        info, data: Text(trimmed[(end + 2)...]), separator: ",", escapes: (data, property))
      {
        return command
      }
    }
    guard let start = index(of: "##[", in: line, from: 0),
      let end = index(of: "]", in: line, from: start)
    else { return nil }
    return command(
      Text(line[(start + 3)..<end]), data: Text(line[(end + 1)...]), separator: ";",
      escapes: (old, old))
  }

  private static func command(
    _ info: Text, data: Text, separator: Unicode.Scalar,
    escapes: (data: [(Text, Text)], property: [(Text, Text)])
  ) -> Command? {
    let name = string(Text(info.prefix { $0 != " " })).lowercased()
    guard names.contains(name) else { return nil }
    var properties: [String: String] = [:]
    for property in info.dropFirst(name.unicodeScalars.count + 1).split(separator: separator) {
      let pair = property.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let key = string(Text(pair[0].drop { $0 == " " }))
      properties[key] = string(unescaped(Text(pair[1]), escapes.property))
    }
    return Command(
      name: name, properties: properties, data: string(unescaped(data, escapes.data)))
  }

  // The runner replaces one escape after the other, in this order.
  private static let data = escapes([("%0D", "\r"), ("%0A", "\n"), ("%25", "%")])
  private static let property = escapes([
    ("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"),
  ])
  private static let old = escapes([
    ("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%25", "%"),
  ])

  private static func escapes(_ pairs: [(String, String)]) -> [(Text, Text)] {
    pairs.map { (Text($0.unicodeScalars), Text($1.unicodeScalars)) }
  }

  private static func unescaped(_ text: Text, _ escapes: [(Text, Text)]) -> Text {
    var text = text
    for (escape, meant) in escapes {
      var done: Text = []
      var index = 0
      while index < text.count {
        if text[index...].starts(with: escape) {
          done += meant
          index += escape.count
        } else {
          done.append(text[index])
          index += 1
        }
      }
      text = done
    }
    return text
  }

  private static func index(of mark: String, in text: Text, from start: Int) -> Int? {
    let mark = Text(mark.unicodeScalars)
    guard start <= text.count - mark.count else { return nil }
    return (start...(text.count - mark.count)).first { text[$0...].starts(with: mark) }
  }

  private static func string(_ text: Text) -> String { String(String.UnicodeScalarView(text)) }
}
