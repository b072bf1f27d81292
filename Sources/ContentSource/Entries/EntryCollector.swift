import ContentModel
import Diagnostics

/// Brings the layers of entries together from the files that hold them.
struct EntryCollector {
  let project: Project
  private let known: Set<LocaleTag>
  private var entries: [EntryID: Entry] = [:]
  private(set) var diagnostics: [Diagnostic] = []
  private let datatypes: [String: Datatype]

  init(project: Project, datatypes: [Datatype]) {
    self.project = project
    known = Set(project.locales.reachable)
    self.datatypes = Dictionary(datatypes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// A file below `entries/`; `path` is what comes after that.
  mutating func addEntryFile(_ path: String, root: YAMLNode) {
    guard let name = EntryFileName(path), let layer = layer(name, root, keyLocation: root.location.firstLine) else {
      return
    }
    if name.stem.contains("/") {
      add(layer, to: name.stem)
    } else if requireMapping(root, "a file of many entries") {
      for (key, value) in root.members
      where !value.isNull || report(.wrongType("an entry", must: "be a mapping", at: key.location)) {
        var own = layer
        (own.node, own.keyLocation) = (value, key.location)
        add(own, to: "\(name.stem)/\(key.text)")
      }
    }
  }

  /// `maintenance.yaml` or one of its overlays.
  mutating func addMaintenanceFile(_ path: String, root: YAMLNode) {
    guard let name = EntryFileName(path), let layer = layer(name, root, keyLocation: root.location.firstLine) else {
      return
    }
    insert(layer, into: .maintenance, of: .maintenance)
  }

  /// A file below `strings/`: each root key is a locale.
  mutating func addCatalogFile(_ path: String, root: YAMLNode) {
    guard let name = EntryFileName(path), requireMapping(root, "a string catalog") else { return }
    guard name.device == nil else {
      return _ = report(
        Diagnostic(.error, "file-name", at: SourceLocation(path: root.path), "a string catalog has no device overlays"))
    }
    let parts = name.stem.split(separator: "/").map(String.init)
    let isUnnamed = parts.count == 1 && name.locale == nil
    let entryName = isUnnamed ? "app" : parts[0]
    guard let id = EntryID("strings/\(entryName)") else {
      return _ = report(
        .wrongType("a string catalog's name", must: "be of a-z, 0-9 and '-'", at: SourceLocation(path: root.path)))
    }
    for (key, value) in root.members {
      guard let tag = locale(key.text, at: key.location), requireMapping(value, "a locale's texts") else { continue }
      let locale = tag == project.locales.source ? nil : tag
      let layer = Layer(locale: locale, device: nil, node: value, keyLocation: key.location)
      reportRepeats(of: layer, in: id, path: path)
      insert(layer, into: id, of: .open("strings", catalog: true), mayRepeat: true)
    }
  }

  /// The entries by id, maintenance apart; overlays that have no base are reported.
  mutating func finish() -> (entries: [Entry], maintenance: Entry?) {
    let sorted = entries.values.sorted { $0.id < $1.id }
    let whole = sorted.filter { entry in
      if entry.layers.contains(where: \.isBase) { return true }
      let nearest = entry.id.text.nearest(among: sorted.filter { $0.layers.contains(where: \.isBase) }.map(\.id.text))
      for layer in entry.layers {
        diagnostics.append(
          Diagnostic(
            .error, "overlay-without-entry", at: layer.keyLocation,
            "an overlay must have its entry: '\(entry.id)' has no file in the source locale"
              + (nearest.map { "; did you mean '\($0)'?" } ?? ""),
            notes: [Diagnostic.Note("content for one locale only is an entry with 'when: {locale: …}'")]))
      }
      return false
    }
    return (whole.filter { $0.id != .maintenance }, whole.first { $0.id == .maintenance })
  }

  private mutating func add(_ layer: Layer, to idText: String) {
    guard let id = EntryID(idText) else {
      return _ = report(
        .wrongType("the id '\(idText)'", must: "be of a-z, 0-9 and '-', parts joined by '/'", at: layer.keyLocation))
    }
    guard requireMapping(layer.node, "an entry") else { return }
    guard let datatype = datatypes[id.datatype] else {
      return _ = report(
        .unknown("datatype", id.datatype, id: "unknown-datatype", known: datatypes.keys.sorted(), at: layer.keyLocation)
      )
    }
    insert(layer, into: id, of: datatype)
  }

  private mutating func insert(_ layer: Layer, into id: EntryID, of datatype: Datatype, mayRepeat: Bool = false) {
    guard entries[id] != nil else { return entries[id] = Entry(id: id, datatype: datatype, layers: [layer]) }
    let same = entries[id]?.layers.first { $0.locale == layer.locale && $0.device == layer.device }
    if let same, !mayRepeat {
      let what = layer.isBase ? "entry" : "overlay '\(layer.label)' of entry"
      return _ = report(.duplicate(what, id.text, id: "duplicate-id", at: layer.keyLocation, first: same.keyLocation))
    }
    entries[id]?.layers.append(layer)
  }

  /// What a file's name says of locale and device; `nil`, and a report, where it says something unknown.
  private mutating func layer(_ name: EntryFileName, _ root: YAMLNode, keyLocation: SourceLocation) -> Layer? {
    var layer = Layer(locale: nil, device: nil, node: root, keyLocation: keyLocation)
    let file = SourceLocation(path: root.path)
    if let text = name.locale {
      guard let tag = locale(text, at: file) else { return nil }
      layer.locale = tag
    }
    if let device = name.device {
      guard project.devices.names.contains(device) else {
        report(
          .unknown(
            "device", device, id: "unknown-device", in: "the file's name", known: project.devices.names, at: file))
        return nil
      }
      layer.device = device
    }
    return layer
  }

  private mutating func locale(_ text: String, at location: SourceLocation) -> LocaleTag? {
    if let tag = LocaleTag(text), known.contains(tag) { return tag }
    let names = project.locales.reachable.map(\.identifier)
    if LocaleTag(text) != nil, text.nearest(among: names) == nil {
      report(
        Diagnostic(
          .error, "unknown-locale", at: location,
          "unknown locale '\(text)': it must stand in 'locales', or in the chain of one of them",
          notes: [Diagnostic.Note("there are the locales \(names.joined(separator: ", "))")]))
    } else {
      report(.unknown("locale", text, id: "unknown-locale", known: names, at: location))
    }
    return nil
  }

  /// Texts of one catalog and locale that stand in two files.
  private mutating func reportRepeats(of layer: Layer, in id: EntryID, path: String) {
    let severity = project.duplicateKeys(in: "strings/\(path)")
    for other in entries[id]?.layers ?? [] where other.locale == layer.locale {
      reportRepeats(layer.node, other.node, severity)
    }
  }

  private mutating func reportRepeats(_ node: YAMLNode, _ other: YAMLNode, _ severity: Diagnostic.Severity) {
    for (key, value) in node.members {
      guard let (otherKey, otherValue) = other.member(key.text) else { continue }
      if value.kind == .mapping, otherValue.kind == .mapping {
        reportRepeats(value, otherValue, severity)
      } else {
        diagnostics.append(
          Diagnostic(
            severity, "duplicate-key", at: key.location,
            "key '\(key.text)' stands in two files of one catalog and locale",
            notes: [Diagnostic.Note("it stands first here", at: otherKey.location)]))
      }
    }
  }

  private mutating func requireMapping(_ node: YAMLNode, _ what: String) -> Bool {
    node.kind == .mapping || report(.wrongType(what, must: "be a mapping", at: node.location.firstLine))
  }

  @discardableResult private mutating func report(_ diagnostic: Diagnostic) -> Bool {
    diagnostics.append(diagnostic)
    return false
  }
}

extension Datatype {
  static func open(_ name: String, catalog: Bool) -> Datatype {
    var datatype = Datatype.open(name)
    datatype.shape = ObjectShape(fields: [], isOpen: true, isCatalog: catalog)
    return datatype
  }

  /// The open entry of texts that readers see while the service is down.
  static let maintenance = Datatype.open(
    "maintenance",
    fields: [
      Field(name: "title", kind: .string, isLocalized: true), Field(name: "message", kind: .text, isLocalized: true),
      Field(name: "retryAfter", kind: .integer, limits: Field.Limits(minimum: 0, maximum: 2_147_483_647)),
    ])
}
