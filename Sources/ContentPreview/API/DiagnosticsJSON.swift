import ContentModel
import Diagnostics

/// The diagnostics in the page's JSON, each with its line of source.
struct DiagnosticsJSON {
  let value: Value

  init(_ diagnostics: [Diagnostic], source: @Sendable (_ path: ExactString) -> [UInt8]?) {
    var files: [ExactString: SourceLines] = [:]
    let values = diagnostics.map { diagnostic -> Value in
      let path = diagnostic.location?.path
      if let path, files[path] == nil { files[path] = SourceLines(source(path) ?? []) }
      return diagnostic.value(in: path.flatMap { files[$0] })
    }
    value = .array(values)
  }
}

extension Diagnostic {
  fileprivate func value(in lines: SourceLines?) -> Value {
    var members = Members([
      ("severity", .string(severity.rawValue)), ("rule", .string(id)),
      ("message", .string(message)),
      ("notes", .array(firstNotes.map(\.value))),
    ])
    for (key, value) in location?.members ?? [] { members[key] = value }
    if let range = location?.range {
      let isOneLine = range.start.line == range.end.line
      members["length"] = .integer(
        Int64(isOneLine ? max(1, range.end.column - range.start.column) : 1))
      let line = hidesSource ? nil : lines.flatMap { $0[range.start.line] }
      members["source"] = line.map { .string(String($0)) }
    }
    if let fixIt { members["suggestion"] = .string(fixIt.replacement) }
    return .dictionary(members)
  }
}

extension Diagnostic.Note {
  fileprivate var value: Value {
    .dictionary(Members([("message", .string(message))] + (location?.members ?? [])))
  }
}

extension SourceLocation {
  fileprivate var members: [(String, Value)] {
    var members: [(String, Value)] = [("file", .string(path.text))]
    if let start = range?.start {
      members += [("line", .integer(Int64(start.line))), ("column", .integer(Int64(start.column)))]
    }
    return members
  }
}
