import CommandReports
package import ContentModel
import ContentSource
import Diagnostics
import Hashing
import SourceYAML

/// The file of `purge --replace`, which gives fields of entries other values.
package struct ReplacementFile {
  /// The values by the names of their fields, in canonical order; none of them is `nil`.
  package let fields: [(name: String, value: Value?)]
  /// The hash of the file's bytes.
  package let digest: Digest

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
    let whole = ValueOrigin(path: input.shownPath, node: root)
    var mistakes = read.diagnostics.filter { $0.severity == .error }
    if read.output?.members?.isEmpty ?? true, mistakes.allSatisfy(\.isOfEmptyFile) {
      mistakes = [
        .wrongType(
          "the file", must: "map fields to values, such as 'title: A better title'",
          at: mistakes.first?.location ?? whole.location)
      ]
    }
    var fields: [(name: String, value: Value?)] = []
    // After a syntax error, the parser may have given lines to the wrong values.
    if mistakes.isEmpty {
      if format == .yaml { mistakes += root.map(Self.missingValues) ?? [] }
      for (name, value) in read.output?.members ?? Members() {
        fields.append((name, value.readingItemDates(from: whole[name], reporting: &mistakes)))
      }
    }
    self.fields = fields
    guard mistakes.isEmpty else {
      throw ContentMistakes(
        mistakes, sources: SourceTexts(files: [(path: input.shownPath, bytes: bytes)]))
    }
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
