import ContentModel
import Diagnostics
import YAML

extension BundleDefinition {
  /// Reads `bundles`: names to definitions.
  static func readAll(_ node: YAMLNode, format: PropertyListFormat) -> Diagnosed<[BundleDefinition]>
  {
    guard node.kind == .mapping else {
      return Diagnosed(
        [],
        diagnostics: [.wrongType("'bundles'", must: "map a name to its definition", at: node.place)]
      )
    }
    var all = Diagnosed<[BundleDefinition]>([])
    if let first = node.members.first(where: { isChannel($0.value) })?.key {
      all.diagnostics.append(
        .wrongType(
          "'\(first.text)'",
          must: "be in 'channels', since it has a target; write 'channels:' above it",
          at: first.place))
    }
    for (key, value) in node.members where !isChannel(value) {
      guard Project.name(key.text) != nil else {
        all.diagnostics.append(
          .wrongType("a bundle's name", must: "be of a-z, 0-9 and '-'", at: key.place))
        continue
      }
      let bundle = read(value, name: key, format: format)
      all.output.append(bundle.output)
      all.diagnostics += bundle.diagnostics
    }
    return all
  }

  /// Returns `true` for a channel, which belongs to the bundles if the line `channels:` is missing.
  private static func isChannel(_ node: YAMLNode) -> Bool {
    node["target"] != nil && node["include"] == nil
  }

  private static func read(_ node: YAMLNode, name: YAMLNode, format: PropertyListFormat)
    -> Diagnosed<BundleDefinition>
  {
    var reader = RecordReader(node, of: "bundle '\(name.text)'")
    let patternRule = "be an entry's id or a pattern such as product/*"
    _ = reader.required("include")
    let definition = BundleDefinition(
      name: name.text, location: name.location,
      include: reader.list("include", must: patternRule, as: Pattern.init(node:)),
      exclude: reader.list("exclude", must: patternRule, as: Pattern.init(node:)),
      projection: reader.optional("projection", must: "be a projection's name") { node in
        node.scalarText.map { (name: ExactString($0), location: node.location) }
      },
      sort: reader.list(
        "sort", must: "be a field's name, with '-' before it to turn the order round",
        as: SortKey.init(node:)),
      split: readSplit(from: &reader),
      isStartup: reader.optional("startup", must: "be true or false", as: \.flag) ?? false,
      format: reader.optional(
        "format", must: Project.formatRule, as: PropertyListFormat.init(node:))
        ?? format,
      ttl: reader.optional("ttl", must: TimeSpan.positiveRule, as: TimeSpan.init(positive:)))
    if definition.isSplit, definition.isStartup {
      reader.report(
        Diagnostic(
          .error, rule: .splitStartup, at: reader.optional("startup")?.location,
          message:
            "'startup' must not be combined with 'split', because the index would hold every entry")
      )
    }
    return Diagnosed(definition, diagnostics: reader.finish())
  }

  private static func readSplit(from reader: inout RecordReader) -> Split? {
    let kind = reader.optional("split", must: "be 'entry' or 'place'") {
      ["entry", "place"].contains($0.text) ? $0.text : nil
    }
    let field = reader.optional("place", must: "be the name of a field of type 'place'") { node in
      node.scalarText.map { (name: ExactString($0), location: node.location) }
    }
    let count = reader.optional("max", must: "be a count of entries, 1 or more") { node in
      node.count.flatMap { $0 > 0 ? $0 : nil }
    }
    let edge = reader.optional("minimumTile", must: "be a length such as 500m or 10km") {
      $0.scalarText.flatMap(metres)
    }
    if kind == "place" {
      return .place(
        TileRules(field: field, maximumCount: count ?? 200, minimumEdge: edge ?? 10_000))
    }
    let isUnread = kind == nil && reader.optional("split") != nil
    for key in isUnread ? [] : ["place", "max", "minimumTile"] {
      guard let node = reader.optional(key) else { continue }
      let name = reader.node.members.first { $0.key.text == key }?.key ?? node
      reader.report(
        .error(
          .unusedKey, at: name.location,
          message: "'\(key)' is for bundles with 'split: place'; add that, or delete '\(key)'"))
    }
    return kind == nil ? nil : .entry
  }

  /// Returns the metres of a length such as `500m` or `10km`; `nil` for another text.
  private static func metres(_ text: String) -> Int? {
    let digits = text.prefix { "0123456789.".contains($0) }
    let unit: Double? =
      switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
      case "m": 1
      case "km": 1_000
      default: nil
      }
    // No tile has a longer edge than the equator.
    guard let unit, let number = Double(digits), number > 0, number * unit <= 40_100_000 else {
      return nil
    }
    return Int((number * unit).rounded(.up))
  }
}

extension BundleDefinition.Pattern {
  fileprivate init?(node: YAMLNode) {
    guard let text = node.scalarText, let glob = Glob(text), glob.mayMatchIDs else { return nil }
    self.init(glob: glob, location: node.location)
  }
}

extension Glob {
  /// A Boolean value that indicates whether the pattern has only the characters of ids and
  /// wildcards.
  fileprivate var mayMatchIDs: Bool {
    isLiteral
      ? EntryID(text) != nil
      : text.split(separator: "/").allSatisfy {
        $0.allSatisfy { $0 == "*" || EntryID.isPart(String($0)) }
      }
  }
}

extension BundleDefinition.SortKey {
  fileprivate init?(node: YAMLNode) {
    guard let text = node.scalarText, !text.isEmpty, text != "-" else { return nil }
    let isDescending = text.hasBytePrefix("-")
    self.init(
      field: ExactString(isDescending ? text.dropping("-") : text),
      isDescending: isDescending,
      location: node.location)
  }
}
