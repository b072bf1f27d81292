package import ContentModel
import PropertyLists

/// The parts of a split bundle: a bundle for each entry, or for each tile of the map.
package struct SiteParts: Sendable {
  /// A tile with its bundle.
  package struct Tile: Sendable {
    package let quadkey: Quadkey
    package let name: BundleName
    /// The number of its entries, as the publisher says.
    package let count: Int
  }

  /// The rows by the names of the parts' bundles.
  package let rows: [BundleName: BundleRow]
  /// The tiles in order of quadkeys; empty for a bundle that is split by entry.
  package let tiles: [Tile]
  /// The field with the places of the entries; `nil` for a bundle that is split by entry.
  package let placeField: String?

  /// Reads the list or the directory of a split bundle.
  ///
  /// Rows that cannot be read are left out.
  ///
  /// - Throws: an error if the bytes are no property list with `format` 1.
  package init(_ bytes: [UInt8], of family: BundleName, ending: String) throws {
    let document = try Document(bytes)
    try document.requireFormat("a list of parts")
    let root = document.root
    var rows: [BundleName: BundleRow] = [:]
    var tiles: [Tile] = []
    for kind in BundleParts.Kind.allCases {
      let parts = root.member(kind.objectKey)?.contentsIfReadable?.members
      for (key, value) in parts ?? Members() {
        guard let name = BundleName(kind.name(of: key, in: family.text)),
          let row = BundleRow(value, ending: ending)
        else { continue }
        rows[name] = row
        if kind == .tiles, let quadkey = Quadkey(key) {
          let count = value["count"]?.number ?? 0
          tiles.append(Tile(quadkey: quadkey, name: name, count: count))
        }
      }
    }
    (self.rows, self.tiles) = (rows, tiles)
    placeField = root.member("place")?.contentsIfReadable?.text
  }
}
