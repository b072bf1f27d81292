package import ContentModel
package import Diagnostics
package import YAML

/// The reader of conditions, the values of `when`.
package struct ConditionReader: Sendable {
  package let locales: LocaleSet
  let devices: DeviceTree
  let contexts: [Context]
  /// `true` if embargoes are allowed; readers fetch the maintenance texts in advance, so those have
  /// none.
  var allowsEmbargo = true
  /// The places of the settings that conditions depend on.
  var places = Project.Places()
  /// The texts in `locales` that are no language tags: conditions on them report no second error.
  var unreadableLocales: Set<ExactString> = []
  /// The locale and the device of the layer; `nil` for all.
  private var scope: (locale: LocaleTag?, device: String?) = (nil, nil)

  package init(locales: LocaleSet, devices: DeviceTree) {
    (self.locales, self.devices) = (locales, devices)
    contexts = Context.all(locales: locales, devices: devices)
  }

  /// Returns a reader for a layer that only some contexts consult; every context consults the
  /// source locale's.
  func consulted(inLocale locale: LocaleTag?, onDevice device: String?) -> ConditionReader {
    var reader = self
    reader.scope = (locale, device)
    return reader
  }

  /// Returns `true` if a context that consults the layer meets a condition on locale and device.
  private func isMet(_ condition: Condition) -> Bool {
    contexts.contains { context in
      (scope.locale.map(context.chain.contains) ?? true)
        && (scope.device.map(context.ancestry.contains) ?? true)
        && condition.admits(context, in: locales)
    }
  }

  /// The meaning of a `when`.
  package enum Outcome: Hashable, Sendable {
    case always
    case never
    case condition(Condition)
  }

  /// Reads the value of `when`; null removes the condition, and `false` excludes the content.
  package func read(_ node: YAMLNode) -> Diagnosed<Outcome> {
    if node.isNull || node.flag == true { return Diagnosed(.always) }
    if node.flag == false { return Diagnosed(.never) }
    var reader = RecordReader(node, of: "'when'")
    var condition = Condition()
    if reader.optional("locale") != nil { condition.locales = readLocales(&reader) }
    if reader.optional("device") != nil { condition.devices = readDevices(&reader) }
    if reader.optional("country") != nil { condition.countries = readCountries(&reader) }
    if reader.optional("app") != nil {
      condition.versions = reader.list("app", must: "be a range such as '>=2.0 <3.0'") {
        $0.scalarText.flatMap(VersionRange.init)
      }
    }
    condition.from = readInstant("from", from: &reader)
    condition.until = readInstant("until", from: &reader)
    if let from = condition.from, let until = condition.until, until <= from {
      reader.report(
        Diagnostic(
          .error, rule: .emptyCondition, at: reader.optional("until")?.location,
          message: "'until' must be later than 'from'"))
    }
    readEmbargo(&reader, into: &condition)
    reader.report(Self.emptyParts(of: node))
    if condition.locales != nil || condition.devices != nil,
      !reader.hasErrors,
      !isMet(condition)
    {
      reader.report(
        Diagnostic(
          .warning, rule: .unmetCondition, at: node.location,
          message:
            "'when' must be met by some context; none that consults this file has this locale and device"
        ))
    }
    return Diagnosed(.condition(condition), diagnostics: reader.finish())
  }

  /// Returns errors of empty parts: an editor who leaves `from:` empty does not mean "always", nor
  /// an empty list "never".
  private static func emptyParts(of node: YAMLNode) -> [Diagnostic] {
    guard node.kind == .mapping else { return [] }
    return node.members.filter {
      $0.value.isNull || ($0.value.kind == .sequence && $0.value.items.isEmpty)
    }.map {
      part in
      Diagnostic(
        .error, rule: .emptyCondition,
        at: (part.value.isLostValue ? part.value : part.key).location,
        message: "'\(part.key.text)' in 'when' must have a value",
        notes: [
          Diagnostic.Note("'when: null' lifts a condition, 'when: false' removes the entry or item")
        ])
    }
  }

  private func readLocales(_ reader: inout RecordReader) -> [LocaleTag] {
    let known = locales.reachable
    let nodes = reader.list("locale", must: "be a locale") { node in
      node.isName(in: unreadableLocales) || LocaleTag(node: node) != nil ? node : nil
    }
    let tags = nodes.compactMap { node in LocaleTag(node: node).map { (tag: $0, node: node) } }
    for (tag, node) in tags where !known.contains(tag) {
      reader.report(
        .unknown(
          "locale", named: node.text, rule: .unknownLocale, known: known.map(\.identifier),
          at: node.location
        ).breaking(places.declaration(ofLocale: node.text, among: known)))
    }
    return tags.map(\.tag)
  }

  private func readDevices(_ reader: inout RecordReader) -> [String] {
    let nodes = reader.list("device", must: "be a device's name") { node in
      node.scalarText.map { ($0, node) }
    }
    for (name, node) in nodes where !devices.names.contains(name) {
      reader.report(
        .unknown(
          "device", named: name, rule: .unknownDevice, known: devices.names, at: node.location
        ).breaking(places.declaration(ofDevice: name, among: devices.names)))
    }
    return nodes.map(\.0)
  }

  private func readCountries(_ reader: inout RecordReader) -> [String] {
    let rule = "be an ISO 3166-1 code of two capital letters"
    let nodes = reader.list("country", must: rule) { $0.scalarText == nil ? nil : $0 }
    for node in nodes where !Country.isAssigned(node.text) {
      reader.report(.unknownCountry(node.text, at: node.location))
    }
    return nodes.map(\.text)
  }

  private func readEmbargo(_ reader: inout RecordReader, into condition: inout Condition) {
    guard let node = reader.optional("embargo") else { return }
    guard let isEmbargoed = node.flag else {
      reader.report(.embargoOfAnotherType(node))
      return
    }
    guard isEmbargoed else { return }
    if reader.optional("from") == nil {
      reader.report(.embargoWithoutStart(at: node.location))
    } else if !allowsEmbargo {
      reader.report(.embargoOfMaintenance(at: node.location))
    } else {
      condition.isEmbargoed = true
    }
  }

  private func readInstant(_ key: String, from reader: inout RecordReader) -> Instant? {
    guard let node = reader.optional(key) else { return nil }
    do { return try InstantSyntax.parse(node.text) } catch {
      reader.report(error.diagnostic(for: "'\(key)'", at: node))
      return nil
    }
  }
}

extension Diagnostic {
  /// Returns the error for a country that ISO 3166-1 lacks, with the probable country as its fix.
  fileprivate static func unknownCountry(_ text: String, at location: SourceLocation) -> Diagnostic
  {
    let meant = Country(meant: text)
    let hint = meant.map { "; did you mean '\($0.code)' (\($0.name))?" } ?? ""
    let isLanguage =
      meant == nil && LocaleTag(text.lowercased()).map { $0.maximized != $0 } ?? false
    return Diagnostic(
      .error, rule: .unknownCountry, at: location,
      message: "unknown country '\(text)'\(hint)",
      notes: [
        isLanguage
          ? Note(
            "'\(text)' is a language; 'locale: \(text.lowercased())' is a condition on the reader's language"
          )
          : Note("countries are ISO 3166-1 codes of two capital letters, such as GB")
      ], fixIt: meant.flatMap { meant in location.range.map { FixIt($0, replacement: meant.code) } }
    )
  }
}
