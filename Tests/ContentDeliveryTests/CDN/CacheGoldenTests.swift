import ContentSource
import TestInputs
import Testing

@testable import ContentCaches

/// Compares the tables of caches and servers in the documentation with the values in the code.
@Suite struct CacheGoldenTests {
  @Test func documentsEachCache() throws {
    let rows = Self.caches.map { name in
      let settings = name.settings.map { "`\($0.name)`\($0.isRequired ? "" : "?")" }
      let age =
        switch name.ageHandling {
        case .counted: "yes"
        case .reset: "no"
        case .undocumented: ""
        }
      return [
        "`\(name.rawValue)`", settings.joined(separator: ", "), name.cache.purges, age,
      ]
    }
    try DerivedTable(["cache", "settings", "what is purged", "counts `Age`"], rows)
      .expect(in: "docs/reference/publishing.md")
  }

  @Test func documentsEachSetting() throws {
    var rows: [(setting: CacheName.Setting, caches: [CacheName])] = []
    for name in Self.caches {
      for setting in name.settings {
        if let index = rows.firstIndex(where: { $0.setting == setting }) {
          rows[index].caches.append(name)
        } else {
          rows.append((setting, [name]))
        }
      }
    }
    try DerivedTable(
      ["setting", "of", "value"],
      rows.map { setting, caches in
        let form =
          switch setting.kind {
          case .name, .secret: "*variable*: "
          case .addresses: ""
          case .vendorAddress: "`https://…`: "
          case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ") + ": "
          }
        return [
          "`\(setting.name)`", caches.map { "`\($0.rawValue)`" }.joined(separator: ", "),
          form + setting.meaning,
        ]
      }
    ).expect(in: "docs/reference/publishing.md")
  }

  @Test func documentsEachServer() throws {
    let rows = ServerKind.all.map { kind in
      ["`\(kind.name)`", kind.summary, kind.purges, kind.maintenance?.rawValue ?? ""]
    }
    try DerivedTable(["name", "role", "purge", "maintenance"], rows)
      .expect(in: "docs/reference/servers.md")
  }

  /// The caches in the order of messages.
  private static let caches = ServerKind.all.compactMap(\.cache)
}
