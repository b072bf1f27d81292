import ContentModel

/// Writes `bplist00`.
///
/// Objects are numbered in the order in which a reader meets them, the root first; equal scalars (same kind, same bytes)
/// are one object, containers never are. One walk writes all objects without references into `body` and the references
/// into a list of their own, since their width depends on how many objects there are; a second pass interleaves both.
struct BinaryWriter {
  /// Each object's bytes in order; of a container only its header.
  var body: [UInt8] = []
  /// Where in `body` each object starts.
  private var starts: [Int] = []
  /// How many references stand before each object.
  private var referencesBefore: [Int] = []
  /// The references of all containers in order.
  private var references: [Int32] = []
  /// Every container: the end of its header in `body`, and how many references follow.
  private var containers: [(end: Int, count: Int)] = []
  private var scalars = ScalarTable()

  static func encode(_ value: Value) throws(PropertyListEncodingError) -> [UInt8] {
    var writer = BinaryWriter()
    _ = try writer.add(value, depth: 0)
    return writer.assemble()
  }

  private mutating func add(_ value: Value, depth: Int) throws(PropertyListEncodingError) -> Int32 {
    switch value {
    case .array(let items): return try add(items, depth: depth)
    case .dictionary(let members): return try add(members, depth: depth)
    case .string(let text): return add(text)
    default: break
    }
    let start = body.count
    switch value {
    case .integer(let number): appendInteger(number)
    case .real(let number):
      body.append(0x23)
      body.appendBigEndian(number.bitPattern, width: 8)
    case .boolean(let flag): body.append(flag ? 0x09 : 0x08)
    case .date(let instant): try append(instant)
    case .data(let bytes):
      appendHeader(0x40, count: bytes.count)
      body += bytes
    case .array, .dictionary, .string: break
    }
    return intern(from: start)
  }

  private mutating func add(_ text: String) -> Int32 {
    let start = body.count
    append(text)
    return intern(from: start)
  }

  /// The number of the scalar that was just written; its bytes are dropped if an equal one stands there already.
  private mutating func intern(from start: Int) -> Int32 {
    let number = Int32(starts.count)
    if let known = scalars.insert(number, from: start, in: body, starts: starts) {
      body.removeLast(body.count - start)
      return known
    }
    begin(at: start)
    return number
  }

  private mutating func begin(at start: Int) {
    starts.append(start)
    referencesBefore.append(references.count)
  }

  private mutating func add(_ items: [Value], depth: Int) throws(PropertyListEncodingError) -> Int32 {
    let (number, slot) = try beginContainer(0xA0, count: items.count, references: items.count, depth: depth)
    for (index, item) in items.enumerated() {
      do { references[slot + index] = try add(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
    }
    return number
  }

  private mutating func add(_ members: Members, depth: Int) throws(PropertyListEncodingError) -> Int32 {
    let count = members.count
    let (number, slot) = try beginContainer(0xD0, count: count, references: count * 2, depth: depth)
    for index in 0..<count { references[slot + index] = add(members[index].key) }
    for index in 0..<count {
      let member = members[index]
      do { references[slot + count + index] = try add(member.value, depth: depth + 1) } catch {
        throw error.inside(member.key)
      }
    }
    return number
  }

  private mutating func beginContainer(
    _ kind: UInt8, count: Int, references added: Int, depth: Int
  ) throws(PropertyListEncodingError) -> (number: Int32, slot: Int) {
    guard depth < PropertyList.depthLimit else { throw PropertyListEncodingError(.tooDeep, in: .binary) }
    let number = Int32(starts.count)
    let slot = references.count
    begin(at: body.count)
    appendHeader(kind, count: count)
    containers.append((end: body.count, count: added))
    references.append(contentsOf: repeatElement(0, count: added))
    return (number, slot)
  }
}

extension BinaryWriter {
  /// Header, objects, offsets, trailer.
  private func assemble() -> [UInt8] {
    let referenceWidth = UInt64(starts.count - 1).byteWidth
    let offsetTable = 8 + body.count + references.count * referenceWidth
    let offsetWidth = UInt64(offsetTable).byteWidth
    var output: [UInt8] = []
    output.reserveCapacity(offsetTable + starts.count * offsetWidth + 32)
    output += "bplist00".utf8
    appendObjects(to: &output, referenceWidth: referenceWidth)
    for (start, before) in zip(starts, referencesBefore) {
      output.appendBigEndian(UInt64(8 + start + before * referenceWidth), width: offsetWidth)
    }
    output += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for field in [starts.count, 0, offsetTable] { output.appendBigEndian(UInt64(field), width: 8) }
    return output
  }

  private func appendObjects(to output: inout [UInt8], referenceWidth: Int) {
    var (copied, written) = (0, 0)
    for (end, count) in containers {
      output += body[copied..<end]
      for reference in references[written..<written + count] {
        output.appendBigEndian(UInt64(reference), width: referenceWidth)
      }
      (copied, written) = (end, written + count)
    }
    output += body[copied...]
  }
}

extension UInt64 {
  /// How many bytes, of 1, 2, 4 and 8, hold the number.
  var byteWidth: Int {
    switch self {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }
}

extension [UInt8] {
  /// Appends the lowest bytes of a number, the highest of them first.
  mutating func appendBigEndian(_ number: UInt64, width: Int) {
    var shift = UInt64(width &* 8)
    for _ in 0..<width {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: number &>> shift))
    }
  }
}
