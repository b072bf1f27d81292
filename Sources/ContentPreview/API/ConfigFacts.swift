import ContentModel
import PropertyLists
import Synchronization

/// What the served build says of itself: its app, locales and devices, and what its content
/// distinguishes.
///
/// A class, since it keeps what it found in objects, which never change.
final class ConfigFacts: Sendable {
  private let files: BuildFiles
  /// What each index or list distinguishes; those of the last look only.
  private let known = Mutex<[Digest: Distinctions]>([:])
  /// The order of devices, as `content.yaml` told it last: it may have mistakes now.
  private let order = Mutex<[String]>([])

  /// Countries and versions that some condition names.
  private struct Distinctions {
    var countries: Set<String> = []
    var versions: Set<String> = []
    var lists: Set<Digest> = []
  }

  init(_ files: BuildFiles) { self.files = files }

  /// For `/api/state`; without a build, empty lists.
  func read() -> (members: Members, config: Value?) {
    guard let bytes = files.config, let (config, format) = try? PropertyList.decode(bytes) else {
      return (
        ["locales": [], "devices": [], "countries": [], "versions": [], "datatypes": []], nil
      )
    }
    let found = distinctions(config, format)
    let versions = found.versions.compactMap { AppVersion($0) }.sorted()
    var members: Members = [
      "app": config["app"] ?? "", "sourceLocale": config["sourceLocale"] ?? "",
      "format": .string(format.rawValue),
      "locales": locales(config), "devices": devices(config),
      "countries": strings(found.countries.sorted()),
      "versions": strings(versions.map(\.description)), "datatypes": datatypes(format),
    ]
    (members["minimumApp"], members["matches"]) = (config["minimumApp"], config["matches"])
    return (members, config)
  }

  /// The source locale, then the others by tag.
  private func locales(_ config: Value) -> Value {
    let source = config["sourceLocale"]?.text
    let all = config["locales"]?.members ?? Members()
    let tags = all.keys.sorted { ($0 == source ? 0 : 1, $0) < ($1 == source ? 0 : 1, $1) }
    return .array(
      tags.map { tag in
        [
          "tag": .string(tag), "name": .string(LocaleNames.name(of: tag, in: "en")),
          "nativeName": .string(LocaleNames.name(of: tag, in: tag)),
          "direction": LocaleTag(tag)?.isRightToLeft == true ? "rtl" : "ltr",
          "chain": all[tag] ?? [],
        ]
      })
  }

  private func devices(_ config: Value) -> Value {
    let all = config["devices"]?.members ?? Members()
    return .array(all.map { ["name": .string($0.key), "parent": $0.value] })
  }

  /// Devices in the order in which they are declared.
  ///
  /// Config is a dictionary, which has them by name. Those that are not declared any more come
  /// last.
  func declaredOrder(_ devices: Value, _ declared: [String]) -> Value {
    guard case .array(let items) = devices else { return devices }
    let names = order.withLock { order in
      if !declared.isEmpty { order = declared }
      return order
    }
    let places = items.map { item in names.firstIndex { $0 == item["name"]?.text } ?? names.count }
    return .array(
      zip(places, items).enumerated().sorted {
        ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
      }.map(\.element.1))
  }

  /// Those that the build has entries of.
  private func datatypes(_ format: PropertyListFormat) -> Value {
    let record = files.bytes(["build.\(format.fileExtension)"])
    let value = record.flatMap { try? PropertyList.decode($0, as: format).value }
    return strings(value?["entries"]?.members?.keys ?? [])
  }

  private func distinctions(_ config: Value, _ format: PropertyListFormat) -> Distinctions {
    let indexes = (config["indexes"]?.members?.values ?? []).flatMap {
      ($0.members?.values ?? []).compactMap(\.digest)
    }
    var before = known.withLock { $0 }
    var (now, all): ([Digest: Distinctions], Distinctions) = ([:], Distinctions())
    var rest = Set(indexes)
    while let digest = rest.popFirst() {
      let found = before.removeValue(forKey: digest) ?? look(at: digest, format)
      now[digest] = found
      rest.formUnion(found.lists.filter { now[$0] == nil })
      all.countries.formUnion(found.countries)
      all.versions.formUnion(found.versions)
    }
    known.withLock { [now] in $0 = now }
    return all
  }

  private func look(at digest: Digest, _ format: PropertyListFormat) -> Distinctions {
    let names = ["objects", String(digest.hex.prefix(2)), "\(digest.hex).\(format.fileExtension)"]
    guard let bytes = files.bytes(names),
      let value = try? PropertyList.decode(bytes, as: format).value
    else { return Distinctions() }
    var found = Distinctions()
    // An index has bundles, a list has entries.
    for row in (value["bundles"] ?? value["entries"])?.members?.values ?? [] {
      if let list = row["list"]?.digest { found.lists.insert(list) }
      guard case .array(let variants)? = row["variants"] else { continue }
      for variant in variants {
        if let country = variant["country"]?.text { found.countries.insert(country) }
        found.versions.formUnion(
          [variant["from"]?.text, variant["before"]?.text].compactMap(\.self))
      }
    }
    return found
  }
}

extension Value {
  /// The value under a key, where this is a dictionary.
  subscript(key: String) -> Value? { members?[key] }

  var members: Members? { if case .dictionary(let members) = self { members } else { nil } }

  var count: Int? {
    if case .integer(let count) = self { Int(count) } else { text.flatMap { Int($0) } }
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  /// A digest as its format writes it: data, or hexadecimal digits.
  var digest: Digest? {
    switch self {
    case .data(let bytes): Digest(bytes: bytes)
    case .string(let text): Digest(hex: text)
    default: nil
    }
  }
}
