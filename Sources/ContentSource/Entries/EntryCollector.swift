import ContentModel
import Diagnostics
import YAML

/// The collection of entries' layers from their files.
///
/// Copies can work concurrently, each on the files of different datatypes; `finish` merges them.
struct EntryCollector: Sendable {
  let project: Project
  private let knownLocales: Set<LocaleTag>
  /// Locales that `fallback` removes from a chain.
  private let cutOff: Set<LocaleTag>
  private var entries: [Entry] = []
  private var entryIndexes = EntryIndexTable()
  /// The scope of each locale and device so far.
  private var scopes: [ScopeName: LayerScope] = [:]
  private let catalog = Datatype(
    name: "strings", shape: ObjectShape(fields: [], isOpen: true, isCatalog: true))
  private(set) var diagnostics: [Diagnostic] = []
  private let datatypes: [ExactString: Datatype]
  /// The ids of entries that could not be read.
  private(set) var unread = UnreadIDs()
  /// The files of unknown datatypes, by the datatype's name.
  private var strays: [ExactString: [ExactString]] = [:]

  /// The ids of the entries to collect; `nil` for all.
  private let wanted: Set<ExactString>?

  init(project: Project, datatypes: [Datatype], wanted: Set<ExactString>? = nil) {
    (self.project, self.wanted) = (project, wanted)
    knownLocales = Set(project.locales.reachable)
    let plain = LocaleSet(declared: project.locales.declared, source: project.locales.source)
    cutOff = Set(plain.reachable).subtracting(knownLocales)
    self.datatypes = Dictionary(firstOf: datatypes.map { ($0.name, $0) })
  }

  private struct ScopeName: Hashable {
    var locale: LocaleTag?
    var device: ExactString?
  }

  /// Adds a file below `entries/`.
  ///
  /// `name` is the rest of its path; `id` is its entry, if the file has only one.
  mutating func addEntryFile(_ name: EntryFileName, id: EntryID?, root: YAMLNode) {
    guard let scope = scope(of: name, root) else { return }
    let datatypeName = name.holdsOneEntry ? String(name.stem.beforeFirstSlash) : name.stem
    guard let datatype = datatypes[datatypeName] else {
      strays[datatypeName, default: []].append(root.path)
      let rest = name.stem.dropping(datatypeName) + (name.holdsOneEntry ? "" : "/**")
      unread.insert(datatypeName + rest)
      // The datatype's name may be misspelt, so the entries may belong to the nearest one.
      if let meant = datatypeName.nearest(among: datatypes.names) { unread.insert(meant + rest) }
      return
    }
    if name.holdsOneEntry {
      if wants(name.stem) { add(Layer(root, for: scope), to: name.stem, id: id, of: datatype) }
    } else if requireMapping(root, named: "a file of many entries", holding: "\(name.stem)/**") {
      for (key, value) in root.members where !value.isBrokenAlias && wants(name.stem, key: key) {
        let layer = Layer(value, under: key, for: scope)
        if value.kind == .mapping, let index = entryIndex(name.stem, key: key) {
          add(layer, at: index)
        } else {
          let text = name.stem + "/" + key.text
          add(layer, to: text, id: EntryID(text), of: datatype)
        }
      }
    }
  }

  private func wants(_ stem: String, key: YAMLNode? = nil) -> Bool {
    guard let wanted else { return true }
    return wanted.contains(key.map { "\(stem)/\($0.text)" } ?? stem)
  }

  /// Adds `maintenance.yaml` or one of its overlays.
  mutating func addMaintenanceFile(_ name: EntryFileName, root: YAMLNode) {
    guard let scope = scope(of: name, root),
      requireMapping(root, named: "'maintenance'", holding: "maintenance")
    else { return }
    insert(Layer(root, for: scope), into: .maintenance, of: .maintenance)
  }

  /// Notes a file that is not valid YAML, so that its entries are not reported as unknown.
  mutating func addUnreadFile(_ path: String) {
    guard let name = EntryFileName(path) else { return }
    let parts = name.stem.pathParts
    switch parts.first {
    case "strings":
      // A translation's file has no texts of the source locale.
      let locale = (name.locale ?? parts.last).flatMap { LocaleTag($0) }
      if let locale, locale != project.locales.source, knownLocales.contains(locale) { return }
      unread.insert("strings/**")
    case "entries":
      unread.insert(parts.count == 2 ? "\(parts[1])/**" : parts.dropFirst().joined(separator: "/"))
    default: unread.insert(name.stem)
    }
  }

  /// Notes a folder whose files cannot be listed, so that its entries are not reported as unknown.
  mutating func addUnreadFolder(_ path: String) {
    let parts = path.pathParts
    switch parts.first {
    case "strings": unread.insert(parts.count > 1 ? "strings/\(parts[1])" : "strings/**")
    case "entries": unread.insert((Array(parts.dropFirst()) + ["**"]).joined(separator: "/"))
    default: break
    }
  }

  /// Adds a file below `strings/`, in which each root key is a locale.
  ///
  /// `name` is the parsed `path`, which is relative to `strings/`.
  mutating func addCatalogFile(_ name: EntryFileName, path: String, root: YAMLNode) {
    guard requireMapping(root, named: "a string catalog", holding: "strings/**") else { return }
    guard name.device == nil else {
      _ = report(
        Diagnostic(
          .error, rule: .fileName, at: SourceLocation(path: root.path),
          message: "a string catalog must not differ by device; delete '@\(name.device ?? "")'"))
      return
    }
    let parts = name.stem.pathParts
    // `strings/fr.yaml` belongs to the catalog `app`, and `strings/shop/fr.yaml` to `shop`.
    let isUnnamed = parts.count == 1 && name.locale == nil
    let entryName = isUnnamed ? "app" : parts[0]
    guard let id = EntryID("strings/\(entryName)") else {
      _ = report(
        .wrongType(
          "a string catalog's name", must: "be of a-z, 0-9 and '-'",
          at: SourceLocation(path: root.path)))
      return
    }
    guard wants(id.text) else { return }
    warnOfFileName(name, root: root)
    for (key, value) in root.members {
      guard let tag = locale(key.text, at: key.location), !value.isNull,
        requireMapping(value, named: "the texts of '\(key.text)'", holding: id.text)
      else { continue }
      let layer = Layer(
        value, under: key, for: scope(tag == project.locales.source ? nil : tag, device: nil))
      reportRepeats(of: layer, in: id, path: path)
      insert(layer, into: id, of: catalog, mayRepeat: true)
    }
  }

  /// Warns of a catalog whose file name says another locale than its root keys: readers would get
  /// texts of another language.
  private mutating func warnOfFileName(_ name: EntryFileName, root: YAMLNode) {
    guard let last = name.locale ?? name.stem.pathParts.last, let locale = LocaleTag(last),
      knownLocales.contains(locale)
    else { return }
    let roots = root.members.map { (key: $0.key, locale: LocaleTag($0.key.text)) }
    let others = roots.filter { $0.locale.map(knownLocales.contains) ?? false }
    guard let first = others.first, !roots.contains(where: { $0.locale == locale }) else { return }
    report(
      .warning(
        .fileLocale, at: first.key.location,
        message:
          "the file's name says '\(last)', but readers of '\(first.key.text)' get these texts; write '\(last):' here, or rename the file",
        fixIt: roots.count == 1 ? Diagnostic.FixIt(first.key.range, replacement: last) : nil))
  }

  /// Ends the work of a copy by sorting its entries, so that `finish` has little to sort.
  mutating func end() {
    entries.sort { $0.id.text.sortsBefore($1.id.text) }
    entryIndexes = EntryIndexTable()
  }

  /// The entries of a folder.
  struct Collected {
    /// The entries with a base, by id.
    var entries: [Entry] = []
    /// The maintenance entry.
    var maintenance: Entry?
    /// The overlays without a base: their own mistakes are reported.
    var overlays: [Entry] = []
  }

  /// Returns the entries of all copies; reports overlays without a base.
  mutating func finish(with others: [EntryCollector]) -> Collected {
    for other in others {
      entries += other.entries
      diagnostics += other.diagnostics
      unread.formUnion(other.unread)
      for (name, paths) in other.strays { strays[name, default: []] += paths }
    }
    for (name, paths) in strays.sorted(by: { $0.key < $1.key }) {
      reportStrays(of: name.text, at: paths.sorted())
    }
    let sorted = entries.sorted { $0.id.text.sortsBefore($1.id.text) }
    func hasBase(_ entry: Entry) -> Bool { entry.layers.contains(where: \.isBase) }
    let (whole, overlays) = (sorted.filter(hasBase), sorted.filter { !hasBase($0) })
    reportWithoutBase(overlays, besides: whole)
    return Collected(
      entries: whole.filter { $0.id != .maintenance },
      maintenance: whole.first { $0.id == .maintenance }, overlays: overlays)
  }

  /// Reports overlays without a base that no file with mistakes may have, and notes their ids as
  /// unread.
  private mutating func reportWithoutBase(_ overlays: [Entry], besides whole: [Entry]) {
    let based = Set(names: whole.map(\.datatype.name))
    let alone = overlays.isEmpty ? [:] : Self.onlyEntriesWithoutOverlays(of: whole)
    var suggestions = Suggestions(ofIDs: overlays.isEmpty ? [] : whole.map(\.id.text))
    for entry in overlays where !unread.contains(entry.id.text) {
      reportWithoutBase(
        entry, nearest: suggestions.nearest(to: entry.id.text),
        renamed: alone[entry.datatype.name],
        isOfMissingFiles: !based.contains(entry.datatype.name))
      unread.insert(entry.id.text)
    }
  }

  /// Reports the overlays of a missing entry in one diagnostic, since most often the entry was
  /// deleted or renamed.
  ///
  /// `renamed` is the entry that the overlays may belong to under its new name. If
  /// `isOfMissingFiles` is true, no entry of the datatype has a base.
  private mutating func reportWithoutBase(
    _ entry: Entry, nearest: String?, renamed: EntryID?, isOfMissingFiles: Bool
  ) {
    let layers = entry.layers.sorted { $0.path < $1.path }
    let isAlone = layers.count == 1
    let subject = isAlone ? "overlay '\(layers[0].label)'" : "\(layers.count) overlays"
    let them = isAlone ? "it" : "them"
    let advice =
      nearest.map { "did you mean '\($0)'?" }
      ?? renamed.map {
        "if the entry is '\($0)' now, which has no overlays, rename \(them), too, or delete \(them)"
      } ?? "add the entry, or delete \(them)"
    let labels = layers.map(\.label).joined(separator: ", ")
    diagnostics.append(
      Diagnostic(
        .error, rule: .overlayWithoutEntry, at: layers[0].keyLocation,
        message:
          "\(subject) must have \(isAlone ? "its" : "their") entry: nothing in '\(project.locales.source)' has the id '\(entry.id)'; \(advice)",
        notes: (isAlone ? [] : [Diagnostic.Note("the overlays are \(labels)")])
          + [Diagnostic.Note("content for one locale only is an entry with 'when: {locale: …}'")]
          + layers.dropFirst().map { Diagnostic.Note("another is here", at: $0.keyLocation) }
      ).breaking(isOfMissingFiles ? .missing(filesOf: entry.datatype.name) : nil))
  }

  /// Returns the entry without overlays of each datatype that has exactly one.
  private static func onlyEntriesWithoutOverlays(of whole: [Entry]) -> [ExactString: EntryID] {
    let alone = whole.filter { $0.layers.count == 1 && !$0.datatype.shape.isCatalog }
    return Dictionary(grouping: alone) { ExactString($0.datatype.name) }.compactMapValues {
      $0.count == 1 ? $0[0].id : nil
    }
  }

  /// Reports an unknown datatype once for all its files.
  private mutating func reportStrays(of name: String, at paths: [ExactString]) {
    var diagnostic = Diagnostic.unknown(
      "datatype", named: name, rule: .unknownDatatype, known: datatypes.names,
      at: SourceLocation(path: paths[0])
    ).breaking(.missing(datatype: name, among: datatypes.names))
    if let locale = LocaleTag(name), knownLocales.contains(locale) {
      let file = paths[0].text.pathParts.last ?? ""
      let stem = EntryFileName(file)?.stem ?? "rose"
      diagnostic.message =
        "unknown datatype '\(name)'; for texts in that language, a file is beside its entry: name it '\(stem).\(locale).yaml' there"
      diagnostic.fixIt = nil
    }
    if paths.count > 1 {
      diagnostic.notes.append(Diagnostic.Note("\(paths.count) files ask for it"))
    }
    report(diagnostic)
  }

  private mutating func add(
    _ layer: Layer, to idText: String, id: EntryID?, of datatype: Datatype
  ) {
    guard let id else {
      unread.insert(idText.meantID)
      let advice =
        adviceOnLocale(in: idText, isKey: layer.key != nil, of: layer.path.text)
        ?? Self.plainID(idText).map { "rename it to '\($0)'" }
      _ = report(
        .wrongType(
          "the id '\(idText)'",
          must: "be of a-z, 0-9 and '-', parts joined by '/'\(advice.map { "; \($0)" } ?? "")",
          at: layer.keyLocation))
      return
    }
    guard requireMapping(layer.node, named: "'\(id)'", holding: id.text) else { return }
    insert(layer, into: id, of: datatype)
  }

  /// Returns the advice for an id that ends in a locale, as in `rose_fr`; `nil` for another one.
  ///
  /// With hyphens, it would be an id, and its texts would be an entry of the source locale.
  private func adviceOnLocale(in text: String, isKey: Bool, of path: String) -> String? {
    let file = path.pathParts.last ?? ""
    let ending = file.hasByteSuffix(".yml") ? ".yml" : ".yaml"
    let last = text.pathParts.last ?? ""
    for index in last.utf8.indices where last.utf8[index] == UInt8(ascii: "_") {
      let rest = String(last[last.utf8.index(after: index)...])
      guard let locale = LocaleTag(rest), knownLocales.contains(locale),
        let id = Self.plainID("x/" + last[..<index])
      else { continue }
      let name = id.dropping("x/")
      guard isKey else { return "rename the file to '\(name).\(locale)\(ending)'" }
      let stem = EntryFileName(file)?.stem ?? file
      return "write the key '\(name)' in the file '\(stem).\(locale)\(ending)'"
    }
    return nil
  }

  /// Returns a text in lower case, with hyphens for spaces and underscores and `ue` for `ü`; `nil` if
  /// that is not an id.
  private static func plainID(_ text: String) -> String? {
    var plain = text.lowercased().replacing(" ", with: "-").replacing("_", with: "-")
    for (letters, name) in plainLetters {
      plain = String(plain.flatMap { letters.contains($0) ? name : String($0) })
    }
    return EntryID(plain)?.text
  }

  /// Letters of names in European languages, and how addresses write them.
  private static let plainLetters = [
    ("äæ", "ae"), ("öœ", "oe"), ("ü", "ue"), ("ß", "ss"), ("àáâãå", "a"), ("ç", "c"),
    ("èéêë", "e"), ("ìíîï", "i"), ("ñ", "n"), ("òóôõø", "o"), ("ùúû", "u"), ("ýÿ", "y"),
  ]

  private mutating func insert(
    _ layer: Layer, into id: EntryID, of datatype: Datatype, mayRepeat: Bool = false
  ) {
    if let index = entryIndex(id.text) { return add(layer, at: index, mayRepeat: mayRepeat) }
    entryIndexes.add(id)
    entries.append(Entry(id: id, datatype: datatype, layers: [layer]))
  }

  private mutating func add(_ layer: Layer, at index: Int, mayRepeat: Bool = false) {
    if !mayRepeat, let same = entries[index].layers.first(where: { $0.scope === layer.scope }) {
      let id = entries[index].id
      let what = layer.isBase ? "entry" : "overlay '\(layer.label)' of"
      _ = report(
        .duplicate(
          what, named: id.text, rule: .duplicateID, at: layer.keyLocation, first: same.keyLocation))
      return
    }
    entries[index].layers.append(layer)
  }

  /// Returns the index of the entry whose id is a text, or a text, `/` and a key.
  private func entryIndex(_ text: String, key: YAMLNode? = nil) -> Int? {
    var text = text
    let indexes = entryIndexes
    return text.withUTF8 { stem in
      guard let key else { return indexes.index(of: stem, rest: nil) }
      return key.withTextBytes { indexes.index(of: stem, rest: $0) }
    }
  }

  /// Returns the scope in a file's name; reports an unknown locale or device, and returns `nil`.
  private mutating func scope(of name: EntryFileName, _ root: YAMLNode) -> LayerScope? {
    let file = SourceLocation(path: root.path)
    var tag: LocaleTag?
    if let text = name.locale {
      tag = locale(text, at: file)
      guard tag != nil else { return nil }
    }
    if let device = name.device, !project.devices.names.contains(device) {
      if let swapped = localeBehindDevice(in: name, at: file) {
        report(swapped)
        return nil
      }
      if project.mayLackDevices { return nil }
      report(
        .unknown(
          "device", named: device, rule: .unknownDevice, in: "the file's name",
          ownsNames: false,
          known: project.devices.names, at: file
        ).breaking(project.places.declaration(ofDevice: device, among: project.devices.names)))
      return nil
    }
    return scope(tag, device: name.device)
  }

  /// Returns the error for a name such as `rose@ipad.fr.yaml`, whose locale is behind the device.
  private func localeBehindDevice(in name: EntryFileName, at file: SourceLocation) -> Diagnostic? {
    let parts = (name.device ?? "").split(separator: ".").map(String.init)
    guard parts.count == 2, name.locale == nil, project.devices.names.contains(parts[0]),
      let tag = LocaleTag(parts[1]), knownLocales.contains(tag)
    else { return nil }
    let last = name.stem.pathParts.last ?? ""
    return Diagnostic(
      .error, rule: .fileName, at: file,
      message:
        "a file's name must have the locale before the device; rename it to '\(last).\(parts[1])@\(parts[0]).yaml'"
    )
  }

  /// Returns the scope of a locale and a device, which all their layers share.
  private mutating func scope(_ locale: LocaleTag?, device: String?) -> LayerScope {
    let name = ScopeName(locale: locale, device: device.map { ExactString($0) })
    if let scope = scopes[name] { return scope }
    let scope = LayerScope(locale: locale, device: device)
    scopes[name] = scope
    return scope
  }

  private mutating func locale(_ text: String, at location: SourceLocation) -> LocaleTag? {
    if let tag = LocaleTag(text), knownLocales.contains(tag) { return tag }
    if project.mayLackLocales,
      LocaleTag(text) != nil || project.unreadableLocales.contains(text)
    {
      return nil
    }
    if let tag = LocaleTag(text), cutOff.contains(tag) {
      report(
        Diagnostic(
          .warning, rule: .unconsultedOverlay, at: location,
          message: "no context consults '\(tag)': 'fallback' leaves it out of every chain"))
      return nil
    }
    let names = project.locales.reachable.map(\.identifier)
    var diagnostic = Diagnostic.unknown(
      "locale", named: text, rule: .unknownLocale, known: names, at: location)
    if LocaleTag(text) != nil, text.meantLocale(among: names) == nil {
      diagnostic.message = "locale '\(text)' must be in 'locales', or in the chain of one of them"
    }
    report(
      diagnostic.breaking(
        project.places.declaration(ofLocale: text, among: project.locales.reachable)))
    return nil
  }

  /// Reports keys that occur in two files of one catalog and locale.
  private mutating func reportRepeats(of layer: Layer, in id: EntryID, path: String) {
    let severity = project.duplicateKeys(in: "strings/\(path)")
    let others = (entryIndex(id.text).map { entries[$0].layers } ?? []).filter {
      $0.scope === layer.scope
    }.map(\.node)
    if !others.isEmpty { reportRepeats(of: layer.node, in: others, as: severity) }
  }

  private mutating func reportRepeats(
    of node: YAMLNode, in others: [YAMLNode], as severity: Diagnostic.Severity
  ) {
    for (key, value) in node.members {
      let same = others.compactMap { $0.member(key.text) }
      guard let first = same.first else { continue }
      if value.kind == .mapping, same.allSatisfy({ $0.value.kind == .mapping }) {
        reportRepeats(of: value, in: same.map(\.value), as: severity)
      } else {
        diagnostics.append(
          Diagnostic(
            severity, rule: .duplicateKey, at: key.location,
            message: "'\(key.text)' must occur in only one file of a catalog and locale",
            notes: [Diagnostic.Note("the first one is here", at: first.key.location)]))
      }
    }
  }

  /// Returns `true` for a mapping; reports any other node, and notes that its entries are unknown.
  private mutating func requireMapping(_ node: YAMLNode, named what: String, holding ids: String)
    -> Bool
  {
    if node.kind == .mapping { return true }
    unread.insert(ids)
    return report(.notAMapping(what, at: node))
  }

  @discardableResult private mutating func report(_ diagnostic: Diagnostic) -> Bool {
    diagnostics.append(diagnostic)
    return false
  }
}

extension String {
  /// A pattern of the ids that an invalid id may have meant.
  fileprivate var meantID: String {
    String(
      lowercased().map { character -> Character in
        character == "/" || EntryID.isPart(String(character)) ? character : "*"
      })
  }
}

extension Datatype {
  /// The datatype of the texts that apps show while the service is down.
  static let maintenance = Datatype.open(
    "maintenance",
    fields: [
      Field(name: "title", kind: .scalar(StringType.self), isLocalized: true),
      Field(name: "message", kind: .scalar(TextType.self), isLocalized: true),
      Field(
        name: "retryAfter", kind: .scalar(IntegerType.self),
        limits: Field.Limits(minimum: 0, maximum: 2_147_483_647)),
    ])
}
