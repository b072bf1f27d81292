import ContentModel
import ContentSource
import PropertyLists
import Synchronization

/// The facts about the served build from its config: app, locales, devices, countries and versions.
///
/// A class, since it caches facts about objects, which never change.
final class ConfigFacts: Sendable {
  private let files: BuildFiles
  /// The conditions in each index and list of the last build.
  private let known = Mutex<[Digest: Distinctions]>([:])
  /// The last valid `content.yaml`; it may be invalid now.
  private let lastProject = Mutex<Project?>(nil)

  /// The countries and versions in conditions, and the lists with more of them.
  private struct Distinctions {
    var countries: Set<ExactString> = []
    var versions: Set<ExactString> = []
    var lists: Set<Digest> = []
  }

  init(_ files: BuildFiles) { self.files = files }

  /// Returns the members for `/api/state`, whose lists are empty before the first build.
  func members() -> Members {
    guard let bytes = files.config, let (config, format) = try? PropertyList.decode(bytes) else {
      return ["locales": [], "devices": [], "countries": [], "versions": [], "datatypes": []]
    }
    let found = distinctions(of: config, format: format)
    let versions = found.versions.compactMap { AppVersion($0.text) }.sorted()
    var members: Members = [
      "app": config["app"] ?? "", "sourceLocale": config["sourceLocale"] ?? "",
      "format": .string(format.rawValue),
      "locales": locales(config), "devices": devices(config),
      "countries": .strings(found.countries.names),
      "versions": .strings(versions.map(\.description)), "datatypes": datatypes(format),
    ]
    members["minimumApp"] = config["minimumApp"]
    members["matches"] = config["matches"]
    return members
  }

  /// Returns the source locale, then the others by tag.
  private func locales(_ config: Value) -> Value {
    let source = config["sourceLocale"]?.text
    let all = config["locales"]?.members ?? Members()
    let tags = all.keys.sorted { ($0 == source ? 0 : 1, $0) < ($1 == source ? 0 : 1, $1) }
    return .array(
      tags.map { tag in
        [
          "tag": .string(tag), "name": .string(LocaleNames.english(tag)),
          "nativeName": .string(LocaleNames.native(tag)),
          "direction": LocaleTag(tag)?.isRightToLeft == true ? "rtl" : "ltr",
          "chain": all[tag] ?? [],
        ]
      })
  }

  private func devices(_ config: Value) -> Value {
    let all = config["devices"]?.members ?? Members()
    return .array(all.map { ["name": .string($0.key), "parent": $0.value] })
  }

  /// Returns the present project, or the last valid one if there is none now.
  func lastGood(_ project: Project?) -> Project? {
    lastProject.withLock { last in
      last = project ?? last
      return last
    }
  }

  /// Returns the datatypes of which the build has entries.
  private func datatypes(_ format: PropertyListFormat) -> Value {
    let record = files.bytes(["build.\(format.fileExtension)"])
    let value = record.flatMap { try? PropertyList.decode($0, as: format).value }
    return .strings(value?["entries"]?.members?.keys ?? [])
  }

  private func distinctions(of config: Value, format: PropertyListFormat) -> Distinctions {
    let indexes = (config["indexes"]?.members?.values ?? []).flatMap {
      ($0.members?.values ?? []).compactMap(\.digest)
    }
    // Objects of the last build that this one has, too, are not read again.
    var before = known.withLock { $0 }
    var now: [Digest: Distinctions] = [:]
    var all = Distinctions()
    var rest = Set(indexes)
    while let digest = rest.popFirst() {
      let found =
        before.removeValue(forKey: digest) ?? distinctions(ofObject: digest, format: format)
      now[digest] = found
      rest.formUnion(found.lists.filter { now[$0] == nil })
      all.countries.formUnion(found.countries)
      all.versions.formUnion(found.versions)
    }
    known.withLock { [now] in $0 = now }
    return all
  }

  private func distinctions(ofObject digest: Digest, format: PropertyListFormat) -> Distinctions {
    guard let bytes = files.bytes(ofObject: digest, format: format),
      let value = try? PropertyList.decode(bytes, as: format).value
    else { return Distinctions() }
    var found = Distinctions()
    // An index has bundles; the object of a split bundle's parts has entries or tiles.
    for row in (value["bundles"] ?? value["entries"] ?? value["tiles"])?.members?.values ?? [] {
      if let parts = BundleParts(row) { found.lists.insert(parts.digest) }
      guard case .array(let variants)? = row["variants"] else { continue }
      for variant in variants {
        if let country = variant["country"]?.text { found.countries.insert(country) }
        for version in [variant["from"]?.text, variant["before"]?.text].compactMap(\.self) {
          found.versions.insert(version)
        }
      }
    }
    return found
  }
}

extension Project {
  /// Returns devices in the order of their declaration; devices that are no longer declared are
  /// last.
  func sorted(_ devices: Value) -> Value {
    guard case .array(let items) = devices else { return devices }
    let declared = self.devices.declared
    func rank(_ item: Value) -> Int {
      declared.firstIndex { $0.name == item["name"]?.text } ?? declared.count
    }
    let sorted = items.enumerated().sorted { a, b in
      (rank(a.element), a.offset) < (rank(b.element), b.offset)
    }
    return .array(sorted.map(\.element))
  }

  /// The rules of each bundle that is split by place: the most entries of a tile, and its shortest
  /// edge in metres.
  var tileRules: Value {
    .dictionary(
      Members(
        bundles.compactMap { bundle in
          bundle.tiles.map { rules in
            (
              bundle.name,
              [
                "max": .integer(Int64(rules.maximumCount)),
                "minimumTile": .integer(Int64(rules.minimumEdge)),
              ]
            )
          }
        }))
  }
}
