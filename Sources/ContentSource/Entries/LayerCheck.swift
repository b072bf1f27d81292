package import ContentModel
import Diagnostics
package import Markdown
package import YAML

/// The check of an entry's layers against its schema.
struct LayerCheck {
  let conditions: ConditionReader
  let names: KnownNames
  /// The scope of the layer; files without a locale may hold every field.
  private(set) var scope = LayerScope(locale: nil, device: nil)
  private var isOverlay = false
  private var allowsEmbargo = true
  var diagnostics: [Diagnostic] = []
  private(set) var contextConditions: [Condition] = []
  var excusedFields: Set<ExactString>
  /// `true` if a condition of the entry has a mistake.
  private(set) var hasUnreadConditions = false
  /// The references to entries of other datatypes than their fields require.
  private(set) var refusedLinks: Set<SourcePlace> = []
  /// The assets that the entries so far name and that `assets/` lacks.
  var missingAssets: [MissingAsset] = []
  /// The last text between brackets that its own commas cut into several keys.
  ///
  /// The result for its first part also holds for its further parts.
  var lastCut: CutText?
  /// The check of plurals for the locale of the last checked plural; `nil` before the first one.
  ///
  /// Most content has no plural, and reading the rules of all languages takes a while.
  var plurals: PluralCheck?

  init(conditions: ConditionReader, names: KnownNames, excusedFields: Set<ExactString>) {
    (self.conditions, self.names, self.excusedFields) = (conditions, names, excusedFields)
  }

  /// Begins the check of another entry; its diagnostics and conditions are added to the earlier
  /// ones.
  mutating func begin(_ entry: Entry) {
    allowsEmbargo = entry.id != .maintenance
    contextConditions = entry.contextConditions
    excusedFields = entry.excusedFields
    (hasUnreadConditions, refusedLinks) = (false, [])
  }

  /// Returns the diagnostics and removes them from this value.
  mutating func takeDiagnostics() -> [Diagnostic] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// Checks a layer; `sources` are the root nodes of the source locale's layers.
  mutating func check(_ layer: Layer, as datatype: Datatype, sources: [YAMLNode]) {
    (scope, isOverlay) = (layer.scope, layer.scope.locale != nil)
    check(layer.node, as: datatype, sources: sources)
  }

  private mutating func check(_ node: YAMLNode, as datatype: Datatype, sources: [YAMLNode]) {
    let place = Place(
      isLocalized: false, sources: sources, isConditional: !datatype.shape.isCatalog)
    checkObject(node, of: datatype.shape, name: "'\(datatype.name)'", at: place)
  }

  /// Checks the default value of a field.
  mutating func checkDefault(of field: Field) {
    guard let node = field.defaultValue else { return }
    checkValue(
      node, as: field.named("default"),
      at: Place(isLocalized: true, sources: [], isConditional: false))
  }

  private mutating func checkObject(
    _ node: YAMLNode, of shape: ObjectShape, name: String, at place: Place
  ) {
    var free = FreeNames(of: shape, in: node, isConditional: place.isConditional)
    for (index, (key, value)) in node.members.enumerated() {
      if place.isConditional, key.hasText("when") {
        checkCondition(value)
      } else if shape.isCatalog, shape.fields.isEmpty {
        checkCatalogMember(value, at: key)
      } else if let field = shape.field(key) {
        warnOfMisplacedCondition(key, of: field)
        if shape.isOpen,
          let slip = misspelling(key, in: node, named: name, of: shape, free: &free, at: place)
        {
          diagnostics.append(slip)
        }
        checkField(
          value, as: field, under: key,
          at: place.below(key, to: value, isLocalized: field.isLocalized, isOverlay: isOverlay))
      } else {
        refuseUnknown(key, at: index, in: node, named: name, of: shape, free: &free)
      }
    }
  }

  /// Checks a member of a string catalog, where every key is a field.
  private mutating func checkCatalogMember(_ value: YAMLNode, at key: YAMLNode) {
    if value.isBrokenAlias { excusedFields.insert(key.text) }
    if !value.isNull { checkCatalog(value) }
  }

  /// Warns of a `when` in a mapping that is neither an entry nor an item of a list, where it is
  /// content like any other key.
  private mutating func warnOfMisplacedCondition(_ key: YAMLNode, of field: Field) {
    guard case .any = field.kind, key.hasText("when") else { return }
    diagnostics.append(
      Diagnostic(
        .warning, rule: .misplacedCondition, at: key.location,
        message: "'when' must be in an entry or in an item of a list; here it is content"))
  }

  private mutating func refuseUnknown(
    _ key: YAMLNode, at index: Int, in node: YAMLNode, named name: String, of shape: ObjectShape,
    free: inout FreeNames
  ) {
    if let number = cutNumber(at: index, in: node) { return diagnostics.append(number) }
    if let slip = cutText(at: index, in: node, known: free.known) {
      diagnostics += slip
      return
    }
    if let slip = equalsSign(in: key, known: free.known) { return diagnostics.append(slip) }
    let meant = free.meant(by: key.text)
    let nearest = free.nearest(to: key.text)
    diagnostics.append(
      .unknownField(key, in: name, known: free.known, nearest: nearest, declaredAt: shape.location)
        .breaking(shape.declaration(without: key.text, nearest: nearest, of: name)))
    if let meant { excusedFields.insert(meant) }
  }

  private mutating func checkField(
    _ node: YAMLNode, as field: Field, under key: YAMLNode, at place: Place
  ) {
    if node.isBrokenAlias { excusedFields.insert(field.name) }
    if isOverlay, !place.isLocalized, node.isNull || !field.hasLocalizedParts {
      reportNotLocalized(field, at: key)
    } else if !node.isNull {
      checkValue(node, as: field, at: place)
    } else if node.isLostValue, field.isRequired {
      // `YAMLMistakes` reports the comment instead.
      report(
        .error(
          .missingField, at: node.location,
          message: "'\(field.name)' is required and has no value"), excusing: field)
    }
  }

  private mutating func checkValue(_ node: YAMLNode, as field: Field, at place: Place) {
    if node.kind == .scalar {
      warnOfSlips(in: node, as: field)
      if FieldCheck.surelyFits(node, as: field) { return }
    }
    switch (field.kind, node.kind) {
    case (.object(let shape), .mapping):
      checkObject(node, of: shape, name: "'\(field.name)'", at: place)
    case (.map(let item), .mapping): checkMap(node, of: item, at: place)
    case (.list(let item), .sequence): checkList(node, of: item, at: place, in: field)
    case (.any, .mapping): checkAnyMapping(node, at: place)
    case (.any, .sequence):
      let isUndeclared = field.isLocalized && field.location == nil
      let item = isUndeclared ? field : Field(name: field.name, kind: .any, isLocalized: true)
      checkList(node, of: item, at: place, in: field)
    case (.catalog, _): checkCatalog(node)
    case (.plural, .mapping): checkPlural(node, of: field)
    case (.scalar, .scalar), (.any, .scalar), (.markdown, .scalar): checkScalar(node, as: field)
    case (.scalar, _), (.markdown, _), (.object, _), (.map, _), (.list, _), (.plural, _):
      if let slip = slip(in: node, field) { return report(slip, excusing: field) }
      if node.kind == .scalar { return checkScalar(node, as: field) }
      report(
        .wrongType("'\(field.name)'", must: field.kind.type.rule, at: node.place), excusing: field)
    }
  }

  private mutating func checkScalar(_ node: YAMLNode, as field: Field) {
    do {
      switch try FieldCheck.convert(node, as: field) {
      case .value, .address: break
      case .asset(let path): checkAsset(path, at: node.location, of: field)
      case .markdown(let text, let problems):
        checkMarkdown(text, with: problems, at: node, of: field)
      case .link(let id):
        let targets = field.limits.targets
        guard !targets.isEmpty, !targets.contains(where: { $0.datatype == id.datatype }),
          targets.allSatisfy({ names.datatypes.contains($0.datatype) })
        else { break }
        refusedLinks.insert(node.sourcePlace)
        report(referenceElsewhere(node, to: targets.map(\.datatype), in: field), excusing: field)
      }
    } catch {
      report(nearlyID(node, in: field) ?? error.diagnostic, excusing: field)
    }
  }

  private mutating func checkMap(_ node: YAMLNode, of item: Field, at place: Place) {
    for (key, value) in node.members {
      if place.isConditional, key.hasText("when") {
        checkCondition(value)
        continue
      }
      let below = place.below(key, to: value, isLocalized: item.isLocalized, isOverlay: isOverlay)
      checkField(value, as: item.named(ExactString(key.text)), under: key, at: below)
    }
  }

  /// Checks a mapping of an `any` field.
  ///
  /// Every key is valid, but each value must be of a kind that property lists have.
  private mutating func checkAnyMapping(_ node: YAMLNode, at place: Place) {
    for (index, (key, value)) in node.members.enumerated() {
      if place.isConditional, key.hasText("when") {
        checkCondition(value)
      } else if value.isNull {
        diagnostics += cutText(at: index, in: node, known: []) ?? []
      } else {
        let inner = Field(name: ExactString(key.text), kind: .any, isLocalized: true)
        warnOfMisplacedCondition(key, of: inner)
        checkValue(
          value, as: inner,
          at: Place(isLocalized: place.isLocalized, sources: [], isConditional: false))
      }
    }
  }

  private mutating func checkList(
    _ node: YAMLNode, of item: Field, at place: Place, in field: Field
  ) {
    let isRestricted = isOverlay && !place.isLocalized && !item.isLocalized
    let declaresID = item.kind.shape?.field("id") != nil
    checkIDs(node, in: field, reportsKind: isRestricted || !declaresID)
    if isRestricted, node.items.isEmpty {
      reportNotLocalized(field, at: node, rule: "must not be emptied")
    }
    var sources: SourceItems?
    for value in node.items where !value.isBrokenAlias {
      if value.isNull {
        diagnostics.append(
          Diagnostic(
            .error, rule: .nullInList, at: value.location,
            message: "a list must not hold null, which property lists do not have"))
      } else if isRestricted {
        var known = sources ?? SourceItems(of: place.sources)
        checkKnownItem(value, as: item, among: &known, at: place, in: field)
        sources = known
      } else {
        checkItem(
          value, as: item,
          at: Place(
            isLocalized: place.isLocalized || item.isLocalized, sources: [], isConditional: true))
      }
    }
  }

  private mutating func checkItem(_ value: YAMLNode, as item: Field, at place: Place) {
    switch item.kind {
    case .map(let field) where value.kind == .mapping: checkMap(value, of: field, at: place)
    case .map, .scalar, .any, .markdown, .object, .list, .plural, .catalog:
      checkValue(value, as: item, at: place)
    }
  }

  /// Checks an item of an unlocalized list in a locale overlay, which may only add localized fields
  /// to a known item.
  private mutating func checkKnownItem(
    _ value: YAMLNode, as item: Field, among sources: inout SourceItems, at place: Place,
    in field: Field
  ) {
    guard let id = value.itemIDNode else {
      // `checkIDs` reports an `id` that is no text.
      if value["id"] != nil { return }
      diagnostics.append(
        .wrongType(
          "an item of '\(field.name)'",
          must:
            "have the 'id' of an item in the source locale's files, since the list is not localized",
          at: value.place))
      return
    }
    let same = sources[id]
    guard !same.isEmpty else {
      if excusedFields.contains(field.name) { return }
      diagnostics.append(
        .unknown(
          "id", named: id.text, rule: .unknownItem,
          in: "'\(field.name)', a list that is not localized",
          known: sources.ids, nearest: sources.suggestions.nearest(to: id.text),
          at: id.location
        ).breaking(
          .missing(item: id.text, of: field.name.text, at: place.sources.first?.location.firstLine))
      )
      return
    }
    guard let shape = item.kind.shape else { return }
    var free = FreeNames(of: shape, in: value, isConditional: true)
    for (index, (key, child)) in value.members.enumerated() where !key.hasText("id") {
      if key.hasText("when") {
        checkCondition(child)
      } else if let inner = shape.field(key) {
        checkField(
          child, as: inner, under: key,
          at: Place(
            isLocalized: inner.isLocalized, sources: same.compactMap { $0[key.text] },
            isConditional: false))
      } else {
        refuseUnknown(
          key, at: index, in: value, named: "'\(field.name)'", of: shape, free: &free)
      }
    }
  }

  /// Checks that the ids of a list are distinct texts.
  ///
  /// `reportsKind` is false if the check of an item's fields reports an `id` that is no text.
  private mutating func checkIDs(_ node: YAMLNode, in field: Field, reportsKind: Bool) {
    var ids = DistinctIDs()
    for item in node.items {
      guard item.kind == .mapping else { continue }
      guard let id = item["id"] else {
        if item.members.contains(where: { $0.key.text.meantKey(among: ["id"]) != nil }) {
          excuseItems(of: field)
        }
        continue
      }
      guard id.kind == .scalar, !id.isNull else {
        excuseItems(of: field)
        if reportsKind {
          diagnostics.append(.wrongType("'id'", must: "be a single text", at: id.place))
        }
        continue
      }
      if let first = ids.first(likeOrAdding: id) {
        // The item should have another id. Overlays may use that id already, so the list is
        // excused.
        report(
          .duplicate(
            "id", named: id.text, rule: .duplicateItem, at: id.location, first: first.location),
          excusing: field)
      }
    }
  }

  /// Excuses a list with an unreadable `id`, and the fields of its items.
  ///
  /// Such a list does not merge item by item, so fields may seem to be missing.
  private mutating func excuseItems(of field: Field) {
    excusedFields.insert(field.name)
    for inner in field.item?.kind.shape?.fields ?? [] { excusedFields.insert(inner.name) }
  }

  private mutating func checkCondition(_ node: YAMLNode) {
    var conditions = conditions
    conditions.allowsEmbargo = allowsEmbargo
    let outcome = conditions.consulted(inLocale: scope.locale, onDevice: scope.device).read(node)
    diagnostics += outcome.diagnostics
    if outcome.hasErrors { hasUnreadConditions = true }
    if case .condition(let condition) = outcome.output,
      condition.locales != nil || condition.devices != nil
    {
      contextConditions.append(condition)
    }
  }

  /// Checks text in mappings and lists of any depth; null is a missing text in a mapping, and an
  /// empty text in a list.
  private mutating func checkCatalog(_ node: YAMLNode) {
    switch node.kind {
    case .scalar: warnOfSlips(in: node, as: .catalogText)
    case .mapping:
      for (index, (_, value)) in node.members.enumerated() {
        checkCatalog(value)
        if value.isNull { diagnostics += cutText(at: index, in: node, known: []) ?? [] }
      }
    case .sequence:
      for item in node.items {
        if item.isBrokenAlias { continue }
        if item.kind == .scalar, item.isNull {
          diagnostics.append(
            Diagnostic(
              .warning, rule: .nullInCatalog, at: item.location,
              message: "null in a list becomes an empty text, since property lists have no null"))
        } else {
          checkCatalog(item)
        }
      }
    }
  }

  private mutating func reportNotLocalized(
    _ field: Field, at node: YAMLNode, rule: String = "must not occur"
  ) {
    let notes = field.location.map {
      [Diagnostic.Note("'\(field.name)' is declared here, without 'localized: true'", at: $0)]
    }
    diagnostics.append(
      Diagnostic(
        .error, rule: .notLocalized, at: node.place,
        message:
          "'\(field.name)' \(rule) in an overlay for '\(scope.locale?.identifier ?? "")', since it is not localized",
        notes: notes ?? []
      ).breaking(field.declarationWithoutLocalization))
  }

  mutating func report(_ diagnostic: Diagnostic, excusing field: Field) {
    diagnostics.append(
      diagnostic.declaration == nil
        ? diagnostic.breaking(field.declaration(brokenBy: diagnostic)) : diagnostic)
    excusedFields.insert(field.name)
  }
}

extension LayerCheck {
  /// The names in other files that content may refer to.
  struct KnownNames: Sendable {
    let assets: Set<ExactString>
    /// The paths of the assets, in order.
    let assetList: [String]
    /// The folders at the top of `assets/`.
    let assetFolders: Set<ExactString>
    /// The folders whose files cannot be listed.
    private let unreadFolders: [String]
    let datatypes: Set<ExactString>
    /// The entries that references may lead to, in the order of their ids.
    var entries: [Entry] = []

    init(assets: [String], unreadFolders: [String], datatypes: [String]) {
      (assetList, self.assets) = (assets, Set(names: assets))
      self.unreadFolders = unreadFolders
      assetFolders = Set(
        names: assets.compactMap { path in
          path.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
        })
      self.datatypes = Set(names: datatypes)
    }

    /// Returns `true` if an unknown asset may be in a folder whose files cannot be listed.
    func mayHaveAsset(_ path: String) -> Bool {
      unreadFolders.contains { "assets/\(path)".hasBytePrefix("\($0)/") }
    }

    func hasEntry(_ id: String) -> Bool { firstEntry(notBefore: id) == id }

    /// The id of the first entry of a datatype.
    func firstEntry(of datatype: String) -> String? {
      firstEntry(notBefore: "\(datatype)/").flatMap { $0.hasPrefix("\(datatype)/") ? $0 : nil }
    }

    private func firstEntry(notBefore id: String) -> String? {
      var range = entries.indices
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        range =
          entries[middle].id.text.sortsBefore(id)
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return range.lowerBound < entries.endIndex ? entries[range.lowerBound].id.text : nil
    }
  }

  /// The position of a node, on which the check of its children depends.
  struct Place {
    /// A Boolean value that indicates whether the field, or one above it, is localized.
    var isLocalized: Bool
    /// The nodes at the same place in the source locale's files.
    ///
    /// A locale overlay may extend them.
    var sources: [YAMLNode]
    /// A Boolean value that indicates whether `when:` is allowed here.
    var isConditional: Bool

    /// Returns the place of a member's value.
    ///
    /// The place has sources only if the value is a collection of an overlay, and no field at or
    /// above it is localized.
    func below(_ key: YAMLNode, to value: YAMLNode, isLocalized: Bool, isOverlay: Bool) -> Place {
      var place = Place(
        isLocalized: self.isLocalized || isLocalized, sources: [], isConditional: false)
      guard isOverlay, !place.isLocalized, value.kind != .scalar else { return place }
      place.sources = key.withTextBytes { key in sources.compactMap { $0.member(key)?.value } }
      return place
    }

  }

  /// The items of a list in the source locale's files.
  ///
  /// An overlay's list may extend them.
  private struct SourceItems {
    /// The distinct ids, in order.
    private(set) var ids: [String] = []
    private var byID: [YAMLTextKey: [YAMLNode]] = [:]
    /// Suggestions of ids.
    var suggestions: Suggestions

    init(of lists: [YAMLNode]) {
      for item in lists.lazy.flatMap(\.items) {
        guard let id = item.itemIDNode else { continue }
        let key = id.textKey
        if byID[key] == nil { ids.append(id.text) }
        byID[key, default: []].append(item)
      }
      suggestions = Suggestions(searches: 20) { [ids] in $0.nearest(among: ids) }
    }

    subscript(id: YAMLNode) -> [YAMLNode] { byID[id.textKey] ?? [] }
  }
}

extension YAMLNode {
  /// The `id` of a list's item; `nil` if the item is not a mapping or has no `id`.
  package var itemID: ExactString? { itemIDNode.map { ExactString($0.text) } }

  /// The node of the `id`.
  package var itemIDNode: YAMLNode? {
    guard kind == .mapping, let id = self["id"], id.kind == .scalar, !id.isNull else { return nil }
    return id
  }

  /// `true` for a list that merges item by item: not empty, with an `id` in every item.
  package var hasIdentifiedItems: Bool {
    !items.isEmpty && items.allSatisfy { $0.itemIDNode != nil }
  }
}

/// The distinct ids of a list's items so far.
struct DistinctIDs {
  /// The ids while there are at most 16 of them, which are compared one by one.
  private var few: [YAMLNode] = []
  private var many: [[UInt8]: YAMLNode] = [:]

  /// Returns an earlier id with the same bytes; without one, adds the id and returns `nil`.
  mutating func first(likeOrAdding id: YAMLNode) -> YAMLNode? {
    if !many.isEmpty { return addToMany(id) }
    let same = id.withTextBytes { text in
      few.first { $0.withTextBytes { $0.hasSameBytes(as: text) } }
    }
    if same == nil { few.append(id) }
    if few.count > 16 { for node in few { _ = addToMany(node) } }
    return same
  }

  private mutating func addToMany(_ id: YAMLNode) -> YAMLNode? {
    let bytes = id.withTextBytes { Array($0) }
    if let first = many[bytes] { return first }
    many[bytes] = id
    return nil
  }
}

extension LayerCheck {
  /// Reports the problems of a Markdown text, and its missing assets.
  private mutating func checkMarkdown(
    _ text: MarkdownText, with problems: [MarkdownProblem], at node: YAMLNode, of field: Field
  ) {
    // The time to find the lines grows with the text, so problems and references share them.
    var lines: YAMLTextLines?
    for problem in problems {
      let known = lines ?? YAMLTextLines(node)
      lines = known
      let diagnostic = Diagnostic.markdown(
        problem, at: known.location(of: problem.place), in: node)
      if problem.isWarning {
        diagnostics.append(diagnostic)
      } else {
        report(diagnostic, excusing: field)
      }
    }
    for reference in text.references {
      guard case .asset(let path) = reference.target, !isUsable(path.text) else { continue }
      let known = lines ?? YAMLTextLines(node)
      lines = known
      checkAsset(path.text, at: known.location(of: reference.place), of: field)
    }
  }

  /// Returns `true` for an asset that exists and has a valid ending.
  private func isUsable(_ asset: String) -> Bool {
    names.assets.contains(asset) && Asset.fileExtension(of: asset) != nil
  }

  /// Reports an asset whose file name has no valid ending, and records a missing asset.
  private mutating func checkAsset(_ path: String, at location: SourceLocation, of field: Field) {
    if isUsable(path) { return }
    if names.assets.contains(path) {
      return report(.assetEnding(path, at: location), excusing: field)
    }
    missingAssets.append(MissingAsset(path: path, location: location))
    excusedFields.insert(field.name)
  }
}

/// An asset that content names and that `assets/` lacks.
struct MissingAsset: Sendable {
  let path: String
  let location: SourceLocation
}

extension LayerCheck.KnownNames {
  /// Returns the errors of missing assets, except for assets that may be in unreadable folders.
  ///
  /// Each search for a similar name compares every asset, so only the first missing assets get a
  /// suggestion. Entries are checked in parallel. This function runs after the check of all
  /// entries, so that the same assets get a suggestion in every run.
  func diagnostics(of missing: [MissingAsset]) -> [Diagnostic] {
    var suggestions = Suggestions { [assetList] in
      // A field names an asset without its scale.
      let path = AssetCollector.split($0).path
      return assetList.first { $0.hasSameBytes(as: path) } ?? path.nearestPath(among: assetList)
        ?? path.onlyNamesake(among: assetList)
    }
    return missing.filter { !mayHaveAsset($0.path) }.map { asset in
      let nearest = suggestions.nearest(to: asset.path)
      return Diagnostic.unknown(
        "asset", named: asset.path, rule: .unknownAsset, known: assetList, nearest: nearest,
        at: asset.location
      ).breaking(declaration(ofMissing: asset.path, nearest: nearest))
    }
  }
}

extension YAMLTextLines {
  /// Returns the location of a part of a Markdown text, or that of the whole scalar if the text's
  /// lines differ from the file's.
  func location(of place: MarkdownPlace) -> SourceLocation {
    location(ofLine: place.position.line, column: place.position.column, length: place.length)
  }

  /// Returns the place of a part of a Markdown text, as a value that does not keep the text.
  package func sourcePlace(of place: MarkdownPlace) -> SourcePlace {
    sourcePlace(
      ofLine: place.position.line, column: place.position.column, length: place.length)
  }
}

extension Diagnostic {
  /// The error or the warning for a part of a Markdown text that breaks a rule.
  fileprivate static func markdown(
    _ problem: MarkdownProblem, at location: SourceLocation, in node: YAMLNode
  ) -> Diagnostic {
    var diagnostic =
      problem.isWarning
      ? Diagnostic.warning(.unparsedMarkdown, at: location, message: problem.message)
      : Diagnostic.error(.markdown, at: location, message: problem.message)
    if location == node.location, problem.place.position.line > 1 {
      let position = problem.place.position
      diagnostic.notes.append(
        Diagnostic.Note(
          "this is in line \(position.line), column \(position.column) of the text; write the text after '|' for exact places"
        ))
    }
    return diagnostic
  }
}

// The check of plurals, whose categories depend on the locale of the layer.
extension LayerCheck {
  /// Checks the texts and the categories of a declared plural.
  mutating func checkPlural(_ node: YAMLNode, of field: Field) {
    let text = field.pluralText
    for (index, (key, value)) in node.members.enumerated() {
      guard PluralCategory(of: key) != nil else {
        refuseUnknownCategory(key, at: index, in: node, of: field)
        continue
      }
      if value.isNull || (value.kind == .scalar && FieldCheck.surelyFits(value, as: text)) {
        continue
      }
      checkValue(
        value, as: text.named(ExactString("\(field.name).\(key.text)")),
        at: Place(isLocalized: true, sources: [], isConditional: false))
      excusedFields.insert(field.name)
    }
    for problem in pluralCheck().problems(of: node, named: field.name.text) {
      if problem.severity == .error {
        report(problem, excusing: field)
      } else {
        diagnostics.append(problem)
      }
    }
  }

  private mutating func refuseUnknownCategory(
    _ key: YAMLNode, at index: Int, in node: YAMLNode, of field: Field
  ) {
    excusedFields.insert(field.name)
    let known = PluralCategory.allCases.map(\.rawValue)
    if let slip = cutText(at: index, in: node, known: known) {
      diagnostics += slip
    } else {
      let nearest = key.text.nearest(among: known.filter { node[$0] == nil })
      diagnostics.append(
        .unknownKey(key, in: "'\(field.name)'", known: known, nearest: nearest))
    }
  }

  /// The check of plurals for the locale of the layer.
  private mutating func pluralCheck() -> PluralCheck {
    let locale = scope.locale ?? conditions.locales.source
    if let plurals, plurals.locale == locale { return plurals }
    let check = PluralCheck(locale)
    plurals = check
    return check
  }
}
