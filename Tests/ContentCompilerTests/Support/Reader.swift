import ContentModel
import PropertyLists
import Testing

/// An independent reader of builds, without code of the compiler.
struct Reader {
  var locales: [String]
  var device: String
  var country: String?
  var version: String?
  var now = Shop.noon

  /// A reader such as `fr-CA/ipad`; the device is optional.
  init(
    _ context: String, country: String? = nil, app version: String? = nil, now: Instant = Shop.noon
  ) {
    let parts = context.split(separator: "/").map(String.init)
    (locales, device) = ([parts[0]], parts.count > 1 ? parts[1] : "any")
    (self.country, self.version, self.now) = (country, version, now)
  }

  /// Looks up `matches`, then `locales`, and repeats without the last subtag; the source locale is
  /// last.
  func locale(in config: Value) throws -> String {
    for wanted in locales {
      var subtags = wanted.split(separator: "-")
      while !subtags.isEmpty {
        let name = subtags.joined(separator: "-")
        if case .string(let match)? = config["matches"]?[name] { return match }
        if config["locales"]?[name] != nil { return name }
        subtags.removeLast()
      }
    }
    guard case .string(let source)? = config["sourceLocale"] else {
      throw Unreadable(what: "sourceLocale")
    }
    return source
  }

  func index(of shop: Shop) throws -> Value {
    let config = try shop.config
    let devices = try #require(config["indexes"]?[try locale(in: config)])
    return try shop.object(devices[device] ?? devices["any"])
  }

  /// The bundle in the reader's row; `piece` is the end of an id in a split bundle.
  func bundle(_ name: String, _ piece: String? = nil, in shop: Shop) throws -> Value? {
    var row = try #require(try index(of: shop)["bundles"]?[name])
    if let piece {
      guard let found = try shop.object(row["list"])["entries"]?[piece] else { return nil }
      row = found
    }
    let variant = row["variants"]?.items.first(where: matches) ?? row
    let bytes = try shop.bytes(variant["object"])
    #expect(variant["size"]?.number == bytes.count)
    let bundle = try PropertyList.decode(bytes).value
    #expect(variant["count"]?.number == bundle["order"]?.items.count)
    return bundle
  }

  private func matches(_ variant: Value) -> Bool {
    if case .string(let wanted)? = variant["country"], wanted != country { return false }
    let bounds = (variant["from"]?.version, variant["before"]?.version)
    guard bounds.0 != nil || bounds.1 != nil else { return true }
    guard let own = version.flatMap({ AppVersion($0) }) else { return false }
    return bounds.0.map { own >= $0 } ?? true && bounds.1.map { own < $0 } ?? true
  }

  /// The content of an entry as JSON; `nil` if the reader does not get it.
  func sees(_ id: String, in shop: Shop, bundle name: String = "all") throws -> String? {
    guard let entry = try bundle(name, in: shop)?["entries"]?[id], isCurrent(entry) else {
      return nil
    }
    return entry["content"].map(withoutHiddenItems)?.json
  }

  /// The value without expired and future items, and without dates.
  private func withoutHiddenItems(_ value: Value) -> Value {
    switch value {
    case .dictionary(let members):
      return .dictionary(Members(members.map { ($0.key, withoutHiddenItems($0.value)) }))
    case .array(let items):
      return .array(
        items.filter { isCurrent($0["when"]) }.map { item in
          guard case .dictionary(var members) = item else { return withoutHiddenItems(item) }
          if case .dictionary? = members["when"] { members["when"] = nil }
          return withoutHiddenItems(.dictionary(members))
        })
    default: return value
    }
  }

  private func isCurrent(_ dates: Value?) -> Bool {
    if case .date(let from)? = dates?["from"], now < from { return false }
    if case .date(let until)? = dates?["until"], now >= until { return false }
    return true
  }

  struct Unreadable: Error { var what: String }
}

extension Shop {
  /// The content of an entry for a reader, as JSON.
  func sees(_ id: String, _ context: String, country: String? = nil, app: String? = nil) throws
    -> String?
  {
    try Reader(context, country: country, app: app).sees(id, in: self)
  }

  /// The content of `item/a` for a reader, as JSON.
  func a(_ context: String, country: String? = nil, app: String? = nil) throws -> String? {
    try sees("item/a", context, country: country, app: app)
  }
}

extension Value {
  subscript(key: String) -> Value? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  var items: [Value] { if case .array(let items) = self { items } else { [] } }
  var keys: [String] { if case .dictionary(let members) = self { members.map(\.key) } else { [] } }
  /// The hexadecimal digits of a hash in a binary property list.
  var hash: String? { if case .data(let bytes) = self { Digest(bytes: bytes)?.hex } else { nil } }
  var version: AppVersion? { if case .string(let text) = self { AppVersion(text) } else { nil } }

  /// The value as JSON, keys in order.
  var json: String {
    (try? PropertyList.encode(self, as: .json)).map { String(decoding: $0, as: UTF8.self) }
      ?? "no JSON"
  }
}
