import ContentBuild
import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// The sizes of the bundles that readers fetch.
@Suite struct SizesTests {
  private static let texts = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr]
    devices: {phone: {}}
    format: json
    bundles:
      all: {include: "product/*", startup: true}
      each: {include: "product/*", split: entry}
    """,
    "datatypes/product.yaml":
      "fields: {title: {type: string, localized: true}, sku: {type: string}}",
    "entries/product/lily.yaml": "{title: Lily, sku: l}",
    "entries/product/rose.yaml": "{title: Rose, sku: r1}",
    "entries/product/rose.fr.yaml": "title: Rose rouge",
  ]

  /// Returns a build of these files that is not written to its folder.
  private func files() throws -> (files: BuildFiles, fresh: FreshFiles) {
    let tree = try #require(ContentReader.read(ContentFolder(texts: Self.texts)).output)
    let objects = Mutex<[OutputObject]>([])
    let moment = Instant(secondsSince1970: 1_000_000_000)
    let compiled = try compile(tree, at: moment) { object in objects.withLock { $0.append(object) }
    }
    let build = try #require(compiled.output)
    let fresh = FreshFiles()
    fresh.add([ExactString(build.config.path): build.config.bytes])
    for object in objects.withLock({ $0 }) {
      let hex = object.digest.hex
      fresh.add([
        ExactString("objects/\(hex.prefix(2))/\(hex).\(object.fileExtension)"): object.bytes
      ])
    }
    let source = PreviewSource(
      content: "content", out: "none", fresh: fresh, build: { _ in .busy }, read: { nil },
      now: { moment })
    return (BuildFiles(source), fresh)
  }

  private func bytes(_ object: SizedObject, _ fresh: FreshFiles) -> Int? {
    let hex = object.digest.hex
    return fresh["objects/\(hex.prefix(2))/\(hex).json"]?.count
  }

  @Test func sumsTheObjectsOfEachBundle() throws {
    let (files, fresh) = try files()
    let sizes = BuildSizes(files).read()
    let contexts = sizes.contexts
    #expect(contexts.map(\.name) == ["en/any", "en/phone", "fr/any", "fr/phone"])
    let all = contexts[0].bundles[0]
    #expect(
      all.name == "all" && all.isStartup && !all.isSplit && all.entries == 2
        && all.objects.count == 1)
    let each = contexts[0].bundles[1]
    #expect(
      each.name == "each" && !each.isStartup && each.isSplit && each.entries == 2
        && each.objects.count == 3)
    for object in contexts.flatMap(\.objects) {
      #expect(object.bytes == bytes(object, fresh))
      #expect(object.gzip > 0 && object.gzip <= object.bytes)
    }
    let page = SizesJSON(generation: 7, sizes: sizes).members
    guard case .array(let rows)? = page["contexts"], case .array(let bundles)? = rows[0]["bundles"]
    else {
      throw Problem("no contexts")
    }
    let sum = each.objects.reduce(0) { $0 + $1.bytes }
    #expect(bundles[1]["bytes"] == .integer(Int64(sum)) && bundles[1]["split"] == true)
    #expect(bundles[1]["object"] == .string(each.objects[0].digest.hex))
    #expect(bundles[0]["startup"] == true && bundles[0]["split"] == nil)
    #expect(rows[0]["bytes"] == .integer(Int64(sum + all.objects[0].bytes)))
    #expect(page["sharing"] == nil)
  }

  @Test func listsTheLargestEntriesFirst() throws {
    let largest = BuildSizes(try files().files).read().largest
    let rose: Value = ["datatype": "product", "content": ["title": "Rose", "sku": "r1"]]
    #expect(largest.map(\.entry) == ["product/rose", "product/lily"])
    #expect(largest[0].bytes == (try PropertyList.encode(rose, as: .json)).count)
    #expect(largest[0].bundle == "all")
  }

  @Test func sumsTheObjectsThatTwoContextsShare() throws {
    let page = SizesJSON(generation: 1, sizes: BuildSizes(try files().files).read())
    let same = try page.members(sharing: "en/any", with: "en/phone")["sharing"]
    #expect(same?["sharedObjects"] == 4 && same?["sharedBytes"] == same?["bytes"])
    #expect(
      same?["a"] == ["locale": "en", "device": "any"]
        && same?["b"] == ["locale": "en", "device": "phone"])
    let lily = try page.members(sharing: "fr/any", with: "en/any")["sharing"]
    // Of the French reader's two parts, one is in English.
    #expect(lily?["sharedObjects"] == 1)
    #expect(throws: RequestError.self) { try page.members(sharing: "fr/any", with: "en/ipad") }
  }

  @Test func readsAgainAfterABuild() throws {
    let (files, fresh) = try files()
    let sizes = BuildSizes(files)
    #expect(sizes.read().contexts.count == 4)
    fresh.add([ExactString("preview/config.json"): Array("{}".utf8)])
    #expect(sizes.read().contexts.isEmpty)
    fresh.removeAll()
    #expect(sizes.read().contexts.isEmpty)
  }
}
