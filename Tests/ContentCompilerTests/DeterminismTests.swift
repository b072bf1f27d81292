import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// Equal builds of equal content, and a second implementation of resolution.
@Suite struct DeterminismTests {
  @Test(arguments: 1...2)
  func makesTheSameBytesInParallelBuilds(seed: UInt64) async throws {
    let content = RandomContent(seed: seed, entries: 70)
    let first = try content.shop()
    #expect(first.isBuilt, "\(first.findings)")
    try await withThrowingTaskGroup(of: Shop.self) { group in
      for _ in 0..<2 { group.addTask { try content.shop() } }
      for try await shop in group {
        #expect(shop.build?.config.bytes == first.build?.config.bytes)
        #expect(Set(shop.objects.keys) == Set(first.objects.keys))
        #expect(shop.findings == first.findings)
        #expect(shop.build?.links.map(\.path) == first.build?.links.map(\.path))
        #expect(shop.build?.files.map(\.bytes) == first.build?.files.map(\.bytes))
      }
    }
  }

  /// Compares results of several threads: entries, bundles of all kinds, and the state.
  @Test func makesTheSameStateInParallelBuilds() async throws {
    let folder = Self.contentOfAllKinds(RandomContent(seed: 7, entries: 60))
    let first = try Self.configAndState(folder)
    try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
      for _ in 0..<6 { group.addTask { try Self.configAndState(folder) } }
      for try await build in group { #expect(build == first) }
    }
  }

  /// The entries as three datatypes in bundles of all kinds, and a fourth one without a bundle.
  private static func contentOfAllKinds(_ content: RandomContent) -> ContentFolder {
    var files = [
      "content.yaml": """
      app: shop
      sourceLocale: en
      locales: [en, en-GB, fr, fr-CA]
      devices: {phone: {}, tablet: {}, ipad: {parent: tablet}}
      bundles:
        all: {include: ['a/*', 'b/*'], startup: true}
        first: {include: 'a/*', sort: [number], format: json}
        second: {include: ['b/*', 'strings/*'], format: xml}
        third: {include: 'c/*', split: entry}
      """, "strings/app.yaml": "en: {yes: 'Yes'}\nfr: {yes: Oui}",
      "maintenance.yaml": "title: Soon",
    ]
    let datatypes = ["a", "b", "c", "d"]
    for name in datatypes {
      files["datatypes/\(name).yaml"] = "open: true\nfields: {number: integer}"
    }
    for (index, layers) in content.entries.enumerated() {
      let name = datatypes[index % 4]
      for (overlay, node) in layers {
        files["entries/\(name)/e\(index)\(overlay).yaml"] = node.text
      }
      files["entries/\(name).yaml", default: ""] += "m\(index): {number: \(index)}\n"
      files["entries/\(name).fr.yaml", default: ""] += "m\(index): {text: \(index)}\n"
    }
    return ContentFolder(files: files.mapValues { Array($0.utf8) })
  }

  /// The config and the state of a build.
  private static func configAndState(_ folder: ContentFolder) throws -> [[UInt8]] {
    let read = ContentReader.read(folder)
    let compiled = try compile(try #require(read.output), at: Shop.noon, remembers: true) { _ in }
    let build = try #require(compiled.output, "\(read.diagnostics + compiled.diagnostics)")
    return [build.config.bytes, try #require(build.state?.encoded)]
  }

  @Test(arguments: 1...6)
  func matchesASecondImplementation(seed: UInt64) throws {
    let content = RandomContent(seed: seed, entries: 30)
    let shop = try content.shop()
    for context in ["en/any", "en/ipad", "en-GB/phone", "fr/tablet", "fr-CA/ipad", "fr-CA/any"] {
      let bundle = try #require(try Reader(context).bundle("all", in: shop), "\(shop.findings)")
      for entry in content.entries.indices {
        let expected = content.value(of: entry, in: context)
        #expect(
          bundle["entries"]?["item/e\(entry)"]?["content"] == expected,
          "\(context) \(content.entries[entry])")
      }
    }
  }
}
