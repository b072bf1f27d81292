import YAML

/// A list of values of one type.
enum ListType: FieldType {
  static let name = "list"
  static let namesElsewhere = ["array"]
  static let attributes: [FieldAttribute] = [.itemDefinition]
  static let accepts = "a list; `of` is the items' definition, else `any`"
  static let readersGet = "an array"
  static let example = "[1, 2]"
  static let rule = "be a list"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    .list(FieldReader.readItem(of: &definition))
  }
}
