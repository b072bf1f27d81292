extension BinaryLinker {
  /// The scalars of another file that are already objects of the file being linked.
  package struct KnownScalars {
    /// The number of an object in this file plus one, by its number in the other file; 0 if
    /// unknown.
    fileprivate var objects: [Object]

    /// Creates a value that knows none of a file's scalars.
    package init(of file: BinaryPropertyList) {
      objects = Array(repeating: 0, count: file.contents.layout.objectCount)
    }
  }

  /// Links a value of another file with its contents.
  ///
  /// `known` is valid for the file that is being linked only. A scalar is copied byte by byte, so
  /// the result is canonical only if a linker wrote the other file.
  ///
  /// - Throws: `PropertyListDecodingError` if the other file is malformed.
  package mutating func link(
    _ node: BinaryPropertyList.Node, reusing known: inout KnownScalars
  ) throws(PropertyListDecodingError) -> Object {
    let contents = node.contents
    return try contents.withFile { file throws(PropertyListDecodingError) in
      guard known.objects.count == file.layout.objectCount else {
        throw file.failure(.badReference, at: 0)
      }
      return try link(node.number, of: file, reusing: &known, depth: 0)
    }
  }

  private mutating func link(
    _ number: Int, of file: BinaryFile, reusing known: inout KnownScalars, depth: Int
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
    return try link(container: object, of: file, reusing: &known, depth: depth)
  }

  private mutating func link(
    container object: BinaryFile.Object, of file: BinaryFile, reusing known: inout KnownScalars,
    depth: Int
  ) throws(PropertyListDecodingError) -> Object {
    func linkReference(_ index: Int) throws(PropertyListDecodingError) -> Object {
      let number = file.reference(index, of: object)
      return try link(number, of: file, reusing: &known, depth: depth + 1)
    }
    guard object.kind == .dictionary else {
      let array = addArray(count: object.count)
      for index in 0..<object.count { set(index, of: array, item: try linkReference(index)) }
      return array.object
    }
    let dictionary = addDictionary(count: object.count)
    for index in 0..<object.count {
      let key = try linkReference(index)
      let value = try linkReference(object.count + index)
      set(index, of: dictionary, key: key, value: value)
    }
    return dictionary.object
  }
}
