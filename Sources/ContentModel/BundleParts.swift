/// The object with the rows of a split bundle's parts.
///
/// A bundle that is split by entry has a part for each entry, and an object called a list. One that
/// is split by place has a part for each tile of the map, and an object called a directory. Each
/// part is a bundle of its own.
package struct BundleParts: Hashable, Sendable {
  /// The parts of a split bundle.
  package enum Kind: CaseIterable, Sendable {
    case entries, tiles

    /// The key of the object in the bundle's row.
    package var rowKey: String { self == .entries ? "list" : "tiles" }

    /// The key of the rows in the object.
    package var objectKey: String { self == .entries ? "entries" : "tiles" }

    /// Returns the name of a part: `product/rose`, or `stores/t0123` for the tile `0123`.
    package func name(of key: String, in bundle: String) -> String {
      self == .entries ? "\(bundle)/\(key)" : "\(bundle)/t\(key)"
    }

    /// Returns the key of a part; `nil` for another name.
    package func key(of name: String, in bundle: String) -> String? {
      let start = self.name(of: "", in: bundle)
      guard name.utf8.starts(with: start.utf8) else { return nil }
      return String(decoding: name.utf8.dropFirst(start.utf8.count), as: UTF8.self)
    }
  }

  package let kind: Kind
  /// The hash of the object.
  package let digest: Digest

  /// Reads the row of a bundle in an index; `nil` if the bundle is not split.
  package init?(_ row: Value) {
    let found = Kind.allCases.lazy.compactMap { kind in
      row[kind.rowKey]?.digest.map { (kind, $0) }
    }
    guard let (kind, digest) = found.first else { return nil }
    (self.kind, self.digest) = (kind, digest)
  }

  /// Returns the rows of the parts, by the key that completes a part's name.
  package func rows(in object: Value?) -> Members {
    object?[kind.objectKey]?.members ?? Members()
  }

  /// Returns the name of a part.
  package func name(of key: String, in bundle: String) -> String { kind.name(of: key, in: bundle) }

  /// Returns the key of a part; `nil` for another name.
  package func key(of name: String, in bundle: String) -> String? {
    kind.key(of: name, in: bundle)
  }

  /// Returns the number of entries that the bundle's row states: in a list, each part has one.
  package func count(of rows: Members) -> Int {
    if kind == .entries { return rows.count }
    // A sum of foreign numbers can overflow.
    return rows.values.reduce(0) {
      $0.addingReportingOverflow($1["count"]?.number ?? 0).partialValue
    }
  }
}
