extension BinaryLinker {
  /// The scalars of another file, as far as they are objects of the one that is linked.
  package struct KnownScalars {
    /// By the object's number in the other file, the number here and one; 0 where it is not known.
    fileprivate var objects: [Object]

    /// None of a file's scalars.
    package init(of file: BinaryPropertyList) {
      objects = Array(repeating: 0, count: file.contents.layout.objectCount)
    }
  }

  /// Links a value of another file, and all that it holds.
  ///
  /// What is known of the other file's scalars holds for the file that is linked now only. A scalar
  /// is taken over byte by byte: the other file must have been written by a linker, else the new
  /// one is not canonical.
  ///
  /// - Throws: what the other file has wrong.
  package mutating func link(
    _ node: BinaryPropertyList.Node, _ known: inout KnownScalars
  ) throws(PropertyListDecodingError) -> Object {
    let contents = node.contents
    return try contents.withFile { file throws(PropertyListDecodingError) in
      guard known.objects.count == file.layout.objectCount else {
        throw file.failure(.badReference, at: 0)
      }
      return try link(node.number, of: file, &known, depth: 0)
    }
  }

  private mutating func link(
    _ number: Int, of file: BinaryFile, _ known: inout KnownScalars, depth: Int
  ) throws(PropertyListDecodingError) -> Object {
    let start = try file.offset(of: number)
    if known.objects[number] != 0 { return known.objects[number] - 1 }
    let object = try file.object(at: start)
    guard object.isContainer else {
      let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[object.start..<object.end])
      let linked = intern(bytes, hash: bytes.hash(at: 0, count: bytes.count))
      known.objects[number] = linked + 1
      return linked
    }
    guard depth < PropertyList.depthLimit else { throw file.failure(.tooDeep, at: start) }
    return try link(container: object, of: file, &known, depth: depth)
  }

  private mutating func link(
    container object: BinaryFile.Object, of file: BinaryFile, _ known: inout KnownScalars,
    depth: Int
  ) throws(PropertyListDecodingError) -> Object {
    guard object.kind == .dictionary else {
      let array = addArray(count: object.count)
      for index in 0..<object.count {
        set(
          index, of: array,
          item: try link(file.reference(index, of: object), of: file, &known, depth: depth + 1))
      }
      return array.object
    }
    let dictionary = addDictionary(count: object.count)
    for index in 0..<object.count {
      let key = try link(file.reference(index, of: object), of: file, &known, depth: depth + 1)
      let value = try link(
        file.reference(object.count + index, of: object), of: file, &known, depth: depth + 1)
      set(index, of: dictionary, key: key, value: value)
    }
    return dictionary.object
  }
}
