import ContentModel
import Diagnostics

extension Diagnostic {
  /// The diagnostic as a value that `init(_:)` reads.
  var value: Value {
    var members: Members = [
      "severity": .string(severity.rawValue), "id": .string(id), "message": .string(message),
      "notes": .array(
        notes.map { note in
          var members: Members = ["message": .string(note.message)]
          members["location"] = note.location?.value
          return .dictionary(members)
        }),
    ]
    members["location"] = location?.value
    members["fixIt"] = fixIt.map {
      ["range": $0.range.value, "replacement": .string($0.replacement)]
    }
    return .dictionary(members)
  }

  /// Reads a result of `value`; `nil` for any other value.
  init?(_ value: Value) {
    guard case .dictionary(let members) = value, case .string(let severity)? = members["severity"],
      let severity = Severity(rawValue: severity), case .string(let id)? = members["id"],
      let rule = Rule(rawValue: id),
      case .string(let message)? = members["message"], case .array(let notes)? = members["notes"]
    else { return nil }
    self.init(
      severity, rule: rule, at: members["location"].flatMap(SourceLocation.init), message: message)
    self.notes = notes.compactMap { note in
      guard case .dictionary(let note) = note, case .string(let message)? = note["message"] else {
        return nil
      }
      return Note(message, at: note["location"].flatMap(SourceLocation.init))
    }
    if case .dictionary(let fixIt)? = members["fixIt"],
      let range = fixIt["range"].flatMap(SourceRange.init),
      case .string(let replacement)? = fixIt["replacement"]
    {
      self.fixIt = FixIt(range, replacement: replacement)
    }
  }
}

extension SourceLocation {
  fileprivate var value: Value {
    var members: Members = ["path": .string(path.text)]
    members["range"] = range?.value
    return .dictionary(members)
  }

  fileprivate init?(_ value: Value) {
    guard case .dictionary(let members) = value, case .string(let path)? = members["path"] else {
      return nil
    }
    self.init(path: path, range: members["range"].flatMap(SourceRange.init))
  }
}

extension SourceRange {
  fileprivate var value: Value {
    .array([start.line, start.column, end.line, end.column].map { .integer(Int64($0)) })
  }

  fileprivate init?(_ value: Value) {
    guard case .array(let items) = value, items.count == 4 else { return nil }
    let numbers = items.map { if case .integer(let number) = $0 { Int(number) } else { 0 } }
    // A damaged memory can hold any numbers. Lines are counted from 1.
    guard numbers.allSatisfy((1...Int(Int32.max)).contains) else { return nil }
    let start = SourcePosition(line: numbers[0], column: numbers[1])
    let end = SourcePosition(line: numbers[2], column: numbers[3])
    guard start <= end else { return nil }
    self.init(from: start, to: end)
  }
}
