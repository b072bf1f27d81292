import Diagnostics

/// Reads a mapping whose keys are known beforehand; collects what is wrong with it, unknown keys included.
struct RecordReader {
  let node: YAMLNode
  /// What the mapping is called in messages, such as `'ttl'`.
  let name: String
  private(set) var diagnostics: [Diagnostic] = []
  private var known: [String] = []

  /// A reader of a mapping; another kind of node is reported and reads as empty.
  init(_ node: YAMLNode, of name: String) {
    (self.node, self.name) = (node, name)
    if node.kind != .mapping {
      diagnostics.append(.wrongType(name, must: "be a mapping", at: node.location))
    }
  }

  /// The value under a key; `nil` where it is missing or null.
  mutating func optional(_ key: String) -> YAMLNode? {
    known.append(key)
    guard node.kind == .mapping, let value = node[key], !value.isNull else { return nil }
    return value
  }

  /// The value under a key that must be there.
  mutating func required(_ key: String) -> YAMLNode? {
    if let value = optional(key) { return value }
    if node.kind == .mapping {
      diagnostics.append(
        Diagnostic(.error, "missing-key", at: node.location.firstLine, "\(name) must have the key '\(key)'"))
    }
    return nil
  }

  /// The value under a key as something else; where that cannot be made of it, the rule is reported.
  mutating func optional<Result>(_ key: String, must rule: String, _ convert: (YAMLNode) -> Result?) -> Result? {
    guard let value = optional(key) else { return nil }
    return self.convert(value, "'\(key)'", must: rule, convert)
  }

  /// The value under a key that must be there, as something else.
  mutating func required<Result>(_ key: String, must rule: String, _ convert: (YAMLNode) -> Result?) -> Result? {
    guard let value = required(key) else { return nil }
    return self.convert(value, "'\(key)'", must: rule, convert)
  }

  /// Each of a list's items, or the one value that stands in place of a list, as something else.
  mutating func list<Result>(_ key: String, must rule: String, _ convert: (YAMLNode) -> Result?) -> [Result] {
    guard let value = optional(key) else { return [] }
    let items = value.kind == .sequence ? Array(value.items) : [value]
    return items.compactMap { self.convert($0, "'\(key)'", must: rule, convert) }
  }

  private mutating func convert<Result>(
    _ value: YAMLNode, _ name: String, must rule: String, _ convert: (YAMLNode) -> Result?
  ) -> Result? {
    if let result = convert(value) { return result }
    diagnostics.append(.wrongType(name, must: rule, at: value.location))
    return nil
  }

  /// Adds what another reader or rule found.
  mutating func report(_ more: Diagnostic...) { diagnostics += more }
  /// Adds what another reader found.
  mutating func report(_ more: [Diagnostic]) { diagnostics += more }

  /// All that was wrong, with every key that nobody asked for.
  mutating func finish() -> [Diagnostic] {
    guard node.kind == .mapping else { return diagnostics }
    for (key, _) in node.members where !known.contains(where: { $0 == key.text }) {
      diagnostics.append(.unknownKey(key, in: name, known: known))
    }
    return diagnostics
  }
}

extension YAMLNode {
  /// The text of a scalar, whatever its style; `nil` for collections and null.
  var scalarText: String? { kind == .scalar && !isNull ? text : nil }

  /// A boolean of the core schema.
  var flag: Bool? {
    if case .boolean(let flag) = scalar { flag } else { nil }
  }
}
