import ContentModel
import Diagnostics
import TestInputs
import Testing

@testable import ContentSource

/// One mistake in an otherwise valid folder, and the only expected diagnostic.
///
/// In the text of its file, `⟦` and `⟧` enclose the expected location. Without them, the location
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

  /// The diagnostic as a build without colors prints it.
  var expected: String {
    let range = MarkedText(text).ranges.first
    let place =
      range.map { ":\($0.start.line):\($0.start.column)-\($0.end.line):\($0.end.column)" } ?? ""
    return "content/\(path)\(place): \(severity.rawValue): \(message) [\(id)]"
      + (fix.map { " → \($0)" } ?? "")
  }

  /// The diagnostics of the folder, one per line.
  var found: [String] { diagnostics.map(\.line) }

  /// The diagnostics of reading the folder.
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
  /// All stable parts of the diagnostic, on one line.
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

/// Expects the mistake's diagnostic and no other.
func expectOnly(_ mistake: Mistake, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
  #expect(mistake.found == [mistake.expected], sourceLocation: sourceLocation)
  // A fix, applied by an editor, must end its mistake.
  for diagnostic in mistake.diagnostics {
    guard let fixIt = diagnostic.fixIt else { continue }
    var mended = mistake
    mended.text = fixIt.applied(to: String(decoding: MarkedText(mistake.text).bytes, as: UTF8.self))
    let left = mended.diagnostics.filter { $0.id == diagnostic.id }
    #expect(left.isEmpty, "\(mended.text): \(left.map(\.message))", sourceLocation: sourceLocation)
  }
}
