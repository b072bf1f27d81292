import ContentModel
import Diagnostics
import YAML

/// The definition of a field while it is read.
package struct FieldDefinition {
  var reader: RecordReader
  /// The field's name.
  let key: YAMLNode
  var limits = Field.Limits()
}

/// The reader of definitions of fields.
enum FieldReader {
  /// Reads `fields`: names to definitions.
  static func readAll(_ node: YAMLNode) -> Diagnosed<[Field]> {
    guard node.kind == .mapping else {
      return Diagnosed(
        [],
        diagnostics: [.wrongType("'fields'", must: "map a name to its definition", at: node.place)])
    }
    var all = Diagnosed<[Field]>([])
    for (key, value) in node.members {
      if key.text == "when" {
        all.diagnostics.append(
          .wrongType(
            "a field's name", must: "not be 'when', which holds conditions", at: key.location))
        continue
      }
      if let slip = Diagnostic.joinedValue(of: key) {
        all.diagnostics.append(slip)
        continue
      }
      let field = read(value, name: key.text, at: key)
      all.output.append(field.output)
      all.diagnostics += field.diagnostics
    }
    return all
  }

  /// Reads one definition: a mapping with `type`, or a type's name alone.
  static func read(_ node: YAMLNode, name: String, at key: YAMLNode) -> Diagnosed<Field> {
    if let type = node.scalarText { return read(type, name: name, in: node, at: key) }
    var definition = FieldDefinition(
      reader: RecordReader(node, of: "field '\(name)'"), key: key)
    let type = definition.reader.required("type", must: "be a type's name", as: \.scalarText)
    // The keys may be fields of an object whose definition lacks a line.
    definition.reader.allowsOtherKeys = type == nil
    var kind: Field.Kind?
    if type != nil, let type = definition.reader.optional("type") {
      kind = readKind(type, of: &definition)
    }
    if definition.reader.problemCount == 0, let kind {
      for attribute in kind.type.attributes { attribute.read?(&definition) }
    } else {
      ignoreAttributes(&definition.reader)
    }
    // An unreadable value counts as `true`, so that texts in overlays are no second mistake.
    let isLocalized =
      definition.reader.optional("localized", must: "be true or false", as: \.flag)
      ?? (definition.reader.optional("localized") != nil)
    let isRequired =
      definition.reader.optional("required", must: "be true or false", as: \.flag) ?? false
    let description = definition.reader.optional(
      "description", must: "be a text", as: \.scalarText)
    let field = Field(
      // If the type cannot be read, parts of the value may be localized.
      name: ExactString(name), kind: kind ?? .any, isLocalized: isLocalized || kind == nil,
      isRequired: isRequired, defaultValue: definition.reader.optional("default"),
      limits: definition.limits, location: key.location,
      description: description == "" ? nil : description)
    return Diagnosed(field, diagnostics: definition.reader.finish())
  }

  /// Reads a definition that consists of a type's name.
  private static func read(
    _ type: String, name: String, in node: YAMLNode, at key: YAMLNode
  ) -> Diagnosed<Field> {
    var definition = FieldDefinition(
      reader: RecordReader(withoutKeys: node, of: "field '\(name)'"), key: key)
    var kind: Field.Kind?
    if let missing = Field.type(named: type)?.attributes.first(where: \.isRequired)?.keys.first {
      definition.reader.report(
        .error(
          .missingKey, at: node.location,
          message:
            "field '\(name)' must have the key '\(missing.key)'; write {type: \(type), \(missing.key): \(missing.value)}"
        ))
    } else {
      kind = readKind(node, of: &definition)
    }
    return Diagnosed(
      Field(
        name: ExactString(name), kind: kind ?? .any, limits: definition.limits,
        location: key.location),
      diagnostics: definition.reader.finish())
  }

  private static func readKind(
    _ type: YAMLNode, of definition: inout FieldDefinition
  ) -> Field.Kind? {
    if let known = Field.type(named: type.text) { return known.kind(of: &definition) }
    definition.reader.report(unknownType(type.text, at: type))
    return nil
  }

  /// Reads the definition of the items of a list or map.
  static func readItem(of definition: inout FieldDefinition) -> Field {
    let key = definition.key
    let item = definition.reader.optional("of").map { read($0, name: key.text, at: key) }
    definition.reader.report(item?.diagnostics ?? [])
    return item?.output ?? Field(name: ExactString(key.text), kind: .any, location: key.location)
  }

  /// Ignores the attributes of all types, so that an unknown type causes only one error.
  private static func ignoreAttributes(_ reader: inout RecordReader) {
    for attribute in Field.types.flatMap({ $0.attributes }) {
      for (key, _) in attribute.keys { _ = reader.optional(key) }
    }
  }

  private static func unknownType(_ type: String, at node: YAMLNode) -> Diagnostic {
    let word = type.lowercased()
    let known = Field.types.map { $0.name }
    guard let meant = Field.types.first(where: { $0.namesElsewhere.contains(word) }) else {
      return .unknown("type", named: type, rule: .unknownType, known: known, at: node.location)
    }
    return .unknown(
      "type", named: type, rule: .unknownType, known: known, nearest: meant.name,
      at: node.location)
  }
}

extension Diagnosed<[Field]> {
  /// A Boolean value that indicates whether errors left no fields.
  var isUnread: Bool { output.isEmpty && hasErrors }
}
