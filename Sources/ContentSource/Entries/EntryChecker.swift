import ContentModel
import Diagnostics

/// Every layer of every entry against its schema.
struct EntryChecker {
  private let conditions: ConditionReader
  private let assets: Set<String>
  private let assetNames: [String]

  init(project: Project, assets: [String]) {
    conditions = ConditionReader(locales: project.locales, devices: project.devices)
    (self.assets, assetNames) = (Set(assets), assets)
  }

  /// The entries, with what later stages need to know of their conditions and mistakes.
  func check(_ entries: [Entry]) -> Diagnosed<[Entry]> {
    var result = Diagnosed<[Entry]>([])
    result.output.reserveCapacity(entries.count)
    for var entry in entries {
      let sources = entry.layers.filter { $0.locale == nil }.map(\.node)
      for layer in entry.layers {
        var check = LayerCheck(locale: layer.locale, conditions: conditions, assets: assets, assetNames: assetNames)
        check.check(layer.node, as: entry.datatype, sources: sources)
        result.diagnostics += check.diagnostics
        entry.contextConditions += check.contextConditions
        entry.excusedFields.formUnion(check.excusedFields)
      }
      result.output.append(entry)
    }
    return result
  }

  /// The datatypes that references may lead to.
  func check(_ datatypes: [Datatype]) -> [Diagnostic] {
    let names = datatypes.map(\.name)
    return datatypes.flatMap { datatype in datatype.shape.fields.flatMap { check($0, names) } }
  }

  private func check(_ field: Field, _ names: [String]) -> [Diagnostic] {
    switch field.kind {
    case .reference(let targets):
      targets.filter { !names.contains($0) }.compactMap { target in
        field.location.map {
          .unknown("datatype", target, id: "unknown-datatype", in: "'to' of '\(field.name)'", known: names, at: $0)
        }
      }
    case .object(let shape): shape.fields.flatMap { check($0, names) }
    case .list(let item), .map(let item): check(item, names)
    default: []
    }
  }
}
