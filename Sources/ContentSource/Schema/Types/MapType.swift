import YAML

/// A mapping of any keys to values of one type.
enum MapType: FieldType {
  static let name = "map"
  static let namesElsewhere = ["dict", "dictionary"]
  static let attributes: [FieldAttribute] = [.itemDefinition]
  static let accepts = "a mapping with free keys; `of` is the values' definition"
  static let readersGet = "a dictionary"
  static let example = "{red: 3, white: 5}"
  static let rule = "be a mapping"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    .map(FieldReader.readItem(of: &definition))
  }
}
