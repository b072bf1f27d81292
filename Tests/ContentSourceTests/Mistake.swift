import Diagnostics
import TestInputs
import Testing

@testable import ContentSource

/// One mistake in an otherwise valid folder, and the one diagnostic that it must give.
///
/// In the text of its file `⟦` and `⟧` enclose what the diagnostic must point at; without them it
/// is the whole file.
struct Mistake: CustomTestStringConvertible, Sendable {
  var severity: Diagnostic.Severity
  var id: String
  var message: String
  var fix: String?
  var path: String
  var text: String
  var others: [String: String]

  init(
    _ id: String, _ message: String, fix: String? = nil, severity: Diagnostic.Severity = .error,
    at path: String,
    _ text: String, with others: [String: String] = [:]
  ) {
    (self.id, self.message, self.fix, self.severity) = (id, message, fix, severity)
    (self.path, self.text, self.others) = (path, text, others)
  }

  var testDescription: String { "\(path): \(message)" }

  /// As a build without colours prints it.
  var expected: String {
    let range = MarkedText(text).ranges.first
    let place =
      range.map { ":\($0.start.line):\($0.start.column)-\($0.end.line):\($0.end.column)" } ?? ""
    return "content/\(path)\(place): \(severity.rawValue): \(message) [\(id)]"
      + (fix.map { " → \($0)" } ?? "")
  }

  /// What reading the folder says.
  var found: [String] { diagnostics.map(\.line) }

  /// What reading the folder finds.
  var diagnostics: [Diagnostic] {
    var files = SmallShop.files.merging(others.mapValues { Array($0.utf8) }) { $1 }
    files[path] = MarkedText(text).bytes
    return ContentReader.read(ContentFolder(files: files)).diagnostics
  }
}

/// A small valid content folder.
enum SmallShop {
  static let project = """
    app: shop
    sourceLocale: en
    locales: [en, fr, fr-CA, de]
    devices:
      phone: {}
      tablet: {}
      ipad: {parent: tablet}

    """
  static let product = """
    fields:
      title: {type: string, localized: true, maxLength: 10}
      price: {type: number, min: 0, max: 1000}
      badges:
        type: list
        of: {type: object, fields: {id: string, label: {type: string, localized: true}, height: integer}}
    projections:
      light: [title]

    """
  static let texts = [
    "content.yaml": project,
    "datatypes/product.yaml": product,
    "entries/product/rose.yaml":
      "title: Rose\nprice: 3.5\nbadges:\n  - {id: new, label: New, height: 30}\n",
    "entries/product/rose.fr.yaml": "title: Rosier\nbadges: [{id: new, label: Nouveau}]\n",
    "strings/app.en.yml": "en: {hello: Hello}\n",
    "maintenance.yaml": "title: Back soon\n",
  ]
  static var files: [String: [UInt8]] { texts.mapValues { Array($0.utf8) } }
}

extension Diagnostic {
  /// All that a person must be able to rely on, in one line.
  var line: String {
    let place =
      location?.range.map { ":\($0.start.line):\($0.start.column)-\($0.end.line):\($0.end.column)" }
      ?? ""
    var line = "\(location?.path ?? "?")\(place): \(severity.rawValue): \(message) [\(id)]"
    if let fixIt {
      line += " → \(fixIt.replacement)"
      if fixIt.range != location?.range { line += " (elsewhere)" }
    }
    return line
  }
}

/// A mistake gives its diagnostic and no other.
func expectOnly(_ mistake: Mistake, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  #expect(mistake.found == [mistake.expected], sourceLocation: sourceLocation)
}
