import ContentSource
import Foundation
import Testing

@testable import ContentCaches

/// The tables of caches and servers in the documentation, which members of the caches state.
///
/// `make golden` records them.
@Suite(.serialized) struct CacheGoldenTests {
  private static let checkout = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }
    .joined()

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
    try expect(
      rows, below: "| cache | settings | what is purged | counts `Age` |", in: "publishing")
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
    try expect(
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
      }, below: "| setting | of | value |", in: "publishing")
  }

  @Test func documentsEachServer() throws {
    let rows = ServerKind.all.map { kind in
      ["`\(kind.name)`", kind.summary, kind.purges, kind.maintenance?.rawValue ?? ""]
    }
    try expect(rows, below: "| name | role | purge | maintenance |", in: "servers")
  }

  /// The caches in the order of messages.
  private static let caches = ServerKind.all.compactMap(\.cache)

  /// Compares the table below a heading on a page, or records the table and fails.
  private func expect(
    _ rows: [[String]], below heading: String, in page: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let path = "\(Self.checkout)/docs/\(page).md"
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let start = try #require(lines.firstIndex(of: heading), sourceLocation: location) + 2
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let table = rows.map { cells in
      "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil else {
      #expect(
        Array(lines[start..<end]) == table, "'make golden' records it", sourceLocation: location)
      return
    }
    lines.replaceSubrange(start..<end, with: table)
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    Issue.record("recorded \(path)", sourceLocation: location)
  }
}
