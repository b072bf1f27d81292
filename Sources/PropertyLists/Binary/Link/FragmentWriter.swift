package import ContentModel

/// An encoder of values into fragments, whole or part by part.
package struct FragmentWriter: ~Copyable {
  private var bytes: GrowingBuffer<UInt8>

  /// Creates a writer with room for `capacity` bytes.
  package init(capacity: Int = 256) { bytes = GrowingBuffer(capacity: capacity) }

  /// The offset of the next fragment.
  package var place: BinaryFragments.Place { BinaryFragments.Place(bytes.count) }

  /// Returns the encoded fragments.
  package consuming func finish() -> BinaryFragments {
    BinaryFragments(bytes: Array(UnsafeBufferPointer(start: bytes.base, count: bytes.count)))
  }

  /// Begins an array; `count` fragments must follow.
  package mutating func beginArray(count: Int) { begin(.array, count: count) }

  /// Begins a dictionary; `count` pairs of fragments, key before value, must follow in canonical
  /// order.
  package mutating func beginDictionary(count: Int) { begin(.dictionary, count: count) }

  /// Encodes a text.
  package mutating func append(_ text: String) {
    let head = beginScalar()
    bytes.appendBinary(text)
    endScalar(head)
  }

  /// Encodes a value.
  ///
  /// - Throws: `PropertyListEncodingError` if `bplist00` cannot represent the value.
  package mutating func append(_ value: Value) throws(PropertyListEncodingError) {
    try append(value, depth: 0)
  }

  private mutating func append(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    switch value {
    case .array(let items):
      try checkDepth(depth)
      beginArray(count: items.count)
      for (index, item) in items.enumerated() {
        do { try append(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
      }
    case .dictionary(let members):
      try checkDepth(depth)
      beginDictionary(count: members.count)
      for member in members {
        append(member.key)
        do { try append(member.value, depth: depth + 1) } catch { throw error.inside(member.key) }
      }
    case .string(let text): append(text)
    default:
      let head = beginScalar()
      try bytes.appendBinary(scalar: value)
      endScalar(head)
    }
  }

  private func checkDepth(_ depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .binary)
    }
  }

  private mutating func begin(_ record: BinaryFragments.Record, count: Int) {
    let start = UnsafeMutableRawPointer(bytes.extend(by: BinaryFragments.containerHead))
    start.storeBytes(of: record.rawValue, as: UInt8.self)
    // Fragments never leave the process, so numbers are in native byte order.
    start.storeBytes(of: UInt32(count), toByteOffset: 1, as: UInt32.self)
  }

  private mutating func beginScalar() -> Int {
    let head = bytes.count
    bytes.extend(by: BinaryFragments.scalarHead).pointee = BinaryFragments.Record.scalar.rawValue
    return head
  }

  private func endScalar(_ head: Int) {
    let start = head + BinaryFragments.scalarHead
    let length = bytes.count - start
    let memory = UnsafeMutableRawPointer(bytes.base)
    let hash = UnsafeRawBufferPointer(start: memory, count: bytes.count).hash(
      at: start, count: length)
    memory.storeBytes(of: hash, toByteOffset: head + 1, as: UInt32.self)
    memory.storeBytes(of: UInt32(length), toByteOffset: head + 5, as: UInt32.self)
  }
}
