import ContentModel
import PropertyLists

extension [Diagnostic] {
  /// A JSON array with a line for each diagnostic, and a line break at the end.
  var json: String {
    guard !isEmpty else { return "[]\n" }
    let style = JSONStyle.line { !$0.isHarmless }
    let lines = map { "  " + String(decoding: $0.json.encoded(in: style), as: UTF8.self) }
    return "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }
}

extension Diagnostic {
  /// An object with the keys `severity`, `id`, `message`, `path`, `range`, `notes`, `fixIt`; keys
  /// without a value are left out.
  fileprivate var json: JSONText {
    var members: [JSONText.Member] = [
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
  fileprivate var json: [JSONText.Member] {
    [("path", .string(path.text))] + (range.map { [("range", $0.json)] } ?? [])
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
