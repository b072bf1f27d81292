import ContentModel
import Diagnostics
import YAML

extension Channel {
  /// Names that have another meaning in `out/` and at a target.
  private static let reserved = ["preview", "objects", "maintenance"]

  /// Reads `channels`: names to targets.
  ///
  /// `format` is the project's; `nil` if it cannot be read.
  static func readAll(
    _ node: YAMLNode, format: PropertyListFormat?
  ) -> (channels: [Channel], mistakes: [SettingMistake]) {
    guard node.kind == .mapping else {
      let mistake = Diagnostic.wrongType(
        "'channels'", must: "map a name to its target", at: node.place)
      return ([], [SettingMistake(mistake, inValueOf: "channels")])
    }
    var all: (channels: [Channel], mistakes: [SettingMistake]) = ([], [])
    for (key, value) in node.members {
      guard Project.name(key.text) != nil, !reserved.contains(key.text) else {
        let rule =
          reserved.contains(key.text)
          ? "not be one of \(reserved.joined(separator: ", "))" : "be of a-z, 0-9 and '-'"
        all.mistakes.append(
          SettingMistake(
            .wrongType("a channel's name", must: rule, at: key.place), inValueOf: "channels"))
        continue
      }
      let (channel, mistakes) = read(value, named: key, format: format)
      all.channels.append(channel)
      all.mistakes += mistakes
    }
    return all
  }

  private static func read(
    _ value: YAMLNode, named name: YAMLNode, format: PropertyListFormat?
  ) -> (channel: Channel, mistakes: [SettingMistake]) {
    var reader = RecordReader(value, of: "channel '\(name.text)'")
    let target = reader.required("target", must: "be \(TargetKind.forms)") { node in
      node.scalarText.flatMap { text in
        text.isEmpty || text.utf8.contains { $0 < 32 || $0 == 127 } ? nil : text
      }
    }
    if let target, let rule = brokenRule(ofTarget: target), let place = value["target"]?.place {
      // The address may have a password.
      reader.report(
        withoutSource(.wrongType("'target'", must: rule, at: place)), of: "target")
    }
    let url = readURL(&reader)
    let caches = reader.optional("cdn").map(readCaches)
    let extras = readExtras(&reader, target: target ?? "")
    let timeout = reader.optional(
      "originTimeout", must: TimeSpan.positiveRule, as: TimeSpan.init(positive:))
    let signing = reader.optional("signing").map { readSigning($0, format: format) }
    let hasPseudoLocales = reader.optional("pseudo", must: "be true or false") { $0.flag } ?? false
    reader.report(caches?.diagnostics ?? [], of: "cdn")
    reader.report(signing?.diagnostics ?? [], of: "signing")
    let channel = Channel(
      name: name.text, location: name.location, target: target ?? "", url: url,
      caches: caches?.output ?? [],
      originTimeout: timeout ?? .seconds(10), writesHeaders: extras.headers,
      hasLatest: extras.latest, signing: signing?.output, hasPseudoLocales: hasPseudoLocales)
    let mistakes = reader.finishByKey().map {
      SettingMistake($0.diagnostic, inValueOf: $0.key, of: name.text)
    }
    return (channel, mistakes)
  }

  /// Returns the first rule that a target breaks; `nil` if it breaks none.
  private static func brokenRule(ofTarget text: String) -> String? {
    if let invisible = text.firstInvisible {
      return "not hold \(invisible.codeName), which is invisible; delete it"
    }
    if text.hasBytePrefix(" ") || text.hasByteSuffix(" ") {
      return "not begin or end with a space"
    }
    return TargetKind(of: text).facts.brokenRule(text)
  }

  /// Reads `signing`: the folder of the key documents, and for how long a config is current.
  private static func readSigning(
    _ node: YAMLNode, format: PropertyListFormat?
  ) -> Diagnosed<Signing?> {
    guard format != .openstep else {
      return Diagnosed(
        nil,
        diagnostics: [
          .wrongType(
            "'signing'", must: "be in a project with the format binary, xml or json", at: node.place
          )
        ])
    }
    var reader = RecordReader(node, of: "'signing'")
    let keys = reader.required("keys", must: folderRule) { node in
      node.scalarText.flatMap { isOwnFolder($0) ? $0.withoutTrailingSlashes : nil }
    }
    let validFor = reader.optional(
      "validFor", must: TimeSpan.positiveRule, as: TimeSpan.init(positive:))
    let diagnostics = reader.finish()
    return Diagnosed(
      keys.map { Signing(keys: $0, validFor: validFor ?? .days(14)) }, diagnostics: diagnostics)
  }

  private static let folderRule =
    "be a folder of its own inside the content folder, such as keys/production"

  /// Returns `true` for a path below the content folder that no reader of content reads.
  private static func isOwnFolder(_ path: String) -> Bool {
    let parts = path.withoutTrailingSlashes.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    let others = ["datatypes", "entries", "strings", "assets"]
    return parts.allSatisfy { $0 != "" && $0 != "." && $0 != ".." }
      && !path.utf8.contains { $0 < 32 || $0 == 127 }
      && !others.contains(parts.first ?? "")
  }

  /// Reads the public address; an address with a user is reported without its line, which may have
  /// a password.
  private static func readURL(_ reader: inout RecordReader) -> String? {
    guard let node = reader.optional("url"), let text = node.scalarText, hasUser(text) else {
      return reader.optional("url", must: addressRule) { node in
        node.scalarText.flatMap { WebURL.isPlain($0) ? $0 : nil }
      }
    }
    reader.report(
      withoutSource(.wrongType("'url'", must: "have no user before '@'", at: node.place)),
      of: "url")
    return nil
  }

  private static let addressRule =
    "begin with https:// or http://, with a host, a port and a path only"

  /// Reads the settings that only folders have.
  private static func readExtras(_ reader: inout RecordReader, target: String) -> (
    headers: Bool, latest: Bool
  ) {
    let isFolder = TargetKind(of: target) == .folder
    let rule = isFolder ? "be true or false" : "be false: only a folder can have it"
    func flag(_ name: String) -> Bool {
      reader.optional(name, must: rule) { $0.flag.flatMap { $0 && !isFolder ? nil : $0 } } ?? false
    }
    return (flag("headers"), flag("latest"))
  }

  /// Reads the caches from the origin outward: each a name, or a name with its settings.
  private static func readCaches(_ node: YAMLNode) -> Diagnosed<[CacheLayer]> {
    var caches = Diagnosed<[CacheLayer]>([])
    for item in node.kind == .sequence ? Array(node.items) : [node] {
      let name = item.kind == .mapping && item.members.count == 1 ? item.members[0].key : item
      if name.kind == .scalar, let known = CacheName(rawValue: name.text) {
        let cache = CacheLayer(known)
        let settings =
          item.kind == .mapping ? readSettings(of: cache, item.members[0].value) : Diagnosed(cache)
        caches.output.append(settings.output)
        caches.diagnostics += settings.diagnostics
      } else if name.kind == .scalar {
        caches.diagnostics.append(
          .unknown(
            "cache", named: name.text, rule: .unknownCache,
            known: CacheName.allCases.map(\.rawValue), at: name.location))
      } else {
        caches.diagnostics.append(
          .wrongType(
            "an item of 'cdn'", must: "be a cache's name, or map one name to its settings",
            at: item.location.firstLine)
        )
      }
    }
    return caches
  }

  private static func readSettings(of cache: CacheLayer, _ node: YAMLNode) -> Diagnosed<CacheLayer>
  {
    guard !node.isNull else { return Diagnosed(cache) }
    var cache = cache
    var reader = RecordReader(node, of: "the settings of '\(cache.name.rawValue)'")
    for setting in cache.name.settings {
      let values = read(setting, from: &reader)
      if !values.isEmpty { cache.settings[setting.name] = values }
    }
    let required = cache.name.settings.filter(\.isRequired).map(\.name)
    // With a part of them, the author expects purges, which need all.
    if required.contains(where: { reader.optional($0) != nil }) {
      for name in required { _ = reader.required(name) }
    }
    return Diagnosed(
      cache, diagnostics: credentials(in: node, of: cache) + reader.finish().map(withoutSource))
  }

  /// Returns the values of a cache's setting; none if it is missing or has a mistake.
  ///
  /// An address with a user is among the values, since `credentials` reports it.
  private static func read(
    _ setting: CacheName.Setting, from reader: inout RecordReader
  ) -> [String] {
    let value: String?
    switch setting.kind {
    case .addresses:
      if let node = reader.optional(setting.name), node.kind == .sequence, node.items.isEmpty {
        reader.report(
          .wrongType("'\(setting.name)'", must: "list one address at least", at: node.place))
      }
      // The user's own machines may be in a private network.
      return reader.list(setting.name, must: addressRule) { node in
        node.scalarText.flatMap { WebURL.isPlain($0) || hasUser($0) ? $0 : nil }
      }
    case .vendorAddress:
      // Each request sends a secret to the vendor.
      let rule = "begin with https://, with a host, a port and a path only"
      value = reader.optional(setting.name, must: rule) { node in
        node.scalarText.flatMap { WebURL.isConfidential($0) || hasUser($0) ? $0 : nil }
      }
    case .name, .secret:
      value = reader.optional(setting.name).flatMap { isVariableName($0.text) ? $0.text : nil }
    case .choice(let words):
      value = reader.optional(setting.name, must: "be one of \(words.joined(separator: ", "))") {
        words.contains($0.text) ? $0.text : nil
      }
    }
    return value.map { [$0] } ?? []
  }

  /// Returns a diagnostic without its excerpt, since lines of settings may have a secret.
  private static func withoutSource(_ diagnostic: Diagnostic) -> Diagnostic {
    var hidden = diagnostic
    hidden.hidesSource = true
    // These may repeat a value.
    hidden.fixIt = nil
    hidden.notes = diagnostic.notes.map { Diagnostic.Note($0.message) }
    return hidden
  }

  /// Returns errors for secrets in place of the name of an environment variable, or before the `@`
  /// of an address.
  ///
  /// Neither message nor excerpt shows them.
  private static func credentials(in settings: YAMLNode, of cache: CacheLayer) -> [Diagnostic] {
    guard settings.kind == .mapping else { return [] }
    let known = cache.name.settings
    let variables = known.filter(\.kind.isVariable).map(\.name)
    let addresses = known.filter { $0.kind == .addresses || $0.kind == .vendorAddress }.map(\.name)
    let secrets = ["token", "secret", "password", "credential"]
    return settings.members.compactMap { key, value in
      let isSecret =
        variables.contains { $0.hasSameBytes(as: key.text) }
        || secrets.contains(where: key.text.lowercased().contains)
      if isSecret, !isVariableName(value.text) { return literalCredential(key, of: cache) }
      let items = value.kind == .sequence ? Array(value.items) : [value]
      return addresses.contains(key.text) && items.contains { hasUser($0.text) }
        ? userInAddress(key) : nil
    }
  }

  private static func literalCredential(_ key: YAMLNode, of cache: CacheLayer) -> Diagnostic {
    withoutSource(
      .error(
        .literalCredential, at: key.location,
        message: "'\(key.text)' must be the name of an environment variable, such as "
          + "\(cache.name.rawValue.uppercased())_\(key.text.uppercased())", notes: [leakNote]))
  }

  private static func userInAddress(_ key: YAMLNode) -> Diagnostic {
    withoutSource(
      .error(
        .literalCredential, at: key.location,
        message: "'\(key.text)' must be an address without a user before '@'", notes: [leakNote]))
  }

  private static var leakNote: Diagnostic.Note {
    Diagnostic.Note(
      "the value is in the history of this file: if it is a secret, change it")
  }

  /// Returns `true` if an address has a user, with or without a password.
  private static func hasUser(_ address: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: address.hasBytePrefix) else {
      return false
    }
    let authority = address.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
    return authority.contains(UInt8(ascii: "@"))
  }

  private static func isVariableName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !first.isDigit else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}
