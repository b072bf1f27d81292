import ContentModel

extension BinaryPropertyList.Node {
  /// The value of a key; `nil` if the dictionary lacks the key, or if this is no dictionary.
  ///
  /// ```swift
  /// let title = try list.root["entries"]?["product/rose"]?["title"]?.string
  /// ```
  ///
  /// A binary search finds the key in O(log n) steps if the keys are sorted by code point, as in
  /// every file that ``PropertyList/encode(_:as:)`` writes; otherwise, a linear search follows.
  /// Keys match by bytes. If a malformed file has the key twice, the result is either value.
  ///
  /// - Throws: ``PropertyListDecodingError`` if a part of the file that the search reads is
  ///   malformed.
  public subscript(key: String) -> Self? {
    get throws(PropertyListDecodingError) {
      guard object.kind == .dictionary else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        guard let place = try file.place(of: key, in: object) else { return nil }
        return try child(object.count + place, in: file)
      }
    }
  }

  /// The item at an index from 0; `nil` outside the array, or if this is no array.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the item is malformed.
  public subscript(index: Int) -> Self? {
    get throws(PropertyListDecodingError) {
      guard object.kind == .array, object.count > index, index >= 0 else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try child(index, in: file)
      }
    }
  }

  /// The items in order; empty if this is no array.
  ///
  /// - Throws: ``PropertyListDecodingError`` if an item is malformed.
  public var items: [Self] {
    get throws(PropertyListDecodingError) {
      guard object.kind == .array else { return [] }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try children(from: 0, in: file)
      }
    }
  }

  /// The members in the file's order; empty if this is no dictionary.
  ///
  /// - Throws: ``PropertyListDecodingError`` if a member is malformed, a key occurs twice, or a key
  ///   is no string.
  public var members: [(key: String, value: Self)] {
    get throws(PropertyListDecodingError) {
      guard object.kind == .dictionary else { return [] }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        let values = try children(from: object.count, in: file)
        return Array(zip(try file.keys(of: object), values).map { (key: $0, value: $1) })
      }
    }
  }

  /// Returns the value that a binary search for a key finds; it misses keys if they are not sorted.
  package func sortedMember(_ key: String) throws(PropertyListDecodingError) -> Self? {
    guard object.kind == .dictionary else { return nil }
    var key = key
    return try contents.withFile { file throws(PropertyListDecodingError) in
      let place = try key.withBytes { wanted throws(PropertyListDecodingError) in
        try file.placeIfSorted(of: wanted, in: object)
      }
      guard let place else { return nil }
      return try child(object.count + place, in: file)
    }
  }

  /// `true` if ``sortedMember(_:)`` misses no key; `false` if a key is malformed.
  package var hasSortedKeys: Bool {
    guard object.kind == .dictionary else { return true }
    let isSorted = try? contents.withFile { file throws(PropertyListDecodingError) in
      try file.hasSortedKeys(object)
    }
    return isSorted ?? false
  }

  private func children(from first: Int, in file: BinaryFile) throws(PropertyListDecodingError)
    -> [Self]
  {
    // A reference takes one byte of the file, and a node eighty of memory.
    guard object.count <= PropertyList.valueLimit else {
      throw file.failure(.tooManyValues, at: object.start)
    }
    var all: [Self] = []
    all.reserveCapacity(object.count)
    for index in first..<first + object.count { all.append(try child(index, in: file)) }
    return all
  }

  /// Returns the node that a reference of this container refers to.
  func child(_ index: Int, in file: BinaryFile) throws(PropertyListDecodingError) -> Self {
    let number = file.reference(index, of: object)
    let found = try file.object(at: file.offset(of: number))
    // A walk down a container that contains itself ends here.
    if found.isContainer, depth + 1 >= PropertyList.depthLimit {
      throw file.failure(.tooDeep, at: found.start)
    }
    return Self(contents: contents, object: found, number: number, depth: depth + 1)
  }
}
