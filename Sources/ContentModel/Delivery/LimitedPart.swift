/// A part of a release whose size has a limit: except for tiles, clients refuse a release with a
/// larger one.
///
/// All sizes are those of decoded bytes. Publishing and the client have these limits from here, so
/// that nothing can be published that every client refuses.
package struct LimitedPart: Sendable {
  /// The kinds of parts, in the order in which a client asks for them.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// The channel's config.
    case config
    /// The index of a locale and device, with the startup bundles.
    case index
    /// The list or the directory of a split bundle's parts.
    case list
    /// The texts for maintenance of a locale and device.
    case maintenance
    /// A tile of a bundle that is split by place; clients accept tiles of any size.
    case tile

    /// The most bytes that clients accept; of a tile, those that a reader can wait for.
    package var limit: Int { self == .config ? 64 << 10 : 4 << 20 }
  }

  package var kind: Kind
  /// The locale and device, the bundle or the tile; empty for config.
  package var name: String
  package var bytes: Int

  package init(_ kind: Kind, of name: String = "", bytes: Int) {
    (self.kind, self.name, self.bytes) = (kind, name, bytes)
  }

  /// `true` if clients refuse the part.
  package var isTooLarge: Bool { kind != .tile && bytes > kind.limit }

  /// `true` if the part has more than a quarter of its limit.
  package var isLarge: Bool { bytes > kind.limit / 4 }

  /// The part, its size and the limit.
  ///
  /// The size of an accepted part is a share, which most edits of content do not change.
  package var sentence: String {
    if kind == .tile {
      return "\(subject) has \(bytes >> 20) MB, and each reader near it loads all of it"
    }
    let most = kind == .config ? "64 kB" : "4 MB"
    return isTooLarge
      ? "\(subject) has \(bytes) bytes, and clients refuse more than \(kind.limit) (\(most))"
      : "\(subject) has \(bytes * 100 / kind.limit) % of the \(most) that clients accept"
  }

  /// The change that makes the part smaller.
  package var remedy: String {
    switch kind {
    case .config:
      "it names an index for each locale and device, and each locale's chain: have fewer of them"
    case .index: "it contains the startup bundles: remove 'startup: true' from large ones"
    case .list: "it has a row for each entry or tile: divide the bundle into several ones"
    case .maintenance: "it has the fields of maintenance.yaml: make them shorter"
    case .tile:
      "its places are closer together than 'minimumTile' allows for: make that shorter, divide the bundle, or leave out fields by a projection"
    }
  }

  private var subject: String {
    switch kind {
    case .config: "config, which every reader asks for,"
    case .index: "the index of '\(name)'"
    case .list: "a list of the split bundle '\(name)'"
    case .maintenance: "the maintenance payload of '\(name)'"
    case .tile: "the tile '\(name)'"
    }
  }
}

extension Sequence where Element == LimitedPart {
  /// The largest part of each kind that is large.
  package var large: [LimitedPart] {
    let large = filter(\.isLarge)
    return LimitedPart.Kind.allCases.compactMap { kind in
      large.filter { $0.kind == kind }.min { a, b in
        a.bytes == b.bytes ? a.name.precedesInBytes(b.name) : a.bytes > b.bytes
      }
    }
  }
}
