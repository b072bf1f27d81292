import YAML

/// A text for each plural category of a language.
enum PluralType: FieldType {
  static let name = "plural"
  static let attributes: [FieldAttribute] = [.lengths, .placeholders]
  static let accepts = "a text for each [plural category](#plurals)"
  static let readersGet = "a dictionary, see [output](output.md#plurals)"
  static let example = "{one: A rose, other: \"{count} roses\"}"
  static let isText = true
  static let rule = "be a mapping of plural categories, such as \(example)"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? { .plural }
}
