import ContentModel
import Diagnostics
import Markdown
import YAML

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
  /// The last text that commas between brackets cut, so that its further parts are not judged again.
  var lastCut: CutText?
  /// The check of plurals for the locale of the last one; most content has none, and the rules of
  /// all languages take a while to read.
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

  /// Checks a layer; `sources` are the tops of the source locale's layers.
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

  mutating func checkValue(_ node: YAMLNode, as field: Field, at place: Place) {
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

  /// Checks a mapping of an `any` field: any key is valid, but property lists must have the values.
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
        // Overlays may use the id that the item lacks.
        report(
          .duplicate(
            "id", named: id.text, rule: .duplicateItem, at: id.location, first: first.location),
          excusing: field)
      }
    }
  }

  /// Excuses what a list with an unreadable `id` does not merge.
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
