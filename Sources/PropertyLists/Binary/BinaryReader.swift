import ContentModel

/// Reads `bplist00` from anyone.
///
/// No object is read more than twice: what is referred to a second time is kept, and shared by all
/// that refer to it from then on. Most objects are referred to once, so that keeping them all would
/// cost more. What is read must not lie over itself: time and memory are linear in the file's size.
/// What sharing unfolds to is counted, so that whoever walks the result is safe too.
struct BinaryReader: ~Copyable {
  let file: BinaryFile
  /// For each object: not yet seen, being read, read once, or its index in `values` and `extents`.
  private var states: GrowingBuffer<Int32>
  /// Objects that were referred to more than once.
  private var values: [Value] = []
  private var extents: [BinaryExtent] = []
  /// Items and members of the containers that are being read.
  private var pending = ValueStack()
  private var shapes = ShapeTable()
  /// How many bytes of the file have been read into objects.
  private var bytesRead = 0
  /// Nodes that the result may unfold to; without shared containers there are never more than
  /// bytes.
  private let nodeLimit: Int
  /// Bytes of strings and data that the result may unfold to; honest files repeat long texts.
  private let byteLimit: Int

  private static let (unseen, underWay, once): (Int32, Int32, Int32) = (-1, -2, -3)

  static func decode(_ bytes: UnsafeRawBufferPointer) throws(PropertyListDecodingError) -> Value {
    let file = try BinaryFile(bytes)
    return try decode(file.layout.root, of: file, depth: 0)
  }

  /// An object with all that it refers to; `depth` containers stand around it.
  static func decode(
    _ number: Int, of file: BinaryFile, depth: Int
  ) throws(PropertyListDecodingError) -> Value {
    var reader = BinaryReader(file)
    _ = try reader.read(number, depth: depth)
    return reader.pending.takeLast()
  }

  private init(_ file: BinaryFile) {
    self.file = file
    let count = file.layout.objectCount
    states = GrowingBuffer(capacity: count)
    states.extend(by: count).initialize(repeating: Self.unseen, count: count)
    nodeLimit = 8 * file.bytes.count
    byteLimit = max(1 << 28, 256 * file.bytes.count)
  }

  /// Reads an object and pushes its value.
  private mutating func read(_ number: Int, depth: Int) throws(PropertyListDecodingError)
    -> BinaryExtent
  {
    let offset = try file.offset(of: number)
    let state = states[number]
    if state >= 0 { return try repeatKept(Int(state), depth: depth, at: offset) }
    if state == Self.underWay { throw file.failure(.cycle, at: offset) }
    let object = try file.object(at: offset)
    if state == Self.unseen {
      bytesRead += object.end - offset
      if bytesRead > file.bytes.count { throw file.failure(.overlappingObjects, at: offset) }
    }
    let extent: BinaryExtent
    if object.isContainer {
      extent = try readContainer(object, number, depth: depth)
    } else {
      pending.push(try file.scalar(object))
      extent = BinaryExtent(bytes: object.end - offset)
    }
    try check(extent, at: offset)
    let next = state == Self.unseen ? Self.once : keep(extent)
    states[number] = next
    return extent
  }

  private mutating func repeatKept(
    _ index: Int, depth: Int, at offset: Int
  ) throws(PropertyListDecodingError) -> BinaryExtent {
    let extent = extents[index]
    if depth + Int(extent.height) > PropertyList.depthLimit {
      throw file.failure(.tooDeep, at: offset)
    }
    pending.push(values[index])
    return extent
  }

  /// Keeps the value that was pushed last for those who will refer to it again.
  private mutating func keep(_ extent: BinaryExtent) -> Int32 {
    values.append(pending.last)
    extents.append(extent)
    return Int32(truncatingIfNeeded: values.count - 1)
  }

  @inline(__always)
  private func check(_ extent: BinaryExtent, at offset: Int) throws(PropertyListDecodingError) {
    if extent.nodes > nodeLimit || extent.bytes > byteLimit {
      throw file.failure(.expansionTooLarge, at: offset)
    }
  }

  private mutating func readContainer(
    _ object: BinaryFile.Object, _ number: Int, depth: Int
  ) throws(PropertyListDecodingError) -> BinaryExtent {
    guard depth < PropertyList.depthLimit else { throw file.failure(.tooDeep, at: object.start) }
    states[number] = Self.underWay
    var extent = BinaryExtent()
    let isDictionary = object.kind == .dictionary
    let first = isDictionary ? object.count : 0
    let start = pending.count
    for index in first..<first + object.count {
      extent.add(try read(file.reference(index, of: object), depth: depth + 1))
      try check(extent, at: object.start)
    }
    extent.height += 1
    let value: Value =
      isDictionary
      ? .dictionary(try takeMembers(of: object, from: start, counting: &extent, depth: depth))
      : .array(pending.takeItems(from: start))
    pending.push(value)
    return extent
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
    return shapes.members(as: shape, taking: &pending, from: start)
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
      bytes += try read(number, depth: depth + 1).bytes
      if case .string(let text) = pending.takeLast() { found.append(text) }
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

/// What an object of a binary file comes to with all that it refers to, sharing unfolded.
struct BinaryExtent {
  /// How many containers stand inside one another.
  var height: Int32 = 0
  /// Values and keys.
  var nodes = 1
  /// Bytes of scalars and keys.
  var bytes = 0

  @inline(__always)
  mutating func add(_ item: Self) {
    height = max(height, item.height)
    nodes += item.nodes
    bytes += item.bytes
  }
}
