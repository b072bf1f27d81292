import YAML

/// The texts of a string catalog as written, in mappings and lists of any depth.
///
/// Only string catalogs use this type; a datatype cannot.
enum CatalogType: FieldType {
  static let name = "catalog"
  static let accepts = "texts, in mappings and lists"
  static let readersGet = "the same"
  static let example = "{hello: Hello}"
  static let isText = true

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? { .catalog }
}
