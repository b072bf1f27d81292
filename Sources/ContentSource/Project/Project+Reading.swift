import ContentModel
import Diagnostics
import YAML

/// The values in the root node of `content.yaml`, and its mistakes.
///
/// A value with a mistake has its default.
struct ProjectReading {
  let delivery: DeliverySettings
  /// The project; `nil` without readable locales.
  let project: Project?
  let mistakes: [SettingMistake]

  /// All mistakes, for a reader of the whole content.
  var diagnostics: [Diagnostic] { mistakes.map(\.diagnostic) }

  init(_ root: YAMLNode) {
    var reader = RecordReader(root, of: "'content.yaml'")
    reader.synonyms = Dictionary(
      firstOf: [
        ("languages", "locales"), ("defaultLocale", "sourceLocale"),
        ("defaultLanguage", "sourceLocale"), ("sourceLanguage", "sourceLocale"),
        ("baseLocale", "sourceLocale"), ("name", "app"),
      ])
    let app = reader.required("app", must: "be a name of a-z, 0-9 and '-'") {
      $0.scalarText.flatMap(Project.name)
    }
    let before = reader.problemCount
    var hasOtherSource = false
    let locales = Project.readLocales(from: &reader, hasOtherSource: &hasOtherSource)
    let localeProblems = reader.problemCount - before
    let devices = DeviceTree.read(&reader)
    let deviceProblems = reader.problemCount - before - localeProblems
    let format = reader.optional(
      "format", must: Project.formatRule, as: PropertyListFormat.init(node:))
    var lifetimes = DeliverySettings.Lifetimes()
    if let node = reader.optional("ttl") { reader.report(lifetimes.read(node), of: "ttl") }
    let limit = reader.optional("stalenessLimit", must: TimeSpan.rule) { node in
      TimeSpan(node: node).map { (limit: $0, location: node.location) }
    }
    let minimumApp = reader.optional("minimumApp", must: "be a version such as 2.1") {
      $0.scalarText.flatMap { AppVersion($0) }
    }
    let transfer = reader.optional("transfer", must: Project.transferRule) { node in
      node.scalarText.flatMap { Project.transfers[$0] }
    }
    let bundles = reader.optional("bundles").map {
      BundleDefinition.readAll($0, format: format ?? .binary)
    }
    let channels = reader.optional("channels").map {
      Channel.readAll($0, format: format ?? .binary)
    }
    let sources = reader.optional("sources").map(Project.SourceOptions.readAll)
    reader.report(bundles?.diagnostics ?? [], of: "bundles")
    reader.report(sources?.diagnostics ?? [], of: "sources")
    mistakes =
      reader.finishByKey().map { SettingMistake($0.diagnostic, inValueOf: $0.key) }
      + (channels?.mistakes ?? [])
    delivery = DeliverySettings(
      app: app ?? "", format: format ?? .binary, lifetimes: lifetimes, stalenessLimit: limit,
      channels: channels?.channels ?? [], locales: locales)
    guard let locales else {
      project = nil
      return
    }
    var project = Project(
      delivery: delivery, locales: locales, devices: devices, minimumApp: minimumApp,
      bundles: bundles?.output ?? [], sources: sources?.output ?? [])
    project.transfersText = transfer ?? false
    project.hasUndeclaredSource = hasOtherSource
    project.places = Project.Places(of: root)
    project.unreadableLocales = Project.unreadableLocales(of: root)
    let diagnostics = mistakes.map(\.diagnostic)
    let meant = diagnostics.compactMap(\.fixIt?.replacement)
    project.mayLackLocales =
      localeProblems > 0 || meant.contains("locales") || meant.contains("fallback")
    project.mayLackDevices =
      deviceProblems > 0 || diagnostics.contains { $0.rule.traits.contains(.mayHideDevices) }
    self.project = project
  }
}

extension Project {
  static let formatRule =
    "be one of \(PropertyListFormat.allCases.map(\.rawValue).joined(separator: ", "))"

  /// The values of `transfer`: whether bundles have recipes.
  fileprivate static let transfers = ["binary": false, "text": true]
  fileprivate static let transferRule = "be binary or text"

  static func name(_ text: String) -> String? { EntryID.isPart(text) ? text : nil }

  private static let localeRule = "be a BCP 47 language tag such as fr-CA"

  /// Returns the texts in `locales` that are no language tags.
  ///
  /// Their error is reported in `locales` only: other places with the same text report no second one.
  fileprivate static func unreadableLocales(of root: YAMLNode) -> Set<ExactString> {
    guard let node = root["locales"] else { return [] }
    let items = node.kind == .sequence ? Array(node.items) : [node]
    return Set(names: items.filter { LocaleTag(node: $0) == nil }.compactMap(\.scalarText))
  }

  fileprivate static func readLocales(
    from reader: inout RecordReader, hasOtherSource: inout Bool
  ) -> LocaleSet? {
    let unreadable = unreadableLocales(of: reader.node)
    var source: LocaleTag?
    if let node = reader.required("sourceLocale"), !node.isName(in: unreadable) {
      source = reader.optional("sourceLocale", must: localeRule, as: LocaleTag.init(node:))
    }
    let before = reader.problemCount
    var declared: [(tag: LocaleTag, node: YAMLNode)] = []
    if let list = reader.required("locales"), !refuseLine(of: list, &reader) {
      if list.kind == .sequence, list.items.isEmpty {
        reader.report(
          .wrongType("'locales'", must: "list the source locale at least", at: list.location),
          of: "locales")
      }
      for item in reader.list(
        "locales", must: localeRule, as: { node in LocaleTag(node: node).map { ($0, node) } })
      {
        if let first = declared.first(where: { $0.tag == item.0 }) {
          reader.report(
            .duplicate(
              "locale", named: item.0.identifier, rule: .duplicateLocale, at: item.1.location,
              first: first.node.location), of: "locales")
        } else {
          declared.append((tag: item.0, node: item.1))
        }
      }
    }
    let tags = declared.map(\.tag)
    let fallback = readFallback(
      &reader, declared: tags, unreadable: unreadable,
      mayLackLocales: reader.problemCount > before)
    guard let source else { return nil }
    if !tags.isEmpty, !tags.contains(source), let node = reader.optional("sourceLocale") {
      if reader.problemCount == before {
        reader.report(
          .wrongType("'sourceLocale'", must: "be one of 'locales': \(tags.listed)", at: node.place),
          of: "sourceLocale")
      }
      hasOtherSource = true
    }
    return LocaleSet(
      declared: tags.contains(source) ? tags : [source] + tags, source: source, fallback: fallback)
  }

  /// Reports locales in one line without brackets, which YAML reads as one text; returns `false` for
  /// any other node.
  private static func refuseLine(of node: YAMLNode, _ reader: inout RecordReader) -> Bool {
    guard let text = node.scalarText, node.isPlain else { return false }
    let tags = text.split { $0 == "," || $0 == " " || $0 == ";" }.map { LocaleTag(String($0)) }
    guard tags.count > 1, !tags.contains(nil) else { return false }
    let written = "[\(tags.compactMap(\.self).listed)]"
    reader.report(
      .wrongType(
        "'locales'", must: "be a list; write \(written)", at: node.place,
        fixIt: Diagnostic.FixIt(node.range, replacement: written)), of: "locales")
    return true
  }

  private static func readFallback(
    _ reader: inout RecordReader, declared: [LocaleTag], unreadable: Set<ExactString>,
    mayLackLocales: Bool
  ) -> [LocaleTag: [LocaleTag]] {
    var fallback: [LocaleTag: [LocaleTag]] = [:]
    guard let node = reader.optional("fallback") else { return fallback }
    guard node.kind == .mapping else {
      reader.report(
        .wrongType("'fallback'", must: "map a locale to its whole chain", at: node.place),
        of: "fallback")
      return fallback
    }
    let undeclared = Diagnostic.Declaration(
      missingAt: node.members.first?.key.location,
      summary: "keys of 'fallback' are none of 'locales'; correct them, or their indentation")
    for (key, value) in node.members {
      guard let locale = LocaleTag(node: key), declared.contains(locale) else {
        // A locale may be one of those that could not be read.
        if declared.isEmpty || key.isName(in: unreadable)
          || (mayLackLocales && LocaleTag(node: key) != nil)
        {
          continue
        }
        reader.report(
          .unknown(
            "locale", named: key.text, rule: .unknownLocale, in: "'fallback'",
            ownsNames: false,
            known: declared.map(\.identifier),
            at: key.location
          ).breaking(undeclared), of: "fallback")
        continue
      }
      let before = reader.problemCount
      let items = value.kind == .sequence ? Array(value.items) : [value]
      var chain: [LocaleTag] = []
      for item in items where !item.isName(in: unreadable) {
        guard let tag = LocaleTag(node: item), !chain.contains(tag), chain.isEmpty || tag != locale
        else {
          reader.report(
            .wrongType(
              "the chain of '\(locale)'", must: "list locales, each once, '\(locale)' itself first",
              at: item.place), of: "fallback")
          continue
        }
        chain.append(tag)
      }
      // An unreadable chain is not followed, since it may lack the source locale.
      if reader.problemCount > before || items.contains(where: { $0.isName(in: unreadable) }) {
        continue
      }
      fallback[locale] = chain.first == locale ? chain : [locale] + chain
    }
    return fallback
  }
}

extension DeliverySettings.Lifetimes {
  fileprivate mutating func read(_ node: YAMLNode) -> [Diagnostic] {
    var reader = RecordReader(node, of: "'ttl'")
    for (key, path) in [("app", \Self.app), ("offline", \.offline)] {
      if let span = reader.optional(key, must: TimeSpan.positiveRule, as: TimeSpan.init(positive:))
      {
        self[keyPath: path] = span
      }
    }
    let longest = LimitedNumber.longestConfigLifetime
    if app > longest, let node = reader.optional("app") {
      reader.report(
        .warning(
          .longLifetime, at: node.location,
          message: "'app' is \(app), and clients ask for config after \(longest) at the latest"))
    }
    let others: [(String, WritableKeyPath<Self, TimeSpan>)] = [
      ("edge", \.edge), ("origin", \.origin), ("staleWhileRevalidate", \.staleWhileRevalidate),
      ("staleIfError", \.staleIfError),
    ]
    for (key, path) in others {
      if let span = reader.optional(key, must: TimeSpan.rule, as: TimeSpan.init(node:)) {
        self[keyPath: path] = span
      }
    }
    return reader.finish()
  }
}

extension Project.SourceOptions {
  fileprivate static func readAll(_ node: YAMLNode) -> Diagnosed<[Self]> {
    guard node.kind == .mapping else {
      return Diagnosed(
        [],
        diagnostics: [
          .wrongType("'sources'", must: "map a path's pattern to settings", at: node.place)
        ])
    }
    var all = Diagnosed<[Self]>([])
    for (key, value) in node.members {
      var reader = RecordReader(value, of: "'\(key.text)'")
      let severity = reader.optional("duplicateKeys", must: "be error or warn") {
        node -> Diagnostic.Severity? in
        ["error": .error, "warn": .warning][node.text]
      }
      let isOff = reader.optionalIsOff("placeholders")
      if let glob = Glob(key.text) {
        all.output.append(
          Self(pattern: glob, duplicateKeys: severity, allowsOtherPlaceholders: isOff))
      } else {
        reader.report(
          .wrongType("a pattern", must: "be a path such as strings/**", at: key.location))
      }
      all.diagnostics += reader.finish()
    }
    return all
  }
}

extension TimeSpan {
  static let rule = "be a duration such as 30s, 10m or 1d"
  static let positiveRule = "be a positive duration such as 30s, 10m or 1d"

  init?(node: YAMLNode) {
    guard let text = node.scalarText else { return nil }
    self.init(text)
  }

  init?(positive node: YAMLNode) {
    self.init(node: node)
    guard self > .zero else { return nil }
  }
}

extension LocaleTag {
  init?(node: YAMLNode) {
    guard let text = node.scalarText else { return nil }
    self.init(text)
  }
}

extension YAMLNode {
  /// Returns `true` if the node is a scalar whose text is in a set.
  func isName(in names: Set<ExactString>) -> Bool { scalarText.map { names.contains($0) } ?? false }
}

extension PropertyListFormat {
  init?(node: YAMLNode) {
    guard let text = node.scalarText else { return nil }
    self.init(rawValue: text)
  }
}

extension [LocaleTag] {
  /// The identifiers, separated by commas.
  package var listed: String { map(\.identifier).joined(separator: ", ") }
}
