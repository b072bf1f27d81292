import ContentModel
import ContentSource
import Diagnostics

/// Every asset that content uses, as the value that a field becomes.
struct AssetTable: Sendable {
  private var rows: [String: Row] = [:]

  fileprivate struct Row: Sendable {
    var type: String
    var size: PixelSize?
    var scales: [(scale: Int, object: OutputObject)]
    var sources: [ContentTree.SourceFile] = []
  }

  /// What readers find in a field of type `asset`.
  func value(of path: String, in format: PropertyListFormat) -> Value {
    guard let row = rows[path] else { return .dictionary(Members()) }
    let scales = row.scales.map { scale, object -> (String, Value) in
      ("\(scale)", ["object": object.digest.value(in: format), "size": .integer(Int64(object.bytes.count))])
    }
    var members: Members = ["type": .string(row.type), "scales": .dictionary(Members(scales))]
    if let size = row.size {
      members["width"] = Value.integer(Int64(size.width))
      members["height"] = Value.integer(Int64(size.height))
    }
    return .dictionary(members)
  }

  /// Every object of the table, by asset and scale.
  var objects: [OutputObject] {
    rows.keys.sorted().flatMap { rows[$0]?.scales.map(\.object) ?? [] }
  }

  /// Every file that the table was read from.
  var sources: [ContentTree.SourceFile] { rows.keys.sorted().flatMap { rows[$0]?.sources ?? [] } }

  /// The objects of one asset.
  func digests(of path: String) -> [Digest] { rows[path]?.scales.map(\.object.digest) ?? [] }

  /// Reads those of the named assets that were not read yet; width and height are those at scale 1, in pixels.
  mutating func read(_ paths: Set<String>, in tree: ContentTree) -> [Diagnostic] {
    let new = paths.filter { rows[$0] == nil }
    guard !new.isEmpty else { return [] }
    var diagnostics: [Diagnostic] = []
    for asset in tree.assets where new.contains(asset.path) {
      var row = Row(type: MediaType.of(asset.path), size: nil, scales: [])
      for (scale, file) in asset.variants {
        let place = SourceLocation(path: tree.folder.shownPath(file))
        do {
          let bytes = try tree.folder.read(file)
          let object = OutputObject(bytes: bytes, fileExtension: MediaType.fileExtension(of: asset.path))
          row.scales.append((scale, object))
          row.sources.append(ContentTree.SourceFile(path: file, size: bytes.count, digest: object.digest))
          diagnostics += row.measure(PixelSize(bytes), scale: scale, at: place)
        } catch {
          diagnostics.append(error.diagnostic(at: place.path))
        }
      }
      rows[asset.path] = row
    }
    return diagnostics
  }
}

extension AssetTable.Row {
  /// Takes the size from the first scale; the others must agree with it.
  fileprivate mutating func measure(_ pixels: PixelSize?, scale: Int, at place: SourceLocation) -> [Diagnostic] {
    guard let pixels else {
      guard MediaType.isMeasured(type) else { return [] }
      return [
        Diagnostic(.error, "bad-image", at: place, "an image must be readable as \(type); its size cannot be found")
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
        .warning, "asset-scale", at: place,
        "an image at scale \(scale) must be \(expected.width) × \(expected.height); it is \(pixels.width) × \(pixels.height)"
      )
    ]
  }
}
