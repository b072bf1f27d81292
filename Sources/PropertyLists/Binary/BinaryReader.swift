import ContentModel

/// A reader of `bplist00` from untrusted sources.
///
/// The reader reads no object more than twice: it keeps an object at its second reference and
/// shares it from then on. Most objects have one reference, so keeping all would cost more.
/// Objects must not overlap, so time and memory are linear in the file's size. The reader counts
/// the size of the unfolded result, so that a walk over the result is bounded, too.
struct BinaryReader: ~Copyable {
  let file: BinaryFile
  /// For each object: unseen, being read, read once, or its index in `values` and `extents`.
  private var states: GrowingBuffer<Int32>
  /// The objects with more than one reference.
  private var values: [Value] = []
  private var extents: [BinaryExtent] = []
  /// The items and members of the containers that are being read.
  private var pending = ValueStack()
  private var shapes = ShapeTable()
  /// The number of values that may still be pushed; a shared one is pushed once per reference.
  private var valuesLeft: Int
  /// The number of the file's bytes that have been read into objects.
  private var bytesRead = 0
  /// The greatest number of values and keys in the unfolded result; without shared containers
  /// there are at most as many as bytes.
  private let nodeLimit: Int
  /// The greatest number of bytes of strings and data in the unfolded result; valid files can
  /// refer to a long text often.
  private let byteLimit: Int

  // The states of objects that are not in `values`; a malformed object stays in progress.
  private static let unseen: Int32 = -1
  private static let inProgress: Int32 = -2
  private static let readOnce: Int32 = -3

  static func decode(
    _ bytes: UnsafeRawBufferPointer, valueLimit: Int
  ) throws(PropertyListDecodingError) -> Value {
    let file = try BinaryFile(bytes)
    // Every object takes memory here, also one without a reference. A dictionary can have a key
    // object for each of its values.
    guard file.layout.objectCount / 2 <= valueLimit else {
      throw file.failure(.tooManyValues, at: file.layout.offsetTable)
    }
    return try decode(file.layout.root, of: file, depth: 0, valueLimit: valueLimit)
  }

  /// Returns the value of an object that is inside `depth` containers.
  static func decode(
    _ number: Int, of file: BinaryFile, depth: Int, valueLimit: Int
  ) throws(PropertyListDecodingError) -> Value {
    var reader = BinaryReader(file, valueLimit: valueLimit)
    _ = try reader.read(number, depth: depth)
    return reader.pending.takeLast()
  }

  /// Returns the numbers of the malformed objects among the values of a dictionary that is inside
  /// `depth` containers.
  ///
  /// An object that was being read at an error has the malformed part. Later values that refer to it
  /// are malformed, too.
  static func malformedValues(
    of dictionary: BinaryFile.Object, in file: BinaryFile, depth: Int
  ) -> Set<Int> {
    var reader = BinaryReader(file, valueLimit: 0)
    var malformed: Set<Int> = []
    for index in 0..<dictionary.count {
      let number = file.reference(dictionary.count + index, of: dictionary)
      reader.valuesLeft = PropertyList.valueLimit
      do { _ = try reader.read(number, depth: depth + 1) } catch { malformed.insert(number) }
      _ = reader.pending.takeItems(from: 0)
    }
    return malformed
  }

  private init(_ file: BinaryFile, valueLimit: Int) {
    (self.file, valuesLeft) = (file, valueLimit)
    let count = file.layout.objectCount
    states = GrowingBuffer(capacity: count)
    states.extend(by: count).initialize(repeating: Self.unseen, count: count)
    nodeLimit = 8 * file.bytes.count
    byteLimit = max(1 << 28, 256 * file.bytes.count)
  }

  /// Reads an object, pushes its value and returns its extent.
  private mutating func read(_ number: Int, depth: Int) throws(PropertyListDecodingError)
    -> BinaryExtent
  {
    let offset = try file.offset(of: number)
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw file.failure(.tooManyValues, at: offset) }
    let state = states[number]
    if state >= 0 { return try repeatKept(Int(state), depth: depth, at: offset) }
    if state == Self.inProgress { throw file.failure(.cycle, at: offset) }
    let object = try file.object(at: offset)
    if state == Self.unseen {
      bytesRead += object.end - offset
      if bytesRead > file.bytes.count { throw file.failure(.overlappingObjects, at: offset) }
    }
    let extent: BinaryExtent
    if object.isContainer {
      extent = try readContainer(object, number: number, depth: depth)
    } else {
      do { pending.push(try file.scalar(object)) } catch {
        // `malformedValues` reads on, and must not count the object's bytes again.
        states[number] = Self.inProgress
        throw error
      }
      extent = BinaryExtent(bytes: object.end - offset)
    }
    try check(extent, at: offset)
    let next = state == Self.unseen ? Self.readOnce : keep(extent)
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

  /// Keeps the value that was pushed last for later references.
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
    _ object: BinaryFile.Object, number: Int, depth: Int
  ) throws(PropertyListDecodingError) -> BinaryExtent {
    guard depth < PropertyList.depthLimit else { throw file.failure(.tooDeep, at: object.start) }
    states[number] = Self.inProgress
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
    var found: [String] = []
    found.reserveCapacity(object.count)
    var bytes = 0
    for index in 0..<object.count {
      let number = file.reference(index, of: object)
      let offset = try file.offset(of: number)
      guard file.isString(at: offset) else { throw file.failure(.keyIsNotString, at: offset) }
      // Keys are no values.
      valuesLeft += 1
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

/// The unfolded size of an object of a binary file, with everything that it refers to.
struct BinaryExtent {
  /// The number of levels of containers.
  var height: Int32 = 0
  /// The number of values and keys.
  var nodes = 1
  /// The number of bytes of scalars and keys.
  var bytes = 0

  @inline(__always)
  mutating func add(_ item: Self) {
    height = max(height, item.height)
    nodes += item.nodes
    bytes += item.bytes
  }
}
