import ContentModel
import ContentSource
import Diagnostics
import Testing
import Translations

/// A content folder in memory; imports replace its files.
struct Fixture {
  private(set) var files: [ExactString: [UInt8]]

  init(_ texts: [String: String]) {
    files = [ExactString: [UInt8]](firstOf: texts.map { ($0, Array($1.utf8)) })
  }

  var folder: ContentFolder { ContentFolder(exactFiles: files) }

  /// The text of a file; empty if there is none.
  subscript(path: String) -> String {
    get { files[path].map { String(decoding: $0, as: UTF8.self) } ?? "" }
    set { files[path] = newValue.isEmpty ? nil : Array(newValue.utf8) }
  }

  /// The content, which has no errors.
  func tree(_ place: Testing.SourceLocation = #_sourceLocation) throws -> ContentTree {
    let read = ContentReader.read(folder)
    let errors = read.diagnostics.filter { $0.severity == .error }
    let lines = errors.map { "\($0.id) at \($0.location?.description ?? "")" }
    #expect(lines.isEmpty, sourceLocation: place)
    return try #require(read.output, sourceLocation: place)
  }

  var lock: TranslationLock? { TranslationLock.read(in: folder).output }

  func project(_ place: Testing.SourceLocation = #_sourceLocation) throws -> TranslationProject {
    TranslationProject(of: try tree(place), lock: lock)
  }

  /// The bytes of an exported file.
  func export(
    _ locale: String, as format: TranslationFormat,
    _ edit: (inout TranslationUnit) -> Void = { _ in }
  ) throws -> [UInt8] {
    let project = try project()
    let tag = try #require(LocaleTag(locale))
    var units = project.units(into: tag).map(\.unit)
    for index in units.indices { edit(&units[index]) }
    let file = TranslationFile(format, from: project.locales.source, to: tag, units: units)
    let encoded = file.encoded()
    #expect(encoded.diagnostics.isEmpty)
    return encoded.output
  }

  /// Plans the import of a file, and replaces the files of the folder.
  @discardableResult mutating func take(
    _ bytes: [UInt8], path: String = "import",
    options: TranslationImport.Options = TranslationImport.Options()
  ) throws -> Diagnosed<TranslationImport?> {
    let (tree, lock) = (try tree(), lock)
    let project = TranslationProject(of: tree, lock: lock)
    let read = TranslationFile.decode(bytes, path: path, locales: project.locales)
    guard !read.output.isEmpty else { return Diagnosed(nil, diagnostics: read.diagnostics) }
    var plan = try TranslationImport.plan(
      read.output, into: folder, tree: tree, lock: lock, options: options)
    plan.diagnostics = read.diagnostics + plan.diagnostics
    for file in plan.output?.files ?? [] { files[file.path] = file.new }
    return plan
  }

  /// The translations of a locale by the ids of their units.
  func translations(_ locale: String) throws -> [ExactString: String] {
    let tag = try #require(LocaleTag(locale))
    let translated = try project().units(into: tag).compactMap { unit in
      unit.unit.target.map { (unit.unit.id, $0) }
    }
    return Dictionary(translated) { first, _ in first }
  }
}

extension TranslationUnit {
  /// The unit with a translation.
  func translated(_ text: String, _ state: State = .translated) -> TranslationUnit {
    TranslationUnit(
      id: id, source: source, target: text, state: state, note: note,
      maximumLength: maximumLength, whereUsed: whereUsed)
  }
}

extension Fixture {
  /// A project with every kind of text, and French translations of some.
  static let shop = Fixture([
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, en-GB, fr, fr-CA, ar]
    devices: {ipad: {}}
    bundles:
      home: {include: [product/*, store/*, strings/app]}

    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, localized: true, required: true, maxLength: 30, description: The name}
      care: {type: markdown, localized: true}
      stock: {type: plural, localized: true}
      price: number
      notes: {type: list, of: string, localized: true}
      badges:
        type: list
        of:
          type: object
          fields: {id: string, color: color, label: {type: string, localized: true}}
      sizes:
        type: list
        localized: true
        of: {type: object, fields: {name: string, centimeters: string}}

    """,
    "datatypes/store.yaml": "fields: {name: {type: string, localized: true}, city: string}\n",
    "entries/product/rose.yaml": """
    # A rose
    title: Red rose   # the classic
    care: |
      Cut the **stems**.

      - Water daily.
    stock: {one: "{count} rose", other: "{count} roses"}
    price: 3
    notes: [Fresh, Local]
    badges:
      - {id: new, color: "#ff0000", label: New}
      - {id: top, color: "#00ff00", label: Top seller}
    sizes:
      - {name: Small, centimeters: "40"}
      - {name: Large, centimeters: "60"}

    """,
    "entries/product/rose.fr.yaml": """
    # Une rose
    title:   'Rose rouge'   # le classique
    badges:
      - id: new
        label: "Nouveau"

    """,
    "entries/product/rose@ipad.yaml": "title: Big red rose\n",
    "entries/store.yaml": """
    paris: {name: Paris shop, city: Paris}
    lyon: {name: Lyon shop, city: Lyon}

    """,
    "strings/app.en.yml": """
    en:
      cart:
        add: "Add %{name}"
        empty: &empty Nothing here
        again: *empty
      items: {zero: none, one: "%{count} item", other: "%{count} items"}
      days: [~, Monday, Tuesday]
      "a.b": Dotted

    """,
    "strings/app.fr.yml": """
    fr:
      cart: {add: "Ajouter %{name}"}

    """,
  ])
}
