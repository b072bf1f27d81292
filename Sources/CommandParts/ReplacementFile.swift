import CommandReports
package import ContentModel
package import ContentSource
import Diagnostics
import Hashing
import SourceYAML

/// The file of `purge --replace`, which gives fields of entries other values.
package struct ReplacementFile {
  /// The values by the names of their fields, in canonical order; none of them is `nil`.
  package let fields: [(name: String, value: Value?)]
  /// The hash of the file's bytes.
  package let digest: Digest
  /// The whole file, whose nodes have positions if it is YAML or JSON.
  private let origin: ValueOrigin
  private let sources: SourceTexts

  /// Reads a file: YAML if the path ends in `.yaml` or `.yml`, else a property list of any format.
  ///
  /// - Throws: `ContentMistakes` with all mistakes in the file; `Failure` for a file that cannot be
  ///   read.
  package init(path: String) throws {
    let input = InputFile(path: path)
    let bytes = try input.read()
    digest = Digest(of: bytes)
    let format = ConvertSource(guessedFrom: path)
    let read = format.read(bytes, path: input.shownPath)
    let blanks: [UInt8] = [0x09, 0x0A, 0x0D, 0x20]
    let isJSON = bytes.first { !blanks.contains($0) } == UInt8(ascii: "{")
    // Only YAML nodes have positions. JSON is YAML, too; other property lists have no positions.
    let root =
      format == .yaml || isJSON ? YAMLReader().read(bytes, path: input.shownPath).output : nil
    origin = ValueOrigin(path: input.shownPath, node: root)
    sources = SourceTexts(files: [(path: input.shownPath, bytes: bytes)])
    var mistakes = read.diagnostics.filter { $0.severity == .error }
    if read.output?.members?.isEmpty ?? true, mistakes.allSatisfy(\.isOfEmptyFile) {
      mistakes = [
        .wrongType(
          "the file", must: "map fields to values, such as 'title: A better title'",
          at: mistakes.first?.location ?? origin.location)
      ]
    }
    var fields: [(name: String, value: Value?)] = []
    // After a syntax error, the parser may have given lines to the wrong values.
    if mistakes.isEmpty {
      if format == .yaml { mistakes += root.map(Self.missingValues) ?? [] }
      for (name, value) in read.output?.members ?? Members() {
        fields.append((name, value.readingItemDates(from: origin[name], reporting: &mistakes)))
      }
    }
    self.fields = fields
    guard mistakes.isEmpty else { throw ContentMistakes(mistakes, sources: sources) }
  }

  /// An entry as some readers get it.
  package typealias ReleasedEntry = (id: String, fields: Members)

  /// Returns the mistakes of fields that do not fit released entries; `nil` if there are none.
  ///
  /// A field must occur in one of the entries. Its value must have the same kind as in each entry
  /// that has the field.
  package func mistakes(in entries: [ReleasedEntry]) -> ContentMistakes? {
    var known = Members()
    for (name, value) in entries.flatMap(\.fields) { known[name] = value }
    let ids = Set(entries.map(\.id))  // String keys: ids are ASCII
    let owner = ids.count == 1 ? ids.first : nil
    let mistakes = fields.compactMap { name, value -> Diagnostic? in
      guard known[name] != nil else {
        return .unknown(
          "field", named: name, id: "unknown-field", in: owner, known: known.map(\.key),
          at: origin.key(name))
      }
      return value.flatMap { mistake(in: $0, of: name, replacing: entries) }
    }
    return mistakes.isEmpty ? nil : ContentMistakes(mistakes, sources: sources)
  }

  /// Returns the mistake of a value that cannot replace the present values of a field; `nil` if it can.
  private func mistake(
    in value: Value, of name: String, replacing entries: [ReleasedEntry]
  ) -> Diagnostic? {
    for (id, fields) in entries {
      guard let old = fields[name] else { continue }
      if old.isCompiled {
        return .wrongType(
          "'\(name)'",
          must:
            "be replaced by a publication: in \(id), it is a place or a text with styles, which only a build makes",
          at: origin.key(name))
      }
      guard value.canReplace(old) else {
        return .wrongType(
          "'\(name)'", must: "be \(old.kindName), as in \(id)", at: origin[name].location)
      }
    }
    return nil
  }

  /// Returns an error for each field without a value, which the conversion of YAML leaves out.
  private static func missingValues(in root: YAMLNode) -> [Diagnostic] {
    root.members.filter(\.value.isNull).map { key, _ in
      Diagnostic(
        .error, id: "wrong-type", at: key.location, message: "'\(key.text)' must have a value",
        notes: [Diagnostic.Note("a purge with '--field \(key.text)' removes a field")])
    }
  }
}

extension Diagnostic {
  /// `true` for the errors of a YAML file without a value.
  fileprivate var isOfEmptyFile: Bool { id == "empty-document" || id == "null" }
}

// `PurgePlanner` in ContentPurging decides by the same rules, which are private there.
extension Value {
  /// `true` for the values that a build makes of others: places and Markdown texts.
  fileprivate var isCompiled: Bool {
    guard let members else { return false }
    return (members["plain"] != nil && members["blocks"] != nil)
      || (members["latitude"] != nil && members["longitude"] != nil)
  }

  /// Returns whether readers of another value accept this one: a whole number is also a number.
  fileprivate func canReplace(_ old: Value) -> Bool {
    if case (.integer, .real) = (self, old) { return true }
    return kindName == old.kindName
  }

  fileprivate var kindName: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .real: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    case .data: "data"
    case .array: "a list"
    case .dictionary: "a group of values"
    }
  }
}
