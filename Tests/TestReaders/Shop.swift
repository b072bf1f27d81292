import ContentCompiler
import ContentModel
import ContentPurging
package import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import Synchronization

/// A small shop with every structure that a purge must follow: split and projected bundles, a
/// startup bundle, variants, overlays, and lists and fields that refer to entries.
package struct Shop {
  private var texts: [String: String] = [
    "content.yaml": project(),
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
    "entries/screen/home.yaml":
      "products: [product/rose, product/lily, product/iris]\nhero: product/iris\n",
    "entries/product/rose.yaml": "title: Rose\ncare: Water it.\nprice: 1\n",
    "entries/product/rose.fr.yaml": "title: La rose\n",
    "entries/product/lily.yaml": "title: Lily\ncare: Cool.\nprice: 2\nwhen: {country: [DE, FR]}\n",
    "entries/product/iris.yaml": "title: Iris\nprice: 3\n",
  ]

  /// Returns a `content.yaml` of this shop with more settings, and more of the bundle `catalog`.
  package static func project(_ settings: String = "", catalog: String = "") -> String {
    """
    app: shop
    sourceLocale: en
    locales: [en, fr, fr-CA, de]
    devices: {phone: {}}
    bundles:
      home: {include: screen/home, startup: true}
      catalog: {include: product/*, projection: light\(catalog)}
      product: {include: product/*, split: entry}
    \(settings)
    """
  }

  /// Creates the shop with some files replaced.
  package init(_ edits: [String: String] = [:]) { texts.merge(edits) { $1 } }

  /// Returns the compiled content.
  package func content() throws -> ReleaseContent {
    let files = Mutex<[String: [UInt8]]>([:])
    let read = ContentReader.read(ContentFolder(texts: texts))
    guard let tree = read.output else { throw Unbuilt(what: "\(read.diagnostics)") }
    let built = try compile(tree, at: Instant(secondsSince1970: 1_800_000_000)) { object in
      let name = object.digest.hex
      files.withLock {
        $0["objects/\(name.prefix(2))/\(name).\(object.fileExtension)"] = object.bytes
      }
    }
    guard let output = built.output else { throw Unbuilt(what: "\(built.diagnostics)") }
    var all = files.withLock { $0 }
    all[output.config.path] = output.config.bytes
    let sealed = all
    return try ReleaseContent(built: "out") { path, _ in sealed[path].map(FileBody.bytes) }
  }

  /// Publishes the shop.
  @discardableResult
  package func publish(to place: ChannelPlace, run: String = "run", unpurged: Set<String> = [])
    throws
    -> Publisher.Outcome
  {
    var draft = Draft(content: try content())
    draft.readmitted = unpurged
    return try publisher(of: place, run: run).publish { _ in draft }
  }

  /// Returns a publisher with a fixed clock.
  package func publisher(of place: ChannelPlace, run: String = "run") -> Publisher {
    Publisher(
      place,
      configHeaders: FileHeaders(
        contentType: "application/x-plist", cacheControl: "public, max-age=600"),
      now: { Instant(secondsSince1970: 1_800_000_000) }, makeRunToken: { run },
      refusing: PurgeList.rule)
  }

  private struct Unbuilt: Error { var what: String }
}
