package import ContentModel
package import ContentPurging
package import ContentSource
import Diagnostics
import YAML

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
  ///   read, or that can be read only once: each plan of the purge reads the file again.
  package init(path: String) throws {
    let input = InputFile(path: path)
    guard !input.canBeReadOnlyOnce else {
      throw Failure(
        .usage, .usage, "--replace takes a file, and '\(path)' can be read only once",
        notes: ["write the fields to a file, and name that file"])
    }
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

  /// Returns the mistakes in the file for which a plan of the replacement was refused.
  package func mistakes(for refusal: ReplacementRefusal) -> ContentMistakes {
    let mistakes = refusal.problems.map { problem -> Diagnostic in
      switch problem {
      case .unknown(let field):
        let owner = refusal.entries.count == 1 ? refusal.entries.first : nil
        return .unknown(
          "field", named: field, rule: .unknownField, in: owner, known: refusal.fields,
          at: origin.key(field))
      case .compiled(let field, let id):
        return .wrongType(
          "'\(field)'",
          must:
            "be replaced by a publication: in \(id), it is a place or a text with styles, which only a build makes",
          at: origin.key(field))
      case .otherKind(let field, let kind, let id):
        return .wrongType(
          "'\(field)'", must: "be \(kind), as in \(id)", at: origin[field].location)
      }
    }
    return ContentMistakes(mistakes, sources: sources)
  }

  /// Returns an error for each field without a value, which the conversion of YAML leaves out.
  private static func missingValues(in root: YAMLNode) -> [Diagnostic] {
    root.members.filter(\.value.isNull).map { key, _ in
      Diagnostic(
        .error, rule: .wrongType, at: key.location, message: "'\(key.text)' must have a value",
        notes: [Diagnostic.Note("a purge with '--field \(key.text)' removes a field")])
    }
  }
}

extension Diagnostic {
  /// `true` for the errors of a YAML file without a value.
  fileprivate var isOfEmptyFile: Bool { rule == .emptyDocument || rule == .null }
}
