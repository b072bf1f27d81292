import ContentModel

extension BinaryPropertyList.Node {
  /// The value under a key; `nil` if there is none, or this is no dictionary.
  ///
  /// Halves the members where they stand by code point, as contentc writes them; a key that is not
  /// found so is looked for among all. No key becomes a `String`. If a file wrongly has a key
  /// twice, this gives either.
  public subscript(key: String) -> Self? {
    get throws(PropertyListDecodingError) {
      guard object.kind == .dictionary else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        guard let place = try file.place(of: key, in: object) else { return nil }
        return try child(object.count + place, in: file)
      }
    }
  }

  /// The item at an index; `nil` past the end, or if this is no array.
  public subscript(index: Int) -> Self? {
    get throws(PropertyListDecodingError) {
      guard object.kind == .array, object.count > index, index >= 0 else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try child(index, in: file)
      }
    }
  }

  /// All items in order; none if this is no array.
  public var items: [Self] {
    get throws(PropertyListDecodingError) {
      guard object.kind == .array else { return [] }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try children(from: 0, in: file)
      }
    }
  }

  /// All members in the file's order; none if this is no dictionary.
  ///
  /// Throws if a key stands there twice, or is no string.
  public var members: [(key: String, value: Self)] {
    get throws(PropertyListDecodingError) {
      guard object.kind == .dictionary else { return [] }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        let keys = try file.keys(of: object)
        return Array(
          zip(keys, try children(from: object.count, in: file)).map { (key: $0, value: $1) })
      }
    }
  }

  private func children(from first: Int, in file: BinaryFile) throws(PropertyListDecodingError)
    -> [Self]
  {
    var all: [Self] = []
    all.reserveCapacity(object.count)
    for index in first..<first + object.count { all.append(try child(index, in: file)) }
    return all
  }

  /// What a reference of this container leads to.
  private func child(_ index: Int, in file: BinaryFile) throws(PropertyListDecodingError) -> Self {
    let number = file.reference(index, of: object)
    let found = try file.object(at: file.offset(of: number))
    // Only a file that contains itself has no end; this is where a walk down such a file stops.
    if found.isContainer, depth + 1 >= PropertyList.depthLimit {
      throw file.failure(.tooDeep, at: found.start)
    }
    return Self(contents: contents, object: found, number: number, depth: depth + 1)
  }
}
