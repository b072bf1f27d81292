import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Synchronization
import Testing

@testable import ContentDelivery

/// A small shop with all that a purge must find its way through: split and projected bundles, one that travels in the index,
/// variants, overlays, lists and fields that name entries.
struct Shop {
  private var texts: [String: String] = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr, fr-CA, de]
    devices: {phone: {}}
    bundles:
      home: {include: screen/home, startup: true}
      catalog: {include: product/*, projection: light}
      product: {include: product/*, split: entry}
    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, required: true, localized: true}
      care: {type: text, localized: true}
      price: {type: number}
    projections:
      light: [title]
    """,
    "datatypes/screen.yaml": """
    open: true
    fields:
      products: {type: list, of: {type: reference, to: product}}
      hero: {type: reference, to: product}
    """,
    "entries/screen/home.yaml": "products: [product/rose, product/lily, product/iris]\nhero: product/iris\n",
    "entries/product/rose.yaml": "title: Rose\ncare: Water it.\nprice: 1\n",
    "entries/product/rose.fr.yaml": "title: La rose\n",
    "entries/product/lily.yaml": "title: Lily\ncare: Cool.\nprice: 2\nwhen: {country: [DE, FR]}\n",
    "entries/product/iris.yaml": "title: Iris\nprice: 3\n",
  ]

  /// The shop with some files in other words.
  init(_ edits: [String: String] = [:]) { texts.merge(edits) { $1 } }

  /// As a build would have left it.
  func content() throws -> ReleaseContent {
    let files = Mutex<[String: [UInt8]]>([:])
    let read = ContentReader.read(ContentFolder(texts: texts))
    let tree = try #require(read.output, "\(read.diagnostics)")
    let built = try compile(tree, at: Instant(secondsSince1970: 1_800_000_000)) { object in
      let name = object.digest.hex
      files.withLock { $0["objects/\(name.prefix(2))/\(name).\(object.fileExtension)"] = object.bytes }
    }
    let output = try #require(built.output, "\(built.diagnostics)")
    var all = files.withLock { $0 }
    all[output.config.path] = output.config.bytes
    let sealed = all
    return try ReleaseContent(built: "out") { sealed[$0] }
  }

  /// Publishes it.
  @discardableResult
  func publish(to place: ChannelPlace, run: String = "run", allowsPurged: Bool = false) throws -> Publisher.Outcome {
    var draft = Draft(content: try content())
    draft.allowsPurged = allowsPurged
    return try place.publisher(run: run).publish { _ in draft }
  }
}

extension ChannelPlace {
  /// What a person sees of an entry's field, by locale; no locale where there is no entry.
  func shown(_ id: String, _ field: String = "title") throws -> [String: String] {
    let reader = ReleaseReader(try #require(try live()).content(at: target))
    var shown: [String: String] = [:]
    for context in reader.contexts {
      for row in try reader.rows(context) where row.bundle.hasPrefix("product/") || row.bundle == "home" {
        guard let entry = try reader.entries(of: row.object)[id] else { continue }
        shown[context.locale] = entry["content"]?[field]?.text ?? "nothing"
      }
    }
    return shown
  }

  /// Every object that the live release names and that is not as it should be, or there, at all.
  func broken() throws -> [String] {
    let live = try #require(try live())
    let content = live.content(at: target)
    let reader = ReleaseReader(content)
    var named = Set(content.objects.map(\.digest))
    for object in content.objects {
      let stored = try target.read(object.key)
      if stored.map({ Digest(sha256: $0.bytes) == object.digest && $0.bytes.count == object.size }) != true { continue }
      named.remove(object.digest)
    }
    var broken = named.map(\.hex)
    for context in reader.contexts {
      for row in try reader.rows(context) where reader.object(row.object) == nil { broken.append("\(row)") }
      for row in try reader.rows(context) {
        guard let object = reader.object(row.object) else { continue }
        let order = try reader.value(of: row.object)["order"]?.items?.count
        if order != (try reader.entries(of: row.object)).count {
          broken.append("order of \(row.bundle), \(object.key)")
        }
      }
    }
    return broken
  }

  /// Every file at the target that holds a text.
  func files(holding text: String) throws -> [String] {
    let wanted = Array(text.utf8)
    return try target.list(below: "").map(\.key).filter { key in
      guard let bytes = try target.read(key)?.bytes, bytes.count >= wanted.count else { return false }
      return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
  }
}
