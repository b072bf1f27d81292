import ContentModel
package import Diagnostics
package import YAML

extension Datatype {
  /// The names of datatypes that contentc defines.
  static let reservedNames = ["strings", "maintenance"]

  /// Reads the root node of `datatypes/<name>.yaml`.
  package static func read(_ root: YAMLNode, name: String) -> Diagnosed<Datatype> {
    var reader = RecordReader(root, of: "datatype '\(name)'")
    let isOpen = reader.optional("open", must: "be true or false", as: \.flag) ?? false
    let fields = reader.optional("fields").map(FieldReader.readAll)
    reader.report(fields?.diagnostics ?? [])
    let shape = ObjectShape(
      fields: fields?.output ?? [], isOpen: isOpen || (fields?.isUnread ?? true),
      location: reader.optional("fields")?.location.firstLine)
    if fields == nil, !isOpen, root.kind == .mapping {
      reader.allowsOtherKeys = true
      reader.refuseMissing(
        ["fields", "open"], message: "a datatype must have the key 'fields', or 'open: true'")
    }
    let projections = reader.optional("projections").map {
      readProjections($0, of: shape, in: name)
    }
    reader.report(projections?.diagnostics ?? [])
    let ttl = reader.optional("ttl", must: TimeSpan.positiveRule, as: TimeSpan.init(positive:))
    let isFlow = reader.optional("flow", must: "be true or false", as: \.flag) ?? false
    let diagnostics = reader.finish()
    // A line at a wrong place hides fields, so content cannot be checked against the rest.
    if diagnostics.contains(where: { $0.rule.traits.contains(.mayHideFields) }) {
      return Diagnosed(
        .unread(name, at: root.location.firstLine),
        diagnostics: diagnostics.filter { $0.rule != .unknownField })
    }
    return Diagnosed(
      Datatype(
        name: name, shape: shape, ttl: ttl, projections: projections?.output ?? [], isFlow: isFlow,
        location: root.location.firstLine, isPartial: !diagnostics.isEmpty),
      diagnostics: diagnostics)
  }

  private static func readProjections(_ node: YAMLNode, of shape: ObjectShape, in name: String)
    -> Diagnosed<
      [Projection]
    >
  {
    guard node.kind == .mapping else {
      return Diagnosed(
        [],
        diagnostics: [
          .wrongType("'projections'", must: "map a name to a list of fields", at: node.place)
        ])
    }
    var all = Diagnosed<[Projection]>([])
    for (key, value) in node.members {
      guard value.kind == .sequence else {
        all.diagnostics.append(
          .wrongType("projection '\(key.text)'", must: "be a list of fields", at: value.place))
        continue
      }
      for item in value.items {
        guard let field = item.scalarText else {
          all.diagnostics.append(
            .wrongType("an item of '\(key.text)'", must: "be a field's name", at: item.place))
          continue
        }
        guard shape.field(ExactString(field)) == nil else { continue }
        let known = shape.fields.map(\.name.text)
        all.diagnostics.append(
          .unknown(
            "field", named: field, rule: .unknownField, in: "'\(name)'", known: known,
            at: item.location, declaredAt: shape.location
          ).breaking(
            shape.declaration(
              without: field, nearest: field.nearest(among: known), of: "'\(name)'")))
      }
      all.output.append(
        Projection(
          name: ExactString(key.text), fields: value.items.map { ExactString($0.text) }))
    }
    return all
  }
}
