import Diagnostics
import YAML

/// A mapping with declared fields.
enum ObjectType: FieldType {
  static let name = "object"
  static let attributes = [
    FieldAttribute(keys: ["fields": "{b: string}", "open": "true"], meaning: "as in a datatype")
  ]
  static let accepts = "a mapping with `fields`; without `fields`, anything"
  static let readersGet = "a dictionary"
  static let example = "{title: Roses, width: 320}"
  static let rule = "be a mapping"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    // An unreadable value counts as `true`, so that undeclared fields cause no further errors.
    let isOpen =
      definition.reader.optional("open", must: "be true or false", as: \.flag)
      ?? (definition.reader.optional("open") == nil ? nil : true)
    let fields = definition.reader.optional("fields").map(FieldReader.readAll)
    definition.reader.report(fields?.diagnostics ?? [])
    let place = definition.reader.optional("fields")?.location.firstLine ?? definition.key.location
    return .object(
      ObjectShape(
        fields: fields?.output ?? [], isOpen: isOpen ?? (fields?.isUnread ?? true), location: place)
    )
  }
}
