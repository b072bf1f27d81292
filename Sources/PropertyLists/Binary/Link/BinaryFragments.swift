package import ContentModel

/// Values that are encoded once, to be linked into many binary property lists.
///
/// A scalar is kept as the very bytes of its object, with their hash; a container as its kind and count, followed by what
/// it holds, of a dictionary each key before its value. Nothing in it depends on the file that it will be part of.
package struct BinaryFragments: Sendable {
  /// Where a fragment begins.
  package typealias Place = Int

  enum Record: UInt8 {
    case scalar, array, dictionary
  }

  /// What stands before a scalar's bytes: the record's kind, the hash, the count of bytes.
  static let scalarHead = 9
  /// A container's record: its kind and count.
  static let containerHead = 5

  private(set) var bytes: [UInt8] = []

  /// No fragments.
  package init() {}

  /// Encodes a value.
  ///
  /// - Throws: what `bplist00` cannot carry, as `PropertyList.encode` does.
  package mutating func append(_ value: Value) throws(PropertyListEncodingError) -> Place {
    let place = bytes.count
    try add(value, depth: 0)
    return place
  }

  /// Encodes a text, which every property list can carry.
  package mutating func append(word: String) -> Place {
    let place = bytes.count
    addScalar { $0.appendBinaryString(word) }
    return place
  }

  private mutating func add(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    switch value {
    case .array(let items):
      try beginContainer(.array, count: items.count, depth: depth)
      for (index, item) in items.enumerated() {
        do { try add(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
      }
    case .dictionary(let members):
      try beginContainer(.dictionary, count: members.count, depth: depth)
      for member in members {
        addScalar { $0.appendBinaryString(member.key) }
        do { try add(member.value, depth: depth + 1) } catch { throw error.inside(member.key) }
      }
    default: try addScalar { bytes throws(PropertyListEncodingError) in try bytes.appendBinaryScalar(value) }
    }
  }

  private mutating func beginContainer(
    _ record: Record, count: Int, depth: Int
  ) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else { throw PropertyListEncodingError(.tooDeep, in: .binary) }
    bytes.append(record.rawValue)
    bytes.append(word: UInt32(count))
  }

  private mutating func addScalar<Failure: Error>(_ append: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
    let head = bytes.count
    bytes.append(Record.scalar.rawValue)
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0])
    try append(&bytes)
    let start = head + Self.scalarHead
    let length = UInt32(bytes.count - start)
    bytes.withUnsafeMutableBytes { buffer in
      let hash = UnsafeRawBufferPointer(rebasing: buffer[start...]).scalarHash
      buffer.storeBytes(of: hash, toByteOffset: head + 1, as: UInt32.self)
      buffer.storeBytes(of: length, toByteOffset: head + 5, as: UInt32.self)
    }
  }
}

extension [UInt8] {
  /// Appends a number in the machine's own order of bytes: fragments never leave the process.
  fileprivate mutating func append(word: UInt32) {
    Swift.withUnsafeBytes(of: word) { append(contentsOf: $0) }
  }
}
