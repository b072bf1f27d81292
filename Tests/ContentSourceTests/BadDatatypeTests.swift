import ContentModel
import Diagnostics
import Testing

@testable import ContentSource

@Suite struct BadDatatypeTests {
  private static let path = "datatypes/note.yaml"

  private static func field(_ definition: String) -> String { "fields:\n  a: \(definition)\n" }

  static let mistakes: [Mistake] = [
    Mistake(
      "unknown-type", "unknown type 'strng'; did you mean 'string'?", fix: "string", at: path,
      field("{type: ⟦strng⟧, localized: true, maxLength: 60}")),
    Mistake(
      "unknown-type", "unknown type 'boolaen'; did you mean 'boolean'?", fix: "boolean", at: path,
      field("⟦boolaen⟧")),
    Mistake(
      "missing-key", "field 'a' must have the key 'type'", at: path, field("⟦{⟧maxLength: 60}")),
    Mistake(
      "missing-key",
      "field 'a' must have the key 'values'; write {type: choice, values: [a, b]}", at: path,
      field("⟦choice⟧")),
    Mistake(
      "unknown-key", "unknown key 'tpye' in field 'a'; did you mean 'type'?", fix: "type", at: path,
      field("{⟦tpye⟧: string, maxLength: 60}")),
    Mistake(
      "unknown-key", "unknown key 'localised' in field 'a'; did you mean 'localized'?",
      fix: "localized", at: path,
      field("{type: string, ⟦localised⟧: true}")),
    Mistake(
      "unknown-key", "unknown key 'values' in field 'a'", at: path,
      field("{type: string, ⟦values⟧: [a]}")),
    Mistake(
      "wrong-type", "'localized' must be true or false", at: path,
      field("{type: string, localized: ⟦yes⟧}")),
    Mistake("wrong-type", "'min' must be a number", at: path, field("{type: number, min: ⟦low⟧}")),
    Mistake(
      "wrong-type", "'min' must be a duration such as 30s, 10m or 1d", at: path,
      field("{type: duration, min: ⟦60⟧}")),
    Mistake(
      "wrong-type", "'max' must be a percentage such as 12.5%", at: path,
      field("{type: percent, max: ⟦20⟧}")),
    Mistake(
      "wrong-type", "'max' must be at least 'min'", at: path,
      field("{type: duration, min: 2h, max: ⟦90m⟧}")),
    Mistake(
      "wrong-type", "'max' must be at least 'min'", at: path,
      field("{type: number, min: 2, max: ⟦1⟧}")),
    Mistake(
      "wrong-type", "'maxLength' must be at least 'minLength'", at: path,
      field("{type: string, minLength: 5, maxLength: ⟦4⟧}")),
    Mistake(
      "wrong-type", "'maxLength' must be a count of Unicode scalars, 0 or more", at: path,
      field("{type: string, maxLength: ⟦-1⟧}")),
    Mistake(
      "wrong-type", #"'pattern' must have something in '[]'; '\]' is the character itself"#,
      at: path,
      field("{type: string, pattern: '⟦[⟧'}")),
    Mistake(
      "missing-key", "field 'a' must have the key 'values'", at: path, field("⟦{⟧type: choice}")),
    Mistake(
      "wrong-type", "'placeholders' must be on or off", at: path,
      field("{type: plural, placeholders: ⟦false⟧}")),
    Mistake(
      "unknown-key", "unknown key 'placeholders' in field 'a'", at: path,
      field("{type: url, ⟦placeholders⟧: off}")),
    Mistake(
      "missing-plural",
      "'default' must have the category 'other', which 'en' uses for numbers such as 0", at: path,
      field("{type: plural, default: ⟦{⟧one: A}}")),
    Mistake(
      "wrong-type", "'default' must be an integer", at: path,
      field("{type: integer, default: ⟦many⟧}")),
    Mistake(
      "wrong-type", "'default' must be a single value of type string", at: path,
      field("{type: string, default: ⟦[⟧a]}")),
    Mistake(
      "wrong-type", "'default' must be a list; write [a]", fix: "[a]", at: path,
      field("{type: list, default: ⟦a⟧}")),
    Mistake(
      "unknown-datatype", "unknown datatype 'prodct'; did you mean 'product'?", fix: "product",
      at: path,
      field("{type: reference, to: [note, ⟦prodct⟧]}"),
      with: ["entries/note/one.yaml": "a: product/rose\n"]),
    Mistake(
      "wrong-type", "a field's name must not be 'when', which holds conditions", at: path,
      "fields: {⟦when⟧: date, a: string}\n"),
    Mistake(
      "missing-key", "a datatype must have the key 'fields', or 'open: true'", at: path,
      "⟦t⟧tl: 1h\n",
      with: ["entries/note/one.yaml": "a: b\n"]),
    Mistake(
      "unknown-key", "unknown key 'feilds' in datatype 'note'; did you mean 'fields'?",
      fix: "fields", at: path,
      "⟦feilds⟧: {a: string}\n", with: ["entries/note/one.yaml": "a: b\n"]),
    Mistake(
      "wrong-type", "'fields' must map a name to its definition", at: path, "fields: ⟦[⟧a, b]\n",
      with: ["entries/note/one.yaml": "a: b\n"]),
    Mistake(
      "wrong-type", "'ttl' must be a positive duration such as 30s, 10m or 1d", at: path,
      "ttl: ⟦0s⟧\n" + field("string")),
    Mistake(
      "wrong-type", "'ttl' must be a positive duration such as 30s, 10m or 1d", at: path,
      "ttl: ⟦1 hour⟧\n" + field("string")),
    Mistake(
      "unknown-field", "unknown field 'titel' in 'note'; did you mean 'title'?", fix: "title",
      at: path,
      "fields: {title: string}\nprojections: {light: [⟦titel⟧]}\n"),
    Mistake(
      "wrong-type", "projection 'light' must be a list of fields", at: path,
      "fields: {title: string}\nprojections: {light: ⟦title⟧}\n"),
    Mistake(
      "wrong-type", "an item of 'light' must be a field's name", at: path,
      "fields: {title: string}\nprojections: {light: [⟦[⟧title]]}\n"),
    Mistake(
      "wrong-type", "a datatype's name must not be one of strings, maintenance",
      at: "datatypes/strings.yaml",
      "open: true\n"),
    Mistake(
      "wrong-type", "a datatype's name must be of a-z, 0-9 and '-'", at: "datatypes/Note.yaml",
      "open: true\n"),
    Mistake(
      "wrong-type", "a datatype's name must be of a-z, 0-9 and '-'", at: "datatypes/shop/note.yaml",
      "open: true\n"),
    Mistake(
      "duplicate-datatype", "datatype 'product' must occur only once", at: "datatypes/product.yml",
      "open: true\n"),
    Mistake(
      "yaml-syntax", "'[' must be closed by ']', and ',' must be between items", at: path,
      "fields: ⟦[⟧a\n",
      with: ["entries/note/one.yaml": "a: b\n", "entries/note/one.fr.yaml": "a: b\n"]),
  ]

  /// Fields that an open datatype does not declare are allowed, unless they seem to be misspelt.
  static let openFields: [Mistake] = [
    Mistake(
      "unknown-field", "'titel' is not declared in 'maintenance'; did you mean 'title'?",
      fix: "title", severity: .warning, at: "maintenance.yaml", "⟦titel⟧: Back soon\n"),
    Mistake(
      "unknown-field", "'mesage' is not declared in 'maintenance'; did you mean 'message'?",
      fix: "message", severity: .warning, at: "maintenance.fr.yaml", "⟦mesage⟧: À bientôt\n"),
  ]

  @Test(arguments: openFields)
  func warnsOfAFieldThatIsNearlyDeclared(_ mistake: Mistake) { expectOnly(mistake) }

  @Test(arguments: [("titles: [a]\ntitle: Back\n", "titles: [b]\n"), ("phone: 1\n", "phone: 2\n")])
  func acceptsOtherFieldsOfAnOpenDatatype(text: String, french: String) {
    var files = SmallShop.files
    files["maintenance.yaml"] = Array(text.utf8)
    files["maintenance.fr.yaml"] = Array(french.utf8)
    #expect(ContentReader.read(ContentFolder(files: files)).diagnostics.isEmpty)
  }

  @Test(arguments: mistakes)
  func reportsTheLocationOfEachMistake(_ mistake: Mistake) { expectOnly(mistake) }

  @Test func showsTheDeclarationOfTheFields() throws {
    let mistake = Mistake("", "", at: "entries/product/rose.yaml", "price: 3\ntittle: Rose\n")
    let diagnostic = try #require(mistake.diagnostics.first)
    #expect(diagnostic.notes.map(\.message) == ["'product' has the fields title, price, badges"])
    #expect(diagnostic.notes.first?.location?.path == "content/datatypes/product.yaml")
  }
}
