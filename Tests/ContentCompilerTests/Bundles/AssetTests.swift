import ContentModel
import ContentSource
import Diagnostics
import Synchronization
import Testing

@testable import ContentCompiler

/// The assets of content; `docs/reference/content.md`, "Assets".
@Suite struct AssetTests {
  private static let fields = "{p: asset, l: {type: list, of: asset}}"

  @Test func haveTypeSizeAndScales() throws {
    let assets: [String: [UInt8]] = [
      "assets/flowers/rose.png": .png(10, 20), "assets/flowers/rose@2x.png": .png(20, 40),
      "assets/flowers/rose@3x.png": .png(30, 60),
      "assets/unused.png": .png(7, 7),
    ]
    let shop = try Shop(
      ["item/a": "{p: flowers/rose.png, l: [flowers/rose.png]}"], fields: Self.fields,
      assets: assets)
    let value = try #require(
      try Reader("fr/ipad").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["p"])
    #expect(value.keys == ["height", "scales", "type", "width"])
    #expect(value["type"] == "image/png" && value["width"] == 10 && value["height"] == 20)
    #expect(value["scales"]?.keys == ["1", "2", "3"])
    #expect(value["scales"]?["2"]?["size"] == .integer(Int64([UInt8].png(20, 40).count)))
    #expect(try shop.bytes(value["scales"]?["2"]?["object"]) == .png(20, 40))
    #expect(shop.objects.values.filter { $0.fileExtension == "png" }.count == 3)
  }

  @Test func nameTheFileOfEachScale() throws {
    let assets: [String: [UInt8]] = [
      "assets/Rose.PNG": .png(10, 20), "assets/Rose@2x.PNG": .png(20, 40),
    ]
    let shop = try Shop(["item/a": "p: Rose.PNG"], fields: Self.fields, assets: assets)
    let value = try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["p"]
    let hexes = [[UInt8].png(10, 20), .png(20, 40)].map { Digest(of: $0).hex }
    let paths = hexes.map { Value.string("objects/\($0.prefix(2))/\($0).png") }
    #expect([value?["scales"]?["1"]?["path"], value?["scales"]?["2"]?["path"]] == paths)
    #expect(value?["type"] == "image/png")
  }

  @Test(arguments: [
    "terms", "terms.", "terms.tar_gz", "terms.ninechars", "terms.päf", "folder.pdf/terms",
  ])
  func areRejectedWithAnUnusualExtension(name: String) throws {
    let shop = try Shop(
      ["item/a": "l:\n- \(name)"], fields: Self.fields,
      assets: ["assets/\(name)": [1], "assets/unused.a_b": [2]])
    let found = shop.diagnostics.first
    #expect(
      !shop.isBuilt && shop.diagnostics.count == 1 && found?.id == "asset-ending",
      "\(shop.findings)")
    #expect(found?.location?.range?.start == SourcePosition(line: 2, column: 3))
    #expect(found?.message.contains("'\(name)'") == true)
  }

  /// Threads that need an asset at the same time wait for the first of them.
  @Test func areReadOnce() throws {
    var texts = [
      "content.yaml":
        "app: shop\nsourceLocale: en\nlocales: [en]\nbundles: {a: {include: 'item/*'}, b: {include: 'item/*'}}",
      "datatypes/item.yaml": "fields: \(Self.fields)",
      "datatypes/other.yaml": "fields: \(Self.fields)",
      "entries/other/alone.yaml": "p: alone.png",
    ]
    for number in 10..<50 { texts["entries/item/a\(number).yaml"] = "p: rose.png" }
    let assets: [String: [UInt8]] = [
      "assets/rose.png": .png(10, 20), "assets/rose@2x.png": .png(20, 41),
      "assets/alone.png": .png(1, 1),
    ]
    let folder = ContentFolder(files: texts.mapValues { Array($0.utf8) }.merging(assets) { $1 })
    let counts = Counts()
    var counting = folder
    counting.read = { path throws(ContentFolder.Problem) in
      counts.add(path)
      return try folder.read(path)
    }
    let shop = try Shop(counting)
    #expect(counts.all.filter { $0.key.hasPrefix("assets/") } == assets.mapValues { _ in 1 })
    #expect(shop.diagnostics.map(\.id) == ["unbundled-entry", "asset-scale"])
    #expect(shop.objects.values.filter { $0.fileExtension == "png" }.count == 3)
    #expect(shop.build?.assetSources.map(\.path).sorted() == assets.keys.sorted())

    var broken = folder
    broken.read = { path throws(ContentFolder.Problem) in
      if path == "assets/rose.png" { throw .missing }
      return try folder.read(path)
    }
    let unbuilt = try Shop(broken)
    #expect(
      !unbuilt.isBuilt
        && unbuilt.diagnostics.filter { $0.location?.path == "content/assets/rose.png" }.count == 1)
  }

  /// The number of reads of each file.
  private final class Counts: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ path: String) { counts.withLock { $0[path, default: 0] += 1 } }
    var all: [String: Int] { counts.withLock { $0 } }
  }

  @Test func halveTheSizeIfOnlyADoubleScaleExists() throws {
    let shop = try Shop(
      ["item/a": "p: rose.png"], fields: Self.fields, assets: ["assets/rose@2x.png": .png(20, 40)])
    let value = try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["p"]
    #expect(value?["width"] == 10 && value?["height"] == 20 && value?["scales"]?.keys == ["2"])
  }

  @Test func areReplacedByOverlays() throws {
    let assets: [String: [UInt8]] = ["assets/a.png": .png(1, 1), "assets/b.png": .png(2, 2)]
    let shop = try Shop(
      ["item/a": "p: a.png", "item/a@ipad": "p: b.png"], fields: Self.fields, assets: assets)
    let widths = try ["en", "fr/ipad"].map {
      try Reader($0).bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["p"]?["width"]
    }
    #expect(widths == [1, 2])
  }

  @Test func haveNoDimensionsIfTheyAreNoImages() throws {
    let shop = try Shop(
      ["item/a": "p: terms.pdf"], fields: Self.fields,
      assets: ["assets/terms.pdf": Array("%PDF-1.7".utf8)])
    let value = try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["p"]
    #expect(value?["type"] == "application/pdf" && value?["width"] == nil)
    #expect(shop.objects.values.contains { $0.fileExtension == "pdf" })
  }

  @Test(arguments: ["p: rosa.png", "l: [rose.png, rosa.png]", "p: ../rose.png", "p: rose@2x.png"])
  func areRejectedIfTheyDoNotExist(text: String) throws {
    let shop = try Shop(
      ["item/a": text], fields: Self.fields,
      assets: ["assets/rose.png": .png(1, 1), "assets/rose@2x.png": .png(2, 2)])
    #expect(!shop.isBuilt && shop.findings("unknown-asset").count == 1, "\(shop.findings)")
    #expect(shop.diagnostics.first?.message.contains("'rose.png'") == true)
  }

  @Test func areRejectedIfTheImageIsUnreadable() throws {
    let shop = try Shop(
      ["item/a": "p: rose.png"], fields: Self.fields, assets: ["assets/rose.png": [1, 2, 3]])
    #expect(!shop.isBuilt && shop.findings.count == 1)
  }

  @Test func warnAboutAWrongScale() throws {
    let shop = try Shop(
      ["item/a": "p: rose.png"], fields: Self.fields,
      assets: ["assets/rose.png": .png(10, 10), "assets/rose@2x.png": .png(19, 20)])
    #expect(shop.isBuilt && shop.diagnostics.map(\.severity) == [.warning])
  }

  @Test func areRecordedWithTheirEntries() throws {
    let shop = try Shop(
      ["item/a": "p: a.png"], fields: Self.fields, assets: ["assets/a.png": .png(1, 1)])
    let hash = Value.data(Digest(of: [UInt8].png(1, 1)).bytes)
    #expect(try shop.recordedEntries["item/a"]?.items.contains(hash) == true)
  }
}

extension [UInt8] {
  /// The head of a PNG of a size: signature, and the header chunk without its check sum.
  static func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
    [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
      width, 0, 0, 0,
      height, 8, 6, 0, 0, 0,
    ]
  }
}
