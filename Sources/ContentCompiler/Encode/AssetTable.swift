import ContentModel
import ContentSource
import Diagnostics
import Markdown
import PropertyLists
import Synchronization

/// The assets that content uses, and their values in bundles.
///
/// A class, since the threads that resolve entries share it.
final class AssetTable: Sendable {
  /// The table of content without assets.
  static let none = AssetTable([], in: ContentFolder(files: [:]))

  private let all: [ExactString: Slot]
  /// The published pages of Markdown texts, by name.
  private let pages = Mutex<[Digest: OutputObject]>([:])
  private let folder: ContentFolder

  /// An asset, and its row once it is read.
  ///
  /// A class, since threads that need the row wait for the thread that reads it.
  private final class Slot: Sendable {
    let asset: Asset
    let row = Mutex<Row?>(nil)

    init(_ asset: Asset) { self.asset = asset }
  }

  fileprivate struct Row: Sendable {
    var type: String
    var size: PixelSize?
    var scales: [(scale: Int, object: OutputObject)]
    var sources: [ContentTree.SourceFile] = []
    var diagnostics: [Diagnostic] = []
    /// `true` if the build publishes it; an asset of withheld content is only checked.
    var isPublished = false
  }

  /// The table of a folder's assets; none of them is read yet.
  init(_ assets: [Asset], in folder: ContentFolder) {
    all = Dictionary(firstOf: assets.map { ($0.path, Slot($0)) })
    self.folder = folder
  }

  private func row(_ path: String) -> Row? { all[path]?.row.withLock { $0 } }

  /// The rows of assets that were read, in order of paths.
  private var rows: [Row] { all.names.compactMap(row) }

  /// The value of a field of type `asset`.
  func value(of path: String, in format: PropertyListFormat) -> Value {
    guard let row = row(path) else { return .dictionary(Members()) }
    let scales = row.scales.map { ("\($0)", Self.file($1, in: format)) }
    var members: Members = ["type": .string(row.type), "scales": .dictionary(Members(scales))]
    if let size = row.size {
      members["width"] = Value.integer(Int64(size.width))
      members["height"] = Value.integer(Int64(size.height))
    }
    return .dictionary(members)
  }

  private static func file(_ object: OutputObject, in format: PropertyListFormat) -> Value {
    [
      "object": object.digest.value(in: format), "path": .string(object.path),
      "size": .integer(Int64(object.bytes.count)),
    ]
  }

  /// The value of a Markdown text's page, which has the form of an asset.
  func pageValue(of markdown: ResolvedMarkdown, in format: PropertyListFormat) -> Value {
    ["type": "text/html", "scales": ["1": Self.file(page(of: markdown), in: format)]]
  }

  /// The page of a Markdown text; its pictures must be read before.
  func page(of markdown: ResolvedMarkdown) -> OutputObject {
    let html = MarkdownPage.html(
      of: markdown.text, language: markdown.locale.identifier,
      isRightToLeft: markdown.locale.isRightToLeft
    ) { path in
      // Pages and pictures are two folders below `objects`.
      self.row(path)?.scales.first.map { String($0.object.path.dropFirst("objects/".count)) }
        .map { "../\($0)" } ?? ""
    }
    return OutputObject(bytes: Array(html.utf8), fileExtension: "html")
  }

  /// Publishes the page of a Markdown text; returns its name.
  func publish(_ markdown: ResolvedMarkdown) -> Digest {
    let page = page(of: markdown)
    return pages.withLock { pages in
      pages[page.digest] = page
      return page.digest
    }
  }

  /// Every object that the build publishes: assets by path and scale, then pages by name.
  var objects: [OutputObject] {
    let pages = pages.withLock { $0.values.sorted { $0.digest < $1.digest } }
    return rows.filter(\.isPublished).flatMap { $0.scales.map(\.object) } + pages
  }

  /// The files that were read.
  var sources: [ContentTree.SourceFile] { rows.flatMap(\.sources) }

  /// The paths of the files that the build record must not name.
  var withheldSources: Set<ExactString> {
    Set(rows.filter { !$0.isPublished }.flatMap { $0.sources.map { ExactString($0.path) } })
  }

  /// The problems of the assets that were read.
  var diagnostics: [Diagnostic] { rows.flatMap(\.diagnostics) }

  /// The objects of one asset.
  func digests(of path: String) -> [Digest] { row(path)?.scales.map(\.object.digest) ?? [] }

  /// Reads assets that are published, if they are not read yet.
  ///
  /// Width and height are those at scale 1, in pixels.
  func read(_ paths: [String]) { read(paths, publishes: true) }

  /// Reads assets under an embargo, so that their problems are reported in time.
  func check(_ paths: [String]) { read(paths, publishes: false) }

  private func read(_ paths: [String], publishes: Bool) {
    for slot in paths.compactMap({ all[$0] }) {
      slot.row.withLock { row in
        if row == nil { row = Row(of: slot.asset, in: folder) }
        if publishes { row?.isPublished = true }
      }
    }
  }
}

extension AssetTable.Row {
  fileprivate init(of asset: Asset, in folder: ContentFolder) {
    let type = MediaType.of(ending: Asset.fileExtension(of: asset.path) ?? "")
    self.init(type: type, size: nil, scales: [])
    for (scale, file) in asset.variants {
      let place = SourceLocation(path: folder.shownPath(file))
      do {
        let bytes = try folder.read(file)
        // Another form of extension is reported where the content names the asset.
        let object = OutputObject(
          bytes: bytes, fileExtension: Asset.fileExtension(of: asset.path) ?? "bin")
        scales.append((scale, object))
        sources.append(ContentTree.SourceFile(path: file, size: bytes.count, digest: object.digest))
        diagnostics += measure(PixelSize(bytes), scale: scale, at: place)
      } catch {
        diagnostics.append(error.diagnostic(at: place.path.text))
      }
    }
  }

  /// Types from whose files width and height are read.
  private static let measuredTypes = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml",
  ]

  /// Takes the size from the first scale, and checks that the others agree with it.
  private mutating func measure(_ pixels: PixelSize?, scale: Int, at place: SourceLocation)
    -> [Diagnostic]
  {
    guard let pixels else {
      guard Self.measuredTypes.contains(type) else { return [] }
      return [
        Diagnostic(
          .error, rule: .badImage, at: place,
          message: "an image must be readable as \(type); its size cannot be found")
      ]
    }
    guard let size else {
      self.size = PixelSize(width: pixels.width / scale, height: pixels.height / scale)
      return []
    }
    let expected = PixelSize(width: size.width * scale, height: size.height * scale)
    guard pixels != expected else { return [] }
    return [
      Diagnostic(
        .warning, rule: .assetScale, at: place,
        message:
          "an image at scale \(scale) must be \(expected.width) × \(expected.height); it is \(pixels.width) × \(pixels.height)"
      )
    ]
  }
}
