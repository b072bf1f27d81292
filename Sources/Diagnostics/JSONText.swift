/// A JSON value whose members keep their order.
indirect enum JSONText {
  case string(String)
  case number(Int)
  case array([JSONText])
  case object([(key: String, value: JSONText)])

  /// The value in one line.
  var line: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .array(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ": " + $0.value.line }.joined(separator: ", ") + "}"
    }
  }

  /// The value with a line for each item of an array, and a line break at the end.
  var lines: String {
    guard case .array(let items) = self, !items.isEmpty else { return line + "\n" }
    return "[\n" + items.map { "  " + $0.line }.joined(separator: ",\n") + "\n]\n"
  }

  /// Returns a JSON string (RFC 8259, section 7) that also escapes terminal control characters.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if scalar.isHarmless {
          quoted.unicodeScalars.append(scalar)
        } else {
          quoted += escaped(scalar)
        }
      }
    }
    return quoted + "\""
  }

  /// Returns the scalar as `\uXXXX`, or as two of them for a surrogate pair.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar).map { units in
      units.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    } ?? ""
  }
}

extension Diagnostic {
  /// An object with the keys `severity`, `id`, `message`, `path`, `range`, `notes`, `fixIt`; keys
  /// without a value are left out.
  var json: JSONText {
    var members: [(key: String, value: JSONText)] = [
      ("severity", .string(severity.rawValue)), ("id", .string(id)), ("message", .string(message)),
    ]
    members += location?.json ?? []
    members.append(("notes", .array(notes.map(\.json))))
    if let fixIt { members.append(("fixIt", fixIt.json)) }
    return .object(members)
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONText {
    .object([("message", .string(message))] + (location?.json ?? []))
  }
}

extension Diagnostic.FixIt {
  fileprivate var json: JSONText {
    .object([("range", range.json), ("replacement", .string(replacement))])
  }
}

extension SourceLocation {
  fileprivate var json: [(key: String, value: JSONText)] {
    [("path", .string(path))] + (range.map { [("range", $0.json)] } ?? [])
  }
}

extension SourceRange {
  fileprivate var json: JSONText { .object([("start", start.json), ("end", end.json)]) }
}

extension SourcePosition {
  fileprivate var json: JSONText {
    .object([("line", .number(line)), ("column", .number(column))])
  }
}
