import ContentModel
import Diagnostics
import System
import YAML

/// The check of entries against their schemas.
struct EntryChecker: Sendable {
  private var conditions: ConditionReader
  private let names: LayerCheck.KnownNames
  /// The names of the datatypes, in the order of their files.
  private let datatypeNames: [String]
  /// A Boolean value that indicates whether a bundle is written as XML, which cannot carry every
  /// character.
  private let writesXML: Bool
  /// The traits of rules that cannot be checked, since `content.yaml` has errors.
  private let unjudged: Rule.Traits
  private let project: Project
  /// The beginning of the paths of the folder's files in messages.
  private let root: String

  /// A check against the names of existing datatypes and assets.
  ///
  /// `unreadFolders` may have further assets, because their files cannot be listed.
  init(
    project: Project, datatypes: [String], assets: [String], unreadFolders: [String],
    in folder: ContentFolder
  ) {
    (self.project, root) = (project, folder.shownPath(""))
    conditions = ConditionReader(locales: project.locales, devices: project.devices)
    conditions.places = project.places
    conditions.unreadableLocales = project.unreadableLocales
    writesXML = project.format == .xml || project.bundles.contains { $0.format == .xml }
    names = LayerCheck.KnownNames(
      assets: assets, unreadFolders: unreadFolders, datatypes: datatypes)
    datatypeNames = datatypes
    var unjudged: Rule.Traits = []
    if project.mayLackLocales { unjudged.insert(.needsLocales) }
    if project.mayLackDevices { unjudged.insert(.needsDevices) }
    self.unjudged = unjudged
  }

  /// Checks entries, and returns them with the facts that later stages need of their conditions and
  /// mistakes.
  ///
  /// Entries with `unread` ids may lack files of the source locale.
  func check(_ entries: [Entry], unread: UnreadIDs) -> Diagnosed<[Entry]> {
    let datatypes = Dictionary(firstOf: entries.map { ($0.datatype.name, $0.datatype) })
    let defaults = datatypes.mapValues { checkDefaults(of: $0).contextConditions }
    var names = names
    names.entries = entries
    let checked = entries.chunks(of: 32).concurrentValues { [names] chunk in
      var check = LayerCheck(conditions: conditions, names: names, excusedFields: [])
      var result = Diagnosed<(entries: [Entry], missingAssets: [MissingAsset])>(([], []))
      result.output.entries.reserveCapacity(chunk.count)
      for var entry in chunk {
        entry.layers = entry.layers.withoutRoomToGrow
        entry.contextConditions = defaults[entry.datatype.name] ?? []
        let isPartial = unread.contains(entry.id.text)
        result.diagnostics += self.check(&entry, isPartial: isPartial, by: &check)
        result.output.entries.append(entry)
      }
      result.output.missingAssets = check.missingAssets
      return result
    }
    return Diagnosed(
      checked.flatMap(\.output.entries),
      diagnostics: checked.flatMap(\.diagnostics)
        + names.diagnostics(of: checked.flatMap(\.output.missingAssets)))
  }

  /// Checks an entry; of a partial one, not what its translations have and its source texts lack.
  private func check(
    _ entry: inout Entry, isPartial: Bool, by check: inout LayerCheck
  ) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let sources = entry.layers.filter { $0.scope.locale == nil }.map(\.node)
    check.begin(entry)
    // Overlays are checked last, so that an error in the source locale's files explains their keys.
    for isOverlay in [false, true] {
      for layer in entry.layers where (layer.scope.locale != nil) == isOverlay {
        check.check(layer, as: entry.datatype, sources: sources)
        diagnostics += check.takeDiagnostics().filter { unjudged.isDisjoint(with: $0.rule.traits) }
        if writesXML { diagnostics += layer.node.forbiddenInXML(of: entry.id.text) }
      }
    }
    if entry.datatype.shape.isCatalog {
      let catalog = CatalogCheck.check(
        entry, source: project.locales.source, allowsOtherPlaceholders: allowsOtherPlaceholders)
      diagnostics += catalog.diagnostics
      entry.catalogKinds = catalog.output
    } else {
      diagnostics += translationProblems(of: entry, sources: sources)
    }
    (entry.contextConditions, entry.excusedFields) = (check.contextConditions, check.excusedFields)
    if isPartial { diagnostics.removeAll { $0.rule.traits.contains(.needsSourceTexts) } }
    entry.hasUnreadConditions = check.hasUnreadConditions
    entry.refusedLinks = check.refusedLinks
    return diagnostics
  }

  /// Returns the problems of an entry's texts beside those of the source locale.
  private func translationProblems(of entry: Entry, sources: [YAMLNode]) -> [Diagnostic] {
    // Most files have no placeholder.
    guard entry.layers.contains(where: \.node.isInFileWithPlaceholders) else { return [] }
    var check = TranslationCheck(of: entry)
    for layer in entry.layers where layer.locale != nil && !allowsOtherPlaceholders(in: layer) {
      check.check(layer.node, of: entry.datatype.shape, sources: sources)
    }
    return check.diagnostics
  }

  private func allowsOtherPlaceholders(in layer: Layer) -> Bool {
    layer.path.hasPrefix(root)
      && project.allowsOtherPlaceholders(in: layer.path.text.dropping(root))
  }

  /// Checks the datatypes of references, and the defaults of fields.
  func check(_ datatypes: [Datatype]) -> [Diagnostic] {
    datatypes.flatMap { datatype in
      datatype.shape.allFields.flatMap { unknownTargets(of: $0, names: datatypeNames) }
        + defaultProblems(of: datatype).filter { unjudged.isDisjoint(with: $0.rule.traits) }
    }
  }

  private func unknownTargets(of field: Field, names: [String]) -> [Diagnostic] {
    field.limits.targets.filter { !names.contains($0.datatype) }.map { target in
      .unknown(
        "datatype", named: target.datatype, rule: .unknownDatatype, known: names,
        at: target.location
      ).breaking(.missing(datatype: target.datatype, among: names))
    }
  }

  private func defaultProblems(of datatype: Datatype) -> [Diagnostic] {
    let check = checkDefaults(of: datatype)
    return check.diagnostics + names.diagnostics(of: check.missingAssets)
  }

  private func checkDefaults(of datatype: Datatype) -> LayerCheck {
    var check = LayerCheck(conditions: conditions, names: names, excusedFields: [])
    for field in datatype.shape.allFields { check.checkDefault(of: field) }
    return check
  }
}

extension [Layer] {
  /// The layers in an array of exact size, since there are many entries with few layers.
  fileprivate var withoutRoomToGrow: [Layer] {
    guard capacity > count else { return self }
    return Array(unsafeUninitializedCapacity: count) { buffer, filled in
      filled = buffer.initialize(fromContentsOf: self)
    }
  }
}

extension ObjectShape {
  /// All fields, with the fields inside them.
  fileprivate var allFields: [Field] { fields.flatMap(\.withInner) }
}
