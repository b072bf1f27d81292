import ContentModel
import YAML

/// The id of an entry.
enum ReferenceType: ScalarType {
  static let name = "reference"
  static let namesElsewhere = ["ref"]
  static let attributes = [
    FieldAttribute(keys: ["to": "product"], meaning: "a datatype or a list of them")
  ]
  static let accepts = "an entry's id; with `to`, of these datatypes"
  static let readersGet = "a string"
  static let example = "product/rose"
  static let isReference = true

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    definition.limits.targets = definition.reader.list("to", must: "be a datatype's name") { node in
      node.scalarText.map { Field.Target(datatype: $0, location: node.location) }
    }
    return .scalar(Self.self)
  }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    guard let id = EntryID(node.text) else {
      throw node.misfit(field, must: "be an entry's id such as product/country-charm")
    }
    return .link(id)
  }
}
