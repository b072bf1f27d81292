import ContentModel
import ContentSource
import TestInputs

/// Content that covers every kind of bundle, with random edits from a seed.
struct EditedContent {
  /// The entries or texts by path and key, with their fields as YAML.
  private var layers: [String: [String: [String: String]]] = [:]
  private var comments: [String: Int] = [:]
  private let project: String
  private var random: SeededGenerator

  /// Creates content with all bundles except `bundles`.
  ///
  /// The bundle `other` has another format than `format`. With `transfersText`, the largest bundle has
  /// a recipe.
  init(
    seed: UInt64, format: String, without bundles: Set<String> = [], transfersText: Bool = false
  ) {
    random = SeededGenerator(seed: seed)
    let all = [
      ("all", "{include: \"**\"}"),
      ("light", "{include: item/*, projection: light, sort: [price, -title]}"),
      ("each", "{include: item/*, split: entry}"),
      ("near", "{include: item/*, split: place, max: 2, minimumTile: 1m}"),
      ("start", "{include: [item/a, strings/*], startup: true}"),
      ("other", "{include: item/*, format: \(format == "json" ? "xml" : "json")}"),
    ]
    let lines = all.filter { !bundles.contains($0.0) }.map { "  \($0.0): \($0.1)\n" }
    project =
      """
      app: shop
      sourceLocale: en
      locales: [en, en-GB, fr, fr-CA]
      devices: {phone: {}, tablet: {}, ipad: {parent: tablet}}
      format: \(format)
      transfer: \(transfersText ? "text" : "binary")
      bundles:

      """ + lines.joined()
    for id in Self.ids {
      layers["entries/item.yaml", default: [:]][id] = [
        "title": "Title \(id)", "price": "\(id.count)", "at": place(),
      ]
      if transfersText {
        let note = (0..<400).map { "\(id)\($0)" }.joined(separator: " ")
        layers["entries/item.yaml"]?[id]?["note"] = note
      }
      for path in Self.overlays where random.once(in: 3) {
        layers[path, default: [:]][id] = ["note": "Note of \(id) in \(path.count)"]
      }
    }
    layers["entries/item/single.yaml"] = [
      "": ["title": "Single", "price": "7", "file": "a.bin", "at": place()]
    ]
    layers["entries/item/single.fr.yaml"] = ["": ["title": "Seul"]]
    layers["strings/ui.en.yaml"] = [
      "en": ["hello": "Hello", "bye": "Bye", "cart": "{one: Item, other: Items}"]
    ]
    layers["strings/ui.fr.yaml"] = ["fr": ["hello": "Bonjour"]]
    for path in Self.overlays where layers[path] == nil { layers[path] = ["a": ["note": "Only a"]] }
  }

  private static let ids = ["a", "b", "c", "d", "e"]
  private static let overlays = [
    "entries/item.fr.yaml", "entries/item.fr-CA.yaml", "entries/item.en-GB.yaml",
    "entries/item@phone.yaml",
    "entries/item.fr@tablet.yaml",
  ]
  private static let datatype = """
    fields:
      title: {type: string, localized: true, required: true, maxLength: 40}
      price: {type: number, min: 0}
      note: {type: text, localized: true}
      roses: {type: plural, localized: true}
      badges:
        type: list
        of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}}}
      next: {type: reference, to: item}
      file: {type: asset}
      at: {type: place}
      body: {type: markdown, localized: true}
      terms: {type: markdown, localized: true, page: true}
    projections:
      light: [title, price, badges]

    """

  var files: [String: [UInt8]] {
    var texts = ["content.yaml": project, "datatypes/item.yaml": Self.datatype]
    for (path, entries) in layers {
      let comment = comments[path].map { "# \($0)\n" } ?? ""
      texts[path] =
        comment
        + entries.sorted { $0.key < $1.key }.map { key, fields in
          let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }
          if key.isEmpty { return lines.joined() }
          return "\(key):\n" + (lines.isEmpty ? "  {}\n" : lines.map { "  \($0)" }.joined())
        }.joined()
    }
    var files = texts.mapValues { Array($0.utf8) }
    files["assets/a.bin"] = [1, 2, 3]
    files["assets/b.bin"] = [4, 5]
    return files
  }

  /// Makes one to three random edits.
  mutating func edit() { for _ in 0..<Int.random(in: 1...3, using: &random) { editOnce() } }

  /// Reverts an edit.
  ///
  /// The random generator keeps its state, so the next edit differs.
  mutating func undo(to earlier: EditedContent) {
    (layers, comments) = (earlier.layers, earlier.comments)
  }

  private mutating func editOnce() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: comments[somePath(), default: 0] += 1
    case 1: removeField()
    case 2: addOrRemoveEntry()
    default: changeField()
    }
  }

  private mutating func somePath() -> String { random.one(of: layers.keys.sorted()) }

  private mutating func changeField() {
    let path = somePath()
    let key = random.one(of: (layers[path] ?? [:]).keys.sorted())
    if path.hasPrefix("strings/") {
      let text = random.one(of: ["hello", "bye", "when", "cart"])
      let number = Int.random(in: 0..<50, using: &random)
      let value =
        text == "cart"
        ? plural(number, isFrench: random.once(in: 2)) : "Text \(number)\(argument())"
      layers[path]?[key]?[text] = value
      return
    }
    if random.once(in: 6) {
      let number = Int.random(in: 0..<60, using: &random)
      let value = plural(number, isFrench: path.contains("fr"))
      layers[path]?[key]?["roses"] = value
      return
    }
    let (field, value) = someField(isSource: !path.contains("fr") && !path.contains("-GB"))
    layers[path]?[key]?[field] = value
  }

  /// A plural, seldom with too few or too many categories for its language.
  private mutating func plural(_ number: Int, isFrench: Bool) -> String {
    let hasMany = isFrench != random.once(in: 12)
    let categories = hasMany ? ["one", "many", "other"] : ["one", "other"]
    let texts = categories.map { "\($0): \"Rose \(number)\(argument())\"" }
    return "{\(texts.joined(separator: ", "))}"
  }

  /// Seldom a placeholder, so that translations seldom differ in them.
  private mutating func argument() -> String { random.once(in: 10) ? " %{count}" : "" }

  private mutating func someField(isSource: Bool) -> (String, String) {
    let number = Int.random(in: 0..<60, using: &random)
    switch Int.random(in: 0..<(isSource ? 17 : 11), using: &random) {
    case 0...2: return ("title", "Title \(number)")
    case 3...5: return ("note", random.once(in: 6) ? "null" : "Note \(number)")
    case 6, 7: return ("badges", badges(number))
    case 8:
      return random.once(in: 3) ? ("when", someCondition()) : ("note", "\"  spaces \(number)\"")
    case 9: return ("body", "'**\(number)** [next](item/\(random.one(of: Self.ids)))'")
    case 10: return ("terms", "'# \(number)'")
    case 11, 12: return ("price", random.once(in: 12) ? "-1" : "\(number)")
    case 13:
      return ("next", "item/" + random.one(of: Self.ids + (random.once(in: 8) ? ["nobody"] : [])))
    case 14: return ("file", random.one(of: ["a.bin", "b.bin"]))
    case 15: return ("at", place())
    default: return ("price", "\(number).5")
    }
  }

  private mutating func place() -> String {
    let (latitude, longitude) = (
      Int.random(in: -90...90, using: &random), Int.random(in: -180...180, using: &random)
    )
    return "{latitude: \(latitude), longitude: \(longitude)}"
  }

  private mutating func badges(_ number: Int) -> String {
    let ids = ["x", "y", "z"].filter { _ in random.once(in: 2) }
    let items = ids.map { id -> String in
      let condition = random.once(in: 3) ? ", when: \(someCondition())" : ""
      return "{id: \(id), label: Label \(number)\(condition)}"
    }
    return "[\(items.joined(separator: ", "))]"
  }

  private mutating func someCondition() -> String {
    random.one(of: [
      "{country: FR}", "{device: phone}", "{device: [tablet, ipad]}", "{locale: fr}",
      "{app: '>=2.0'}",
      "{from: 2026-01-01T00:00:00Z}", "{until: 2031-01-01T00:00:00Z}",
      "{from: 2030-01-01T00:00:00Z}", "false",
      "{from: 2031-01-01T00:00:00Z, embargo: true}",
    ])
  }

  private mutating func removeField() {
    let path = somePath()
    guard let key = layers[path]?.keys.sorted().first,
      let field = layers[path]?[key]?.keys.sorted().last
    else {
      return
    }
    layers[path]?[key]?[field] = nil
  }

  private mutating func addOrRemoveEntry() {
    let path = random.one(of: ["entries/item.yaml", "entries/item.fr.yaml"])
    if layers[path]?["new"] == nil {
      let place = place()
      layers[path]?["new"] = ["title": "New", "at": path.contains(".fr") ? nil : place]
        .compactMapValues(\.self)
    } else {
      layers[path]?["new"] = nil
    }
  }
}
