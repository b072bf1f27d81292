extension BinaryPropertyList.Node {
  /// Returns `true` if another value has the same structure and bytes, so that both are equal.
  ///
  /// Equal values can have different bytes, so `false` says nothing. Nothing is decoded.
  package func hasSameBytes(as other: Self) -> Bool {
    let isSame = try? contents.withFile { file throws(PropertyListDecodingError) in
      try other.contents.withFile { otherFile throws(PropertyListDecodingError) in
        var comparison = BinaryComparison(
          file: file, other: otherFile, stepsLeft: file.bytes.count)
        return try comparison.isSame(object, as: other.object, depth: depth)
      }
    }
    return isSame ?? false
  }

  /// Returns `false` if no dictionary in this value has one of the keys, which are ASCII.
  ///
  /// `true` says nothing, since a malformed file may have any key. Nothing is decoded.
  package func mayHaveKey(in keys: [StaticString]) -> Bool {
    let hasKey = try? contents.withFile { file throws(PropertyListDecodingError) in
      var search = BinaryKeySearch(file: file, keys: keys, stepsLeft: file.bytes.count)
      return try search.mayHaveKey(object, depth: depth)
    }
    return hasKey ?? true
  }
}

/// A walk through values of two files at once.
private struct BinaryComparison {
  let file: BinaryFile
  let other: BinaryFile
  /// The number of references that may still be followed, which bounds the unfolding of shared
  /// containers.
  var stepsLeft: Int

  mutating func isSame(
    _ a: BinaryFile.Object, as b: BinaryFile.Object, depth: Int
  ) throws(PropertyListDecodingError) -> Bool {
    guard a.kind == b.kind, a.count == b.count else { return false }
    guard a.isContainer else { return hasSameBytes(a, as: b) }
    let count = a.kind == .dictionary ? 2 * a.count : a.count
    stepsLeft -= count
    guard stepsLeft >= 0, depth < PropertyList.depthLimit else { return false }
    for index in 0..<count {
      let child = try file.child(index, of: a)
      guard try isSame(child, as: other.child(index, of: b), depth: depth + 1) else { return false }
    }
    return true
  }

  private func hasSameBytes(_ a: BinaryFile.Object, as b: BinaryFile.Object) -> Bool {
    // Booleans are in the first byte.
    let (bytes, others) = (file.bytes[a.start..<a.end], other.bytes[b.start..<b.end])
    return UnsafeRawBufferPointer(rebasing: bytes)
      .order(against: UnsafeRawBufferPointer(rebasing: others)) == 0
  }
}

/// A walk through a value to its keys.
private struct BinaryKeySearch {
  let file: BinaryFile
  let keys: [StaticString]
  /// The number of references that may still be followed, which bounds the unfolding of shared
  /// containers.
  var stepsLeft: Int

  mutating func mayHaveKey(
    _ object: BinaryFile.Object, depth: Int
  ) throws(PropertyListDecodingError) -> Bool {
    guard object.isContainer else { return false }
    stepsLeft -= object.count
    guard stepsLeft >= 0, depth < PropertyList.depthLimit else { return true }
    for index in 0..<object.count {
      let isMember = object.kind == .dictionary
      if isMember, isWanted(try file.child(index, of: object)) { return true }
      let child = try file.child(isMember ? object.count + index : index, of: object)
      if try mayHaveKey(child, depth: depth + 1) { return true }
    }
    return false
  }

  private func isWanted(_ key: BinaryFile.Object) -> Bool {
    // Writers may have ASCII as UTF-16.
    guard key.kind == .ascii else { return true }
    let content = UnsafeRawBufferPointer(rebasing: file.bytes[key.content..<key.end])
    return keys.contains { wanted in
      content.order(
        against: UnsafeRawBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
        == 0
    }
  }
}

extension BinaryFile {
  /// Returns the object of a container's reference, of which only its place is checked.
  fileprivate func child(
    _ index: Int, of container: Object
  ) throws(PropertyListDecodingError) -> Object {
    try object(at: offset(of: reference(index, of: container)))
  }
}
