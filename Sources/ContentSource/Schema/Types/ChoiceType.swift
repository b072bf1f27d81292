import ContentModel
import Diagnostics
import YAML

/// One of the texts that the field lists.
enum ChoiceType: ScalarType {
  static let name = "choice"
  static let attributes = [
    FieldAttribute(keys: ["values": "[a, b]"], meaning: "required there", isRequired: true)
  ]
  static let accepts = "one of `values`"
  static let readersGet = "a string"
  static let example = "a"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    let before = definition.reader.problemCount
    _ = definition.reader.required("values")
    definition.limits.choices = definition.reader.list(
      "values", must: "be a text", as: \.scalarText)
    return definition.reader.problemCount == before ? .scalar(Self.self) : nil
  }

  static func form(within limits: Field.Limits) -> ScalarForm { .choice }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    let values = field.limits.choices
    if values.contains(where: { $0.hasSameBytes(as: node.text) }) {
      return .value(.string(node.text))
    }
    let nearest = node.text.nearest(among: values)
    throw node.misfit(
      field,
      must: "be one of \(values.joined(separator: ", "))"
        + (nearest.map { "; did you mean '\($0)'?" } ?? ""),
      fix: nearest, rule: .notAChoice)
  }
}
