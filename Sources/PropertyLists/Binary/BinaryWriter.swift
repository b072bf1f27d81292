import ContentModel

/// A writer of `bplist00`.
///
/// Objects are numbered in depth-first order, the root first. Equal scalars (same kind, same
/// bytes) are one object; containers never are. One walk writes all objects without references
/// into `body` and the references into a separate list, because their width depends on the number
/// of objects. A second pass interleaves both.
struct BinaryWriter: ~Copyable {
  /// The header of a container.
  struct Container {
    /// The end of the header in `body`.
    let end: Int
    /// The number of references after the header.
    let count: Int
  }

  /// The bytes of each object in order; only the header of a container.
  var body = GrowingBuffer<UInt8>(capacity: 1 << 16)
  /// The offset in `body` of each object.
  var starts = GrowingBuffer<Int>(capacity: 1 << 10)
  /// The number of references before each object.
  var referencesBefore = GrowingBuffer<Int>(capacity: 1 << 10)
  /// The references of all containers in order.
  var references = GrowingBuffer<Int32>(capacity: 1 << 12)
  var containers = GrowingBuffer<Container>(capacity: 1 << 10)
  private var scalars = ScalarTable()
  private var recent = RecentScalars()

  static func encode(_ value: Value) throws(PropertyListEncodingError) -> [UInt8] {
    var writer = BinaryWriter()
    _ = try writer.add(value, depth: 0)
    return writer.assemble()
  }

  private mutating func add(_ value: borrowing Value, depth: Int) throws(PropertyListEncodingError)
    -> Int32
  {
    switch value {
    case .string(let text): return add(text)
    case .integer(let number):
      return addScalar { writer in writer.body.appendBinary(number) }
    case .dictionary(let members): return try add(members, depth: depth)
    case .array(let items): return try add(items, depth: depth)
    case .real(let number):
      return addScalar { writer in
        writer.body.append(0x23)
        writer.body.appendBigEndian(number.bitPattern, width: 8)
      }
    case .boolean(let flag): return addScalar { writer in writer.body.append(flag ? 0x09 : 0x08) }
    case .date(let instant):
      let seconds = try Self.seconds(of: instant)
      return addScalar { writer in writer.body.appendBinary(date: seconds) }
    case .data(let bytes): return addScalar { writer in writer.body.appendBinary(data: bytes) }
    }
  }

  private mutating func add(_ text: String) -> Int32 {
    let key = RecentScalars.Key(text)
    if let known = recent[key] { return known }
    let number = addScalar { writer in writer.body.appendBinary(text) }
    recent[key] = number
    return number
  }

  /// Returns the number of the scalar that `write` appends; drops its bytes if an equal scalar
  /// exists.
  @inline(__always)
  private mutating func addScalar(_ write: (inout BinaryWriter) -> Void) -> Int32 {
    let start = body.count
    write(&self)
    let number = Int32(truncatingIfNeeded: starts.count)
    if let known = scalars.insert(number, from: start, in: body, starts: starts) {
      body.truncate(to: start)
      return known
    }
    begin(at: start)
    return number
  }

  @inline(__always)
  private mutating func begin(at start: Int) {
    starts.append(start)
    referencesBefore.append(references.count)
  }

  private mutating func add(_ items: [Value], depth: Int) throws(PropertyListEncodingError) -> Int32
  {
    let (number, slot) = try beginContainer(
      0xA0, count: items.count, references: items.count, depth: depth)
    if let known = recent.firstReference(of: items) {
      for index in items.indices { references[slot + index] = references[known + index] }
      return number
    }
    if items.count > 1, items.allSatisfy(\.isScalar) {
      recent.remember(firstReference: slot, of: items)
    }
    for index in items.indices {
      do {
        let item = try add(items[index], depth: depth + 1)
        references[slot + index] = item
      } catch { throw error.inside(String(index)) }
    }
    return number
  }

  private mutating func add(_ members: Members, depth: Int) throws(PropertyListEncodingError)
    -> Int32
  {
    let (keys, values) = (members.keys, members.values)
    let count = keys.count
    let (number, slot) = try beginContainer(0xD0, count: count, references: count * 2, depth: depth)
    add(keys, to: slot)
    for index in 0..<count {
      do {
        let value = try add(values[index], depth: depth + 1)
        references[slot + count + index] = value
      } catch { throw error.inside(keys[index]) }
    }
    return number
  }

  /// Writes the references to keys, copying those of an earlier dictionary that shares the array
  /// of keys.
  private mutating func add(_ keys: [String], to slot: Int) {
    if let known = recent.firstReference(of: keys) {
      for index in 0..<keys.count { references[slot + index] = references[known + index] }
      return
    }
    for index in 0..<keys.count {
      let key = add(keys[index])
      references[slot + index] = key
    }
    recent.remember(firstReference: slot, of: keys)
  }

  private mutating func beginContainer(
    _ kind: UInt8, count: Int, references added: Int, depth: Int
  ) throws(PropertyListEncodingError) -> (number: Int32, slot: Int) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .binary)
    }
    let number = Int32(truncatingIfNeeded: starts.count)
    let slot = references.count
    begin(at: body.count)
    body.appendBinaryHeader(kind, count: count)
    containers.append(Container(end: body.count, count: added))
    references.extend(by: added).initialize(repeating: 0, count: added)
    return (number, slot)
  }
}

extension Value {
  /// `true` if equal values become one object.
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .dictionary: false
    case .string, .integer, .real, .boolean, .date, .data: true
    }
  }
}

extension BinaryWriter {
  /// Returns the seconds since the reference date, with `-0` as `0`.
  static func seconds(of instant: Instant) throws(PropertyListEncodingError) -> Double {
    let seconds = instant.secondsSinceReferenceDate
    guard seconds.isFinite else { throw PropertyListEncodingError(.nonFiniteDate, in: .binary) }
    // Both zeros are equal instants, and equal values must give equal bytes.
    return seconds == 0 ? 0 : seconds
  }
}
