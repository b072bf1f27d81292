import ContentModel
import Diagnostics

/// Every layer of every entry against its schema.
struct EntryChecker: Sendable {
  private let conditions: ConditionReader
  private let names: LayerCheck.KnownNames
  /// Whether some bundle is written as XML, which cannot carry every character.
  private let writesXML: Bool
  /// Rules that cannot be judged, since `content.yaml` could not be read as a whole.
  private let unjudged: [String]

  init(project: Project, datatypes: [Datatype], assets: [String]) {
    conditions = ConditionReader(locales: project.locales, devices: project.devices)
    writesXML = project.format == .xml || project.bundles.contains { $0.format == .xml }
    names = LayerCheck.KnownNames(
      assets: Set(assets), assetList: assets, datatypes: Set(datatypes.map(\.name)))
    unjudged =
      (project.mayLackLocales ? ["unknown-locale", "unmet-condition"] : [])
      + (project.mayLackDevices ? ["unknown-device", "unmet-condition"] : [])
  }

  /// The entries, with what later stages need to know of their conditions and mistakes.
  func check(_ entries: [Entry]) -> Diagnosed<[Entry]> {
    let datatypes = Dictionary(entries.map { ($0.datatype.name, $0.datatype) }) { first, _ in first }
    let defaults = datatypes.mapValues { checkDefaults(of: $0).contextConditions }
    let checked = entries.chunks(of: 32).concurrentValues { chunk in
      var result = Diagnosed<[Entry]>([])
      result.output.reserveCapacity(chunk.count)
      for entry in chunk { check(entry, defaults[entry.datatype.name] ?? [], &result) }
      return result
    }
    return Diagnosed(checked.flatMap(\.output), checked.flatMap(\.diagnostics))
  }

  private func check(_ entry: Entry, _ defaults: [Condition], _ result: inout Diagnosed<[Entry]>) {
    var entry = entry
    entry.contextConditions = defaults
    let sources = entry.layers.filter { $0.locale == nil }.map(\.node)
    // What is missing from the source locale's files because of a mistake is none of the overlays'.
    for isSource in [true, false] {
      for layer in entry.layers where (layer.locale == nil) == isSource {
        let conditions = conditions.consulted(inLocale: layer.locale, onDevice: layer.device)
        var check = LayerCheck(
          locale: layer.locale, conditions: conditions, names: names, excusedFields: entry.excusedFields)
        check.check(layer.node, as: entry.datatype, sources: sources)
        result.diagnostics += check.diagnostics.filter { !unjudged.contains($0.id) }
        if writesXML { result.diagnostics += layer.node.forbiddenInXML(of: entry.id.text) }
        entry.contextConditions += check.contextConditions
        entry.excusedFields = check.excusedFields
      }
    }
    result.output.append(entry)
  }

  /// The datatypes that references may lead to, and the defaults of fields.
  func check(_ datatypes: [Datatype]) -> [Diagnostic] {
    let names = datatypes.map(\.name)
    return datatypes.flatMap { datatype in
      datatype.shape.allFields.flatMap { unknownTargets($0, names) }
        + checkDefaults(of: datatype).diagnostics.filter { !unjudged.contains($0.id) }
    }
  }

  private func unknownTargets(_ field: Field, _ names: [String]) -> [Diagnostic] {
    guard case .reference(let targets) = field.kind else { return [] }
    return field.targets.filter { targets.contains($0.text) && !names.contains($0.text) }.map {
      .unknown("datatype", $0.text, id: "unknown-datatype", known: names, at: $0.location)
    }
  }

  private func checkDefaults(of datatype: Datatype) -> LayerCheck {
    var check = LayerCheck(locale: nil, conditions: conditions, names: names, excusedFields: [])
    for field in datatype.shape.allFields { check.checkDefault(of: field) }
    return check
  }
}

extension ObjectShape {
  /// Every field, and every field inside it.
  fileprivate var allFields: [Field] { fields.flatMap(\.withInner) }
}

extension Field {
  fileprivate var withInner: [Field] {
    switch kind {
    case .object(let shape): [self] + shape.allFields
    case .list(let item), .map(let item): [self] + item.withInner
    default: [self]
    }
  }
}
