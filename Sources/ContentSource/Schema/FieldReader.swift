import ContentModel
import Diagnostics
import Markdown
import YAML

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
    if let type = node.scalarText {
      let kind = kind(ofTypeAlone: type, at: key)
      let field = Field(name: name, kind: kind ?? .any, location: key.location)
      if kind != nil { return Diagnosed(field) }
      return Diagnosed(
        field,
        diagnostics: [
          type == "choice" ? missingValues(of: name, at: node) : unknownType(type, at: node)
        ])
    }
    var reader = RecordReader(node, of: "field '\(name)'")
    let type = reader.required("type", must: "be a type's name", as: \.scalarText)
    // The keys may be fields of an object whose definition lacks a line.
    reader.allowsOtherKeys = type == nil
    var (kind, targets) = (Field.Kind.any, [YAMLNode]())
    if type != nil, let type = reader.optional("type") {
      (kind, targets) = readKind(type, from: &reader, at: key)
    }
    // Parts of a value of an unreadable type may be localized.
    let hasUnreadType = if case .any = kind { reader.problemCount > 0 } else { false }
    var limits = Field.Limits()
    if reader.problemCount == 0 {
      limits = readLimits(of: kind, &reader)
    } else {
      ignoreAttributes(&reader)
    }
    // An unreadable value counts as `true`, so that texts in overlays are no second mistake.
    let isLocalized =
      reader.optional("localized", must: "be true or false", as: \.flag)
      ?? (reader.optional("localized") != nil)
    let isRequired = reader.optional("required", must: "be true or false", as: \.flag) ?? false
    let description = reader.optional("description", must: "be a text", as: \.scalarText)
    let field = Field(
      name: name, kind: kind, isLocalized: isLocalized || hasUnreadType, isRequired: isRequired,
      defaultValue: reader.optional("default"), limits: limits, location: key.location,
      description: description == "" ? nil : description, targets: targets)
    return Diagnosed(field, diagnostics: reader.finish())
  }

  /// Ignores the attributes of all types: if the type is unknown, its attributes are no further
  /// error.
  private static func ignoreAttributes(_ reader: inout RecordReader) {
    for key in attributes { _ = reader.optional(key) }
  }

  /// The attributes that only some types have.
  static let attributes = [
    "of", "fields", "open", "values", "to", "min", "max", "minLength", "maxLength", "pattern",
    "page", "tables", "strikethrough", "placeholders",
  ]

  private static func readKind(
    _ type: YAMLNode, from reader: inout RecordReader, at key: YAMLNode
  ) -> (kind: Field.Kind, targets: [YAMLNode]) {
    guard type.text == "reference" else { return (kind(type, from: &reader, at: key), []) }
    let targets = reader.list("to", must: "be a datatype's name") {
      $0.scalarText == nil ? nil : $0
    }
    return (.reference(to: targets.map(\.text)), targets)
  }

  private static func kind(
    _ type: YAMLNode, from reader: inout RecordReader, at key: YAMLNode
  ) -> Field.Kind {
    switch type.text {
    case "choice":
      let before = reader.problemCount
      _ = reader.required("values")
      let values = reader.list("values", must: "be a text", as: \.scalarText)
      return reader.problemCount == before ? .choice(values) : .any
    case "object": return .object(readShape(from: &reader, at: key))
    case "list", "map":
      let item = reader.optional("of").map { read($0, name: key.text, at: key) }
      reader.report(item?.diagnostics ?? [])
      let field = item?.output ?? Field(name: key.text, kind: .any, location: key.location)
      return type.text == "list" ? .list(field) : .map(field)
    case "markdown": return .markdown(readMarkdownRules(&reader))
    default:
      if let kind = Field.Kind(simple: type.text) { return kind }
      reader.report(unknownType(type.text, at: type))
      return .any
    }
  }

  /// Returns the type that its name alone declares; `nil` for `choice`, and for unknown names.
  private static func kind(ofTypeAlone name: String, at key: YAMLNode) -> Field.Kind? {
    let item = Field(name: key.text, kind: .any, location: key.location)
    return switch name {
    case "list": .list(item)
    case "map": .map(item)
    default: Field.Kind(simple: name)
    }
  }

  private static func readShape(from reader: inout RecordReader, at key: YAMLNode) -> ObjectShape {
    // An unreadable value counts as `true`, so that undeclared fields are no further mistakes.
    let isOpen =
      reader.optional("open", must: "be true or false", as: \.flag)
      ?? (reader.optional("open") == nil ? nil : true)
    let fields = reader.optional("fields").map(readAll)
    reader.report(fields?.diagnostics ?? [])
    let place = reader.optional("fields")?.location.firstLine ?? key.location
    return ObjectShape(
      fields: fields?.output ?? [], isOpen: isOpen ?? (fields?.isUnread ?? true), location: place)
  }

  private static func readMarkdownRules(_ reader: inout RecordReader) -> Field.MarkdownRules {
    func flag(_ key: String) -> Bool {
      reader.optional(key, must: "be true or false", as: \.flag) ?? false
    }
    var rules = Field.MarkdownRules()
    rules.options.tables = flag("tables")
    rules.options.strikethrough = flag("strikethrough")
    rules.hasPage = flag("page")
    return rules
  }

  private static func readLimits(of kind: Field.Kind, _ reader: inout RecordReader) -> Field.Limits
  {
    var limits = Field.Limits()
    switch kind {
    case .integer, .number:
      limits.minimum = reader.optional("min", must: "be a number", as: \.double)
      limits.maximum = reader.optional("max", must: "be a number", as: \.double)
    case .string, .text, .url:
      readLengths(&reader, into: &limits)
      limits.pattern = readPattern(&reader)
    case .markdown, .plural: readLengths(&reader, into: &limits)
    default: break
    }
    switch kind {
    case .string, .text, .markdown, .plural:
      limits.allowsOtherPlaceholders = reader.optionalIsOff("placeholders") ?? false
    default: break
    }
    checkOrder(of: &limits, &reader)
    return limits
  }

  private static func readLengths(
    _ reader: inout RecordReader, into limits: inout Field.Limits
  ) {
    let rule = "be a count of Unicode scalars, 0 or more"
    limits.minimumLength = reader.optional("minLength", must: rule, as: \.count)
    limits.maximumLength = reader.optional("maxLength", must: rule, as: \.count)
  }

  private static func readPattern(_ reader: inout RecordReader) -> Pattern? {
    let node = reader.optional("pattern", must: "be a regular expression") {
      $0.scalarText == nil ? nil : $0
    }
    guard let node else { return nil }
    do throws(PatternError) { return try Pattern(node.text) } catch {
      reader.report(
        .wrongType("'pattern'", must: error.rule, at: node.location(ofUnicodeScalars: error.place)))
      return nil
    }
  }

  /// Reports and removes contradictory limits, which would reject every value.
  private static func checkOrder(of limits: inout Field.Limits, _ reader: inout RecordReader) {
    if let minimum = limits.minimum, let maximum = limits.maximum, maximum < minimum {
      reader.report(
        .wrongType(
          "'max'", must: "be at least 'min'", at: (reader.node["max"] ?? reader.node).place))
      (limits.minimum, limits.maximum) = (nil, nil)
    }
    if let least = limits.minimumLength, let most = limits.maximumLength, most < least {
      let place = (reader.node["maxLength"] ?? reader.node).place
      reader.report(.wrongType("'maxLength'", must: "be at least 'minLength'", at: place))
      (limits.minimumLength, limits.maximumLength) = (nil, nil)
    }
  }

  private static func missingValues(of name: String, at node: YAMLNode) -> Diagnostic {
    .error(
      .missingKey, at: node.location,
      message: "field '\(name)' must have the key 'values'; write {type: choice, values: [a, b]}")
  }

  private static func unknownType(_ type: String, at node: YAMLNode) -> Diagnostic {
    let meant = namesElsewhere[ExactString(type.lowercased())]
    guard let meant else {
      return .unknown(
        "type", named: type, rule: .unknownType, known: Field.Kind.names, at: node.location)
    }
    return .unknown(
      "type", named: type, rule: .unknownType, known: Field.Kind.names, nearest: meant,
      at: node.location)
  }

  /// The types by their names in programming languages and other content systems.
  private static let namesElsewhere: [ExactString: String] = Dictionary(
    firstOf: [
      ("str", "string"), ("int", "integer"), ("long", "integer"), ("float", "number"),
      ("double", "number"), ("decimal", "number"), ("bool", "boolean"), ("datetime", "date"),
      ("time", "date"), ("timestamp", "date"), ("instant", "date"), ("array", "list"),
      ("dict", "map"), ("dictionary", "map"), ("image", "asset"), ("file", "asset"),
      ("picture", "asset"), ("ref", "reference"), ("richtext", "markdown"), ("uri", "url"),
      ("colour", "color"), ("bytes", "data"), ("location", "place"), ("json", "any"),
    ])
}

extension Diagnosed<[Field]> {
  /// A Boolean value that indicates whether errors left no fields.
  var isUnread: Bool { output.isEmpty && hasErrors }
}

extension YAMLNode {
  /// A finite number of the core schema, with or without a fraction.
  var double: Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }

  /// An integer of the core schema that is not negative.
  var count: Int? {
    if case .integer(let number) = scalar, number >= 0 { Int(number) } else { nil }
  }
}
