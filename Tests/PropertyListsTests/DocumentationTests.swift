import ContentModel
import Foundation
import PropertyLists
import TestInputs
import Testing

/// Compiles and runs the examples of the documentation of `ContentModel` and `PropertyLists`.
@Suite struct DocumentationTests {
  /// Receives the values that examples show.
  private func show(_ items: Any?...) {}

  @Test func runsTheExamplesOfValues() throws {
    do {
      let product: Value = ["title": "Rose", "price": 39.5, "tags": ["red", "garden"]]
      if case .dictionary(let members) = product { show(members["title"]) }
    }
    do {
      var members: Members = ["title": "Rose", "price": 39.5]
      members["price"] = 42
      for (key, value) in members { show(key, value) }
      #expect(members.map(\.value) == [42, "Rose"])
    }
    do {
      let digest = Digest(hex: String(repeating: "0a", count: 32))
      #expect(digest?.bytes == Array(repeating: 10, count: 32))
    }
    do {
      let label: FieldPath = "badges.0.label"
      let version = FieldPath(keys: ["versions", "2.0"])
      #expect(label.keys == ["badges", "0", "label"] && version.keys.count == 2)
    }
    do {
      let version = FieldPath(keys: ["versions", "2.0"])
      let label = FieldPath("badges.0.label")
      #expect(label != version)
    }
    do {
      let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
      let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
      if let berlin, let paris {
        let kilometres = berlin.distance(to: paris) / 1_000  // 877.46
        show(kilometres)
      }
      #expect(berlin?.latitude == 52.52 && paris?.longitude == 2.3522)
    }
  }

  @Test func runsTheExamplesOfTime() throws {
    do {
      let start = Instant(rfc3339: "2026-12-24T18:00:00+01:00")
      let text = start?.rfc3339  // 2026-12-24T17:00:00Z
      #expect(text == "2026-12-24T17:00:00Z")
    }
    do {
      let span = TimeSpan("1h30m")
      let seconds = span?.seconds  // 5400
      #expect(seconds == 5_400)
    }
  }

  @Test func runsTheExamplesOfLocales() throws {
    do {
      let tag = LocaleTag("ZH_hant_hk")
      let identifier = tag?.identifier  // zh-Hant-HK
      let parent = tag?.parent?.identifier  // zh-Hant
      #expect(identifier == "zh-Hant-HK" && parent == "zh-Hant")
    }
    do {
      let declared = ["en", "fr", "fr-CA"].compactMap { LocaleTag($0) }
      let locales = LocaleSet(declared: declared, source: declared[0])
      let chain = locales.chain(of: declared[2])  // fr-CA, fr, en
      let match = locales.match(["fr-CH", "de"])
      let served = match.locale ?? locales.source  // fr
      #expect(chain.map(\.identifier) == ["fr-CA", "fr", "en"] && served.identifier == "fr")
    }
    do {
      let declared = ["en", "fr", "zh-Hant"].compactMap { LocaleTag($0) }
      let locales = LocaleSet(declared: declared, source: declared[0])
      let match = locales.match(["zh-HK", "fr"])
      let served = match.locale ?? locales.source  // zh-Hant
      #expect(served.identifier == "zh-Hant")
    }
    do {
      let polish = try #require(LocaleTag("pl"))
      let category = PluralRules(polish).category(of: 3)  // few
      #expect(category == .few)
    }
    do {
      let french = try #require(LocaleTag("fr"))
      let rules = PluralRules(french)
      let none = rules.category(of: 0)  // one
      #expect(none == .one)
    }
  }

  @Test func runsTheExamplesOfEntries() throws {
    do {
      let id = EntryID("product/country-charm")
      let datatype = id?.datatype  // product
      #expect(datatype == "product")
    }
    do {
      let catalog: BundleName = "catalog"
      let names = ["catalog", "Catalog"].compactMap { BundleName($0) }  // ["catalog"]
      #expect(names == [catalog])
    }
    do {
      var condition = Condition()
      condition.countries = ["DE", "FR"]
      condition.from = Instant(rfc3339: "2026-12-01T00:00:00Z")
      let isVisible = condition.admits(country: "FR", version: nil)
      #expect(isVisible)
    }
    do {
      let tree = DeviceTree([
        DeviceTree.Device(name: "tablet", parent: "any"),
        DeviceTree.Device(name: "ipad", parent: "tablet"),
      ])
      let ancestry = tree?.ancestry(of: "ipad")  // ipad, tablet, any
      #expect(ancestry == ["ipad", "tablet", "any"])
    }
    do {
      let version = AppVersion("2.10")
      let range = VersionRange(">=2.0 <3.0")
      #expect(try #require(range).contains(try #require(version)))
    }
  }

  @Test func runsTheExamplesOfPropertyLists() throws {
    do {
      let value: Value = ["title": "Rose", "price": 39.5, "tags": ["red", "garden"]]
      let bytes = try PropertyList.encode(value, as: .binary)
      let (decoded, format) = try PropertyList.decode(bytes)
      #expect(decoded == value && format == .binary)
      let own = try PropertyList.decode(bytes, valueLimit: .max).value
      #expect(own == value)
    }
    do {
      let value: Value = ["entries": ["product/rose": ["title": "Rose", "price": 39.5]]]
      let bytes = try PropertyList.encode(value, as: .binary)
      let list = try BinaryPropertyList(bytes)
      let title = try list.root["entries"]?["product/rose"]?["title"]?.string  // Rose
      #expect(title == "Rose")
    }
    do {
      var shown = ""
      func show(_ text: String) { shown = text }
      do {
        _ = try PropertyList.decode(Array("[1,\n null]".utf8))
      } catch {
        // “JSON property list, line 2, column 2: property lists have no null”
        show(error.description)
      }
      #expect(shown == "JSON property list, line 2, column 2: property lists have no null")
    }
  }

  @Test func runsTheExamplesOfFiles() throws {
    let value: Value = ["entries": ["product/rose": ["title": "Rose", "price": 39.5]]]
    let path = NSTemporaryDirectory() + "contentc-\(UUID().uuidString).plist"
    try Data(PropertyList.encode(value, as: .binary)).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let bundle = try BinaryPropertyList(contentsOf: path)
      let title = try bundle.root["entries"]?["product/rose"]?["title"]?.string
      #expect(title == "Rose")
      let list = bundle
      do {
        let title = try list.root["entries"]?["product/rose"]?["title"]?.string
        #expect(title == "Rose")
      }
    }
    do {
      struct Product: Decodable {
        let title: String
        let price: Double
      }

      let bundle = try BinaryPropertyList(contentsOf: path)
      let rose = try bundle.root["entries"]?["product/rose"]
      let product = try ValueDecoder().decode(Product.self, from: rose)
      #expect(product.title == "Rose" && product.price == 39.5)
    }
    do {
      var decoder = ValueDecoder()
      decoder.make(URL.self) { value in
        if case .string(let text) = value { URL(string: text) } else { nil }
      }
      let url = try decoder.decode(URL.self, from: "https://shop.example")
      #expect(url.host() == "shop.example")
    }
  }

  /// Fails for an example in a module's documentation that this file does not contain.
  @Test(arguments: ["ContentModel", "PropertyLists"])
  func containsEveryExample(module: String) throws {
    let examples = try DocumentedExamples(in: "Sources/\(module)")
    #expect(try examples.missing(from: #filePath) == [])
    #expect(examples.count > 4)
  }
}
