import SourceYAML
import Diagnostics

/// Reads a mapping with known keys, and collects its errors, unknown keys among them.
struct RecordReader {
  let node: YAMLNode
  /// The name of the mapping in messages, such as `'ttl'`.
  let name: String
  private(set) var diagnostics: [Diagnostic] = []
  private var known: [String] = []
  private var missing: [(keys: [String], diagnostic: Diagnostic)] = []

  /// The number of problems so far.
  var problemCount: Int { diagnostics.count + missing.count }

  /// A reader of a mapping; another kind of node is reported and reads as empty.
  init(_ node: YAMLNode, of name: String) {
    (self.node, self.name) = (node, name)
    if node.kind != .mapping {
      diagnostics.append(.notAMapping(name, at: node))
    }
  }

  /// The value under a key; `nil` where it is missing or null.
  mutating func optional(_ key: String) -> YAMLNode? {
    if !known.contains(key) { known.append(key) }
    guard node.kind == .mapping, let value = node[key], !value.isNull else { return nil }
    return value
  }

  /// The value under a key that must be there.
  mutating func required(_ key: String) -> YAMLNode? {
    if let value = optional(key) { return value }
    refuseMissing([key], message: "\(name) must have the key '\(key)'")
    return nil
  }

  /// Reports that none of some keys is there, unless one of them is misspelt or could not be read.
  mutating func refuseMissing(_ keys: [String], message: String) {
    guard node.kind == .mapping, !keys.contains(where: { node[$0]?.isBrokenAlias ?? false }) else {
      return
    }
    missing.append(
      (keys, Diagnostic(.error, id: "missing-key", at: node.location.firstLine, message: message)))
  }

  /// The value under a key as something else; where that cannot be made of it, the rule is
  /// reported.
  mutating func optional<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    guard let value = optional(key) else { return nil }
    return self.convert(value, named: "'\(key)'", must: rule, as: convert)
  }

  /// The value under a key that must be there, as something else.
  mutating func required<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    guard let value = required(key) else { return nil }
    return self.convert(value, named: "'\(key)'", must: rule, as: convert)
  }

  /// Converts each item of a list, or the single value in place of a list.
  mutating func list<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> [Result] {
    guard let value = optional(key) else { return [] }
    let items = value.kind == .sequence ? Array(value.items) : [value]
    return items.compactMap { self.convert($0, named: "'\(key)'", must: rule, as: convert) }
  }

  private mutating func convert<Result>(
    _ value: YAMLNode, named name: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    if let result = convert(value) { return result }
    diagnostics.append(.wrongType(name, must: rule, at: value.place))
    return nil
  }

  /// Adds what another reader or rule found.
  mutating func report(_ more: Diagnostic...) { diagnostics += more }
  /// Adds what another reader found.
  mutating func report(_ more: [Diagnostic]) { diagnostics += more }

  /// Returns all diagnostics, with one for each key that was not read.
  mutating func finish() -> [Diagnostic] {
    guard node.kind == .mapping else { return diagnostics }
    let free = known.filter { node[$0] == nil }
    let unknown = node.members.map(\.key).filter { !known.contains($0.text) }
    let meant = unknown.compactMap { $0.text.nearest(among: free) }
    diagnostics += missing.filter { !$0.keys.contains(where: meant.contains) }.map(\.diagnostic)
    diagnostics += unknown.map { .unknownKey($0, in: name, known: known, free: free) }
    missing = []
    return diagnostics
  }
}

extension YAMLNode {
  /// The text of a scalar, whatever its style; `nil` for collections and null.
  var scalarText: String? { kind == .scalar && !isNull ? text : nil }

  /// The place for messages about the whole node: the text of a scalar, or the first line of a
  /// collection.
  var place: SourceLocation { kind == .scalar ? location : location.firstLine }

  /// A boolean of the core schema.
  var flag: Bool? {
    if case .boolean(let flag) = scalar { flag } else { nil }
  }

  /// The boolean that a YAML 1.1 word means, as YAML 1.2 spells it.
  var meantFlag: String? {
    switch text.lowercased() {
    case "yes", "on", "y": "true"
    case "no", "off", "n": "false"
    default: nil
    }
  }
}
