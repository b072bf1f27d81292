/// A command that a program prints for the runner of GitHub Actions.
///
/// The runner reads every line of a step's output. It takes a line for a command if the line begins
/// with `::`, or if it has `##[` anywhere.
struct WorkflowCommand: Sendable {
  var name: String
  var properties: [(name: String, value: String)] = []
  var data: String

  /// The line, escaped as in the function `issueCommand` of actions/toolkit, with a line break.
  var line: String {
    let list = properties.map { "\($0.name)=\($0.value.escaped(Self.propertyEscapes))" }
    return "::" + name + (list.isEmpty ? "" : " " + list.joined(separator: ",")) + "::"
      + data.escaped(Self.dataEscapes) + "\n"
  }

  private static let dataEscapes: [(Unicode.Scalar, String)] = [
    ("%", "%25"), ("\r", "%0D"), ("\n", "%0A"),
  ]
  private static let propertyEscapes = dataEscapes + [(":", "%3A"), (",", "%2C")]
}

extension String {
  fileprivate func escaped(_ escapes: [(scalar: Unicode.Scalar, text: String)]) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      if let escape = escapes.first(where: { $0.scalar == scalar }) {
        escaped += escape.text
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the text, in which no line is a command for the runner of GitHub Actions.
  ///
  /// Foreign text must not hide words in the log, stop commands or start others. Of each mark that can
  /// begin a command, the last character is replaced by what `replacement` returns for it.
  package func withoutWorkflowCommands(
    replacement: (Unicode.Scalar) -> String = { _ in "\u{FFFD}" }
  ) -> String {
    let marks = [UInt8(ascii: ":"), UInt8(ascii: "[")]
    guard utf8.contains(where: { marks.contains($0) }) else { return self }
    var text = ""
    /// The number of colons with which the line begins; `nil` behind any other character.
    var colons: Int? = 0
    var hashes = 0
    for scalar in unicodeScalars {
      var endsMark = false
      switch scalar {
      case "\n", "\r": (colons, hashes) = (0, 0)
      case ":":
        colons = colons.map { $0 + 1 }
        endsMark = colons == 2
        hashes = 0
      case "#":
        colons = nil
        hashes += 1
      case "[":
        endsMark = hashes >= 2
        (colons, hashes) = (nil, 0)
      // The runner skips white space before a mark. It compares texts by the rules of a language, in
      // which invisible characters do not count.
      case _ where scalar.properties.isWhitespace:
        hashes = 0
        if colons != 0 { colons = nil }
      case _ where scalar.isInvisible: break
      default: (colons, hashes) = (nil, 0)
      }
      if endsMark {
        text += replacement(scalar)
        colons = nil
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    properties.isDefaultIgnorableCodePoint || properties.generalCategory == .control
  }
}
