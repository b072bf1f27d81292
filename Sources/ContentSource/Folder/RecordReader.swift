import ContentModel
package import Diagnostics
package import YAML

/// The reader of a mapping with known keys, which collects errors and unknown keys.
package struct RecordReader {
  let node: YAMLNode
  /// The name of the mapping in messages, such as `'ttl'`.
  let name: String
  /// The problems so far; a key is `nil` if the problem may concern any of them.
  private var problems: [(key: String?, diagnostic: Diagnostic)] = []
  private var known: [String] = []
  /// `true` if unknown keys are reported only if they are misspelt, since another error explains
  /// the others.
  var allowsOtherKeys = false
  /// Other words for keys, which people know from other programs.
  var synonyms: [ExactString: String] = [:]
  private var missing: [(keys: [String], diagnostic: Diagnostic)] = []

  /// The number of problems so far.
  var problemCount: Int { problems.count + missing.count }

  /// `true` if a value has a mistake; unknown keys are not known before `finish`.
  var hasErrors: Bool { problems.contains { $0.diagnostic.severity == .error } }

  /// A reader of a mapping; another kind of node is reported and reads as empty.
  package init(_ node: YAMLNode, of name: String) {
    (self.node, self.name) = (node, name)
    if node.kind != .mapping {
      problems.append((nil, .notAMapping(name, at: node)))
    }
  }

  /// Creates a reader of a single value that stands in for a mapping.
  ///
  /// The reader treats the value as an empty mapping.
  init(withoutKeys node: YAMLNode, of name: String) { (self.node, self.name) = (node, name) }

  /// Returns the value of a key; `nil` if it is missing or null.
  package mutating func optional(_ key: String) -> YAMLNode? {
    if !known.contains(key) { known.append(key) }
    guard node.kind == .mapping, let value = node[key], !value.isNull else { return nil }
    return value
  }

  /// Returns the value of a required key; reports a missing one.
  package mutating func required(_ key: String) -> YAMLNode? {
    if let value = optional(key) { return value }
    refuseMissing([key], message: "\(name) must have the key '\(key)'")
    return nil
  }

  /// Reports that all of some keys are missing, unless one of them is misspelt or unreadable.
  mutating func refuseMissing(_ keys: [String], message: String) {
    guard node.kind == .mapping, !keys.contains(where: { node[$0]?.isBrokenAlias ?? false }) else {
      return
    }
    // At a lost value, `YAMLMistakes` reports the comment instead.
    let lost = keys.compactMap { node[$0] }.first(where: \.isLostValue)
    let place = lost?.location ?? node.location.firstLine
    missing.append((keys, .error(.missingKey, at: place, message: message)))
  }

  /// Converts the value of a key; reports the rule if the conversion fails.
  package mutating func optional<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    guard let value = optional(key) else { return nil }
    return self.convert(value, of: key, must: rule, as: convert)
  }

  /// Converts the value of a required key; reports the rule if the conversion fails.
  package mutating func required<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    guard let value = required(key) else { return nil }
    return self.convert(value, of: key, must: rule, as: convert)
  }

  /// Converts the items of a list, or a single value in place of a list.
  mutating func list<Result>(
    _ key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> [Result] {
    guard let value = optional(key) else { return [] }
    let items = value.kind == .sequence ? Array(value.items) : [value]
    return items.compactMap { self.convert($0, of: key, must: rule, as: convert) }
  }

  private mutating func convert<Result>(
    _ value: YAMLNode, of key: String, must rule: String, as convert: (YAMLNode) -> Result?
  ) -> Result? {
    if let result = convert(value) { return result }
    var diagnostic = Diagnostic.wrongType("'\(key)'", must: rule, at: value.place)
    if let limit = value.exceededLimit {
      diagnostic.notes.append(Diagnostic.Note(limit))
    } else if [TimeSpan.rule, TimeSpan.positiveRule].contains(rule),
      TimeSpan(value.scalarText ?? "") == nil
    {
      let slip = value.scalarText.flatMap { DurationSlip($0) }
      let advice = slip.map { "; write \($0.replacement)" } ?? ""
      diagnostic.notes.append(Diagnostic.Note(DurationSlip.units + advice))
    }
    if let invisible = value.scalarText?.firstInvisible {
      diagnostic.notes.append(
        Diagnostic.Note("the value has \(invisible.codeName), which is invisible; delete it"))
    }
    problems.append((key, diagnostic))
    return nil
  }

  /// Returns `true` if the value of a key is `off`, `false` if it is `on`; reports others.
  mutating func optionalIsOff(_ key: String) -> Bool? {
    optional(key, must: "be on or off") { node in
      node.hasText("off") ? true : node.hasText("on") ? false : nil
    }
  }

  /// Adds the diagnostics of another reader or rule, which concern the value of a key.
  mutating func report(_ more: Diagnostic..., of key: String? = nil) { report(more, of: key) }
  /// Adds the diagnostics of another reader, which concern the value of a key.
  package mutating func report(_ more: [Diagnostic], of key: String? = nil) {
    problems += more.map { (key, $0) }
  }

  /// Returns all diagnostics, including one for each unknown key.
  package mutating func finish() -> [Diagnostic] { finishByKey().map(\.diagnostic) }

  /// Returns all diagnostics, each with the key that it concerns; `nil` if it may concern any.
  ///
  /// An unknown key concerns the key that is probably meant.
  mutating func finishByKey() -> [(key: String?, diagnostic: Diagnostic)] {
    guard node.kind == .mapping else { return problems }
    let free = known.filter { node[$0] == nil }
    let unknown = node.members.map(\.key).filter { key in
      !known.contains { $0.hasSameBytes(as: key.text) }
    }
    let synonyms = synonyms.filter { free.contains($0.value) }
    let meant = unknown.map { synonyms[$0.text] ?? $0.text.meantKey(among: free) }
    for (keys, diagnostic) in missing where !keys.contains(where: meant.contains) {
      problems.append((keys.count == 1 ? keys[0] : nil, diagnostic))
    }
    for (key, meant) in zip(unknown, meant) where !allowsOtherKeys || meant != nil {
      let nearest = synonyms[key.text] ?? key.text.nearest(among: free)
      problems.append((meant, .unknownKey(key, in: name, known: known, nearest: nearest)))
    }
    missing = []
    return problems
  }
}

extension YAMLNode {
  /// The text of a scalar in any style; `nil` for collections and null.
  package var scalarText: String? { kind == .scalar && !isNull ? text : nil }

  /// The place for messages about the whole node: the text of a scalar, or the first line of a
  /// collection.
  package var place: SourceLocation { kind == .scalar ? location : location.firstLine }

  /// The limit that a number or a duration of the right form exceeds, as a sentence.
  fileprivate var exceededLimit: String? {
    if case .integerOutOfRange = scalar { return "whole numbers lie between -2^63 and 2^63 - 1" }
    guard let text = scalarText, DurationSlip.isTooLong(text) else { return nil }
    return "a duration is at most \(Int32.max)s, about 68 years"
  }

  /// A boolean of the core schema.
  var flag: Bool? {
    if case .boolean(let flag) = scalar { flag } else { nil }
  }

  /// The boolean that a word in quotes or of YAML 1.1 means, as YAML 1.2 spells it.
  var meantFlag: String? {
    switch text.lowercased() {
    case "yes", "on", "y", "true": "true"
    case "no", "off", "n", "false": "false"
    default: nil
    }
  }
}
