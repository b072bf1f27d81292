package import ContentModel
package import PropertyLists

/// A property list of a site, read part by part whatever its format is.
package struct Document: Sendable {
  /// The outermost value.
  package let root: BinaryPropertyList.Node
  /// The format in which the site has it; formats other than binary have some values as text.
  package let format: PropertyListFormat

  /// Opens bytes; text formats are converted, so that all later reads are alike.
  ///
  /// - Throws: `PropertyListDecodingError`, `PropertyListEncodingError`.
  package init(_ bytes: [UInt8]) throws {
    if bytes.starts(with: Self.magic) {
      self.init(try BinaryPropertyList(bytes).root, format: .binary)
    } else {
      let (value, format) = try PropertyList.decode(bytes)
      let binary = try PropertyList.encode(value, as: .binary)
      self.init(try BinaryPropertyList(binary).root, format: format)
    }
  }

  init(_ root: BinaryPropertyList.Node, format: PropertyListFormat) {
    (self.root, self.format) = (root, format)
  }

  private static let magic = Array("bplist".utf8)
}

extension Document {
  /// The `format` of indexes, lists of parts and bundles.
  package static let newest = 1

  /// The fact that the document has a later `format`; `nil` for every other one.
  package var newerFormat: NewerFormat? {
    NewerFormat(root.member("format")?.contentsIfReadable, above: Self.newest)
  }

  /// Checks the `format`.
  ///
  /// - Throws: `SiteIndex.Damage`, which names the document as `name` does, for another format.
  func requireFormat(_ name: String) throws(SiteIndex.Damage) {
    if let newerFormat { throw SiteIndex.Damage(reason: newerFormat.sentence(about: name)) }
    guard root.member("format")?.contentsIfReadable?.number == Self.newest else {
      throw SiteIndex.Damage(reason: "\(name) has another format")
    }
  }
}

extension BinaryPropertyList.Node {
  /// The value of a key; `nil` if it is missing or cannot be read.
  package func member(_ key: String) -> Self? { salvagedMember(key) }

  /// The value without the parts that cannot be read; `nil` if it cannot be read itself.
  ///
  /// A list's item whose dates cannot be read is left out.
  package var contentsIfReadable: Value? { salvagedValue(withWhole: "when") }
}

extension Value {
  /// The member of a key, or the item at a position.
  package func part(_ key: String) -> Value? {
    guard let items else { return self[key] }
    return Int(key).flatMap { items.indices.contains($0) ? items[$0] : nil }
  }
}
