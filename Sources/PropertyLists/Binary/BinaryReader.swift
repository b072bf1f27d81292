import ContentModel

/// Reads `bplist00` from anyone.
///
/// Each object is read once and shared by all that refer to it, and what is read must not lie over itself: time and
/// memory are linear in the file's size. What sharing unfolds to is counted, so that whoever walks the result is safe too.
struct BinaryReader: ~Copyable {
  let file: BinaryFile
  /// For each object: not yet seen, being read, or its index in `values` and `extents`.
  private var states: [Int32]
  private var values: [Value] = []
  private var extents: [BinaryExtent] = []
  /// Items and members of the containers that are being read.
  private var pending = ValueStack()
  private var shapes = ShapeTable()
  /// How many bytes of the file have been read into objects.
  private var bytesRead = 0

  static let (unseen, underWay): (Int32, Int32) = (-1, -2)

  static func decode(_ bytes: UnsafeRawBufferPointer) throws(PropertyListDecodingError) -> Value {
    let file = try BinaryFile(bytes)
    return try decode(file.layout.root, of: file, depth: 0)
  }

  /// An object with all that it refers to; `depth` containers stand around it.
  static func decode(
    _ number: Int, of file: BinaryFile, depth: Int
  ) throws(PropertyListDecodingError) -> Value {
    var reader = BinaryReader(file)
    return reader.values[try reader.read(number, depth: depth)]
  }

  private init(_ file: BinaryFile) {
    self.file = file
    states = Array(repeating: Self.unseen, count: file.layout.objectCount)
  }

  /// Nodes that the result may unfold to; without shared containers there are never more than bytes.
  private var nodeLimit: Int { 8 * file.bytes.count }

  /// Bytes of strings and data that the result may unfold to; honest files repeat long texts.
  private var byteLimit: Int { max(1 << 28, 256 * file.bytes.count) }

  /// The index of an object's value.
  private mutating func read(_ number: Int, depth: Int) throws(PropertyListDecodingError) -> Int {
    let offset = try file.offset(of: number)
    let state = states[number]
    if state >= 0 {
      guard depth + Int(extents[Int(state)].height) <= PropertyList.depthLimit else {
        throw file.failure(.tooDeep, at: offset)
      }
      return Int(state)
    }
    if state == Self.underWay { throw file.failure(.cycle, at: offset) }
    let object = try file.object(at: offset)
    bytesRead += object.end - offset
    if object.isContainer { return try readContainer(object, number, depth: depth) }
    let value = try file.scalar(object)
    if bytesRead > file.bytes.count { throw file.failure(.overlappingObjects, at: offset) }
    return try remember(value, BinaryExtent(bytes: object.end - offset), as: number, at: offset)
  }

  @inline(__always)
  private mutating func remember(
    _ value: Value, _ extent: BinaryExtent, as number: Int, at offset: Int
  ) throws(PropertyListDecodingError) -> Int {
    try check(extent, at: offset)
    let index = values.count
    states[number] = Int32(truncatingIfNeeded: index)
    values.append(value)
    extents.append(extent)
    return index
  }

  @inline(__always)
  private func check(_ extent: BinaryExtent, at offset: Int) throws(PropertyListDecodingError) {
    if extent.nodes > nodeLimit || extent.bytes > byteLimit { throw file.failure(.expansionTooLarge, at: offset) }
  }

  private mutating func readContainer(
    _ object: BinaryFile.Object, _ number: Int, depth: Int
  ) throws(PropertyListDecodingError) -> Int {
    if bytesRead > file.bytes.count { throw file.failure(.overlappingObjects, at: object.start) }
    guard depth < PropertyList.depthLimit else { throw file.failure(.tooDeep, at: object.start) }
    states[number] = Self.underWay
    var extent = BinaryExtent()
    let isDictionary = object.kind == .dictionary
    let first = isDictionary ? object.count : 0
    let start = pending.count
    for index in first..<first + object.count {
      let item = try read(file.reference(index, of: object), depth: depth + 1)
      extent.add(extents[item])
      pending.push(values[item])
      try check(extent, at: object.start)
    }
    extent.height += 1
    let value: Value =
      isDictionary
      ? .dictionary(try takeMembers(of: object, from: start, counting: &extent, depth: depth))
      : .array(pending.takeItems(from: start))
    return try remember(value, extent, as: number, at: object.start)
  }
}

extension BinaryReader {
  private mutating func takeMembers(
    of object: BinaryFile.Object, from start: Int, counting extent: inout BinaryExtent, depth: Int
  ) throws(PropertyListDecodingError) -> Members {
    let shape: ShapeTable.Shape
    if let known = shapes.shape(count: object.count, number: { file.shapeNumber($0, of: object) }) {
      shape = known
    } else {
      shape = try newShape(of: object, depth: depth)
    }
    extent.nodes += object.count
    extent.bytes += shape.bytes
    return pending.takeMembers(from: start, keys: shapes.keys(of: shape)) { shapes.origin(of: $0, in: shape) }
  }

  private mutating func newShape(
    of object: BinaryFile.Object, depth: Int
  ) throws(PropertyListDecodingError) -> ShapeTable.Shape {
    var (found, bytes): ([String], Int) = ([], 0)
    found.reserveCapacity(object.count)
    for index in 0..<object.count {
      let number = file.reference(index, of: object)
      let offset = try file.offset(of: number)
      guard file.isString(at: offset) else { throw file.failure(.keyIsNotString, at: offset) }
      let key = try read(number, depth: depth + 1)
      if case .string(let text) = values[key] { found.append(text) }
      bytes += extents[key].bytes
    }
    do {
      let shape = try DictionaryShape(found)
      return shapes.insert(shape, bytes: bytes) { [file] in file.shapeNumber($0, of: object) }
    } catch {
      let offset = try file.offset(of: file.reference(error.place, of: object))
      throw file.failure(.duplicateKey(found[error.place]), at: offset)
    }
  }
}
