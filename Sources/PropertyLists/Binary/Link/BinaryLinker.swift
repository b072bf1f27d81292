#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Links fragments into one `bplist00`.
///
/// Equal scalars (same kind, same bytes) become one object, containers never do. Objects stand in the order in which they
/// are linked, the root last, so that two files that begin with the same fragments begin with the same bytes: link what
/// several files share first, and copy the linker.
package struct BinaryLinker: Sendable {
  /// The number of an object in the file.
  package typealias Object = UInt32

  /// Each object's bytes in order; of a container only its header, since the width of references is not known yet.
  private var body: [UInt8] = []
  /// Where in `body` each object starts.
  private var starts: [UInt32] = []
  /// The references of all containers in order.
  private var references: [Object] = []
  /// Every container: its number, and how many references follow its header.
  private var containers: [(object: Object, count: UInt32)] = []
  /// An open hash table of scalars: the hash in the upper half, the object's number plus one in the lower; 0 is free.
  private var scalars = [UInt64](repeating: 0, count: 256)
  private var scalarCount = 0

  /// An empty file.
  package init() {}

  /// How many objects were linked.
  package var objectCount: Int { starts.count }

  /// Links a fragment; the result is its root's number.
  package mutating func link(_ place: BinaryFragments.Place, of fragments: BinaryFragments) -> Object {
    fragments.bytes.withUnsafeBytes { bytes in
      var offset = place
      return link(&offset, in: bytes)
    }
  }

  /// A container of which the members are set one by one.
  package struct Container: Sendable {
    package let object: Object
    fileprivate let slot: Int
    fileprivate let count: Int
  }

  /// Adds a dictionary; each of its members must be set, in canonical order.
  package mutating func addDictionary(count: Int) -> Container {
    let (object, slot) = beginContainer(0xD0, count: count, references: count * 2)
    return Container(object: object, slot: slot, count: count)
  }

  /// Adds an array; each of its items must be set.
  package mutating func addArray(count: Int) -> Container {
    let (object, slot) = beginContainer(0xA0, count: count, references: count)
    return Container(object: object, slot: slot, count: count)
  }

  /// Sets a member of a dictionary to objects of this file.
  package mutating func set(_ index: Int, of dictionary: Container, key: Object, value: Object) {
    references[dictionary.slot + index] = key
    references[dictionary.slot + dictionary.count + index] = value
  }

  /// Sets an item of an array to an object of this file.
  package mutating func set(_ index: Int, of array: Container, item: Object) { references[array.slot + index] = item }

  private mutating func link(_ offset: inout Int, in bytes: UnsafeRawBufferPointer) -> Object {
    let count = Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
    switch BinaryFragments.Record(rawValue: bytes[offset]) {
    case .array:
      offset += BinaryFragments.containerHead
      let (number, slot) = beginContainer(0xA0, count: count, references: count)
      for index in 0..<count { references[slot + index] = link(&offset, in: bytes) }
      return number
    case .dictionary:
      offset += BinaryFragments.containerHead
      let (number, slot) = beginContainer(0xD0, count: count, references: count * 2)
      for index in 0..<count {
        references[slot + index] = link(&offset, in: bytes)
        references[slot + count + index] = link(&offset, in: bytes)
      }
      return number
    case .scalar, nil:
      let start = offset + BinaryFragments.scalarHead
      offset = start + Int(bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
      return intern(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), hash: UInt32(count))
    }
  }

  private mutating func beginContainer(_ kind: UInt8, count: Int, references added: Int) -> (Object, slot: Int) {
    let (number, slot) = (Object(starts.count), references.count)
    starts.append(UInt32(body.count))
    body.appendBinaryHeader(kind, count: count)
    containers.append((number, UInt32(added)))
    references.append(contentsOf: repeatElement(0, count: added))
    return (number, slot)
  }

  /// The number of a scalar, which is added unless an equal one is there.
  private mutating func intern(_ scalar: UnsafeRawBufferPointer, hash: UInt32) -> Object {
    let mask = scalars.count - 1
    var index = Int(hash) & mask
    while scalars[index] != 0 {
      let slot = scalars[index]
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let object = UInt32(truncatingIfNeeded: slot) - 1
        if isEqual(Int(object), scalar) { return object }
      }
      index = (index + 1) & mask
    }
    let number = Object(starts.count)
    starts.append(UInt32(body.count))
    body.append(contentsOf: scalar)
    scalars[index] = UInt64(hash) << 32 | UInt64(number + 1)
    scalarCount += 1
    if scalarCount * 2 > scalars.count { grow() }
    return number
  }

  private func isEqual(_ object: Int, _ scalar: UnsafeRawBufferPointer) -> Bool {
    let start = Int(starts[object])
    let end = object + 1 < starts.count ? Int(starts[object + 1]) : body.count
    guard end - start == scalar.count, let other = scalar.baseAddress else { return end - start == scalar.count }
    return body.withUnsafeBytes { $0.baseAddress.map { memcmp($0 + start, other, scalar.count) == 0 } ?? false }
  }

  private mutating func grow() {
    let old = scalars
    scalars = [UInt64](repeating: 0, count: old.count * 4)
    let mask = scalars.count - 1
    for slot in old where slot != 0 {
      var index = Int(slot >> 32) & mask
      while scalars[index] != 0 { index = (index + 1) & mask }
      scalars[index] = slot
    }
  }
}

extension BinaryLinker {
  /// A finished file.
  package struct File: Sendable {
    package var bytes: [UInt8]
    /// Where stretches begin that other files, which share their first objects with this one, have as well.
    package var seams: [Int]
  }

  /// The file with an object as its root; `shared` is how many of the first objects other files have in common with it.
  package func finish(root: Object, shared: Int) -> File {
    let referenceWidth = UInt64(starts.count - 1).byteWidth
    let offsetTable = 8 + body.count + references.count * referenceWidth
    let offsetWidth = UInt64(offsetTable).byteWidth
    let size = offsetTable + starts.count * offsetWidth + 32
    var sharedEnd = offsetTable
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      var writer = ByteWriter(output)
      writer.copy(Self.magic)
      let offsets = writeObjects(to: &writer, referenceWidth: referenceWidth)
      if shared < offsets.count { sharedEnd = Int(offsets[shared]) }
      for offset in offsets { writer.write(UInt64(offset), width: offsetWidth) }
      writer.copy([0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)])
      for field in [starts.count, Int(root), offsetTable] { writer.write(UInt64(field), width: 8) }
      count = writer.count
    }
    let seams = shared == 0 ? [] : [sharedEnd, offsetTable, offsetTable + shared * offsetWidth]
    return File(bytes: bytes, seams: seams)
  }

  private static let magic = Array("bplist00".utf8)

  /// Writes the objects with their references, and tells where each of them begins.
  private func writeObjects(to writer: inout ByteWriter, referenceWidth: Int) -> [UInt32] {
    var offsets = starts
    var (reference, object) = (0, 0)
    body.withUnsafeBytes { body in
      for (container, count) in containers {
        let next = Int(container) + 1 < starts.count ? Int(starts[Int(container) + 1]) : body.count
        let shift = UInt32(8 + reference * referenceWidth)
        let first = Int(starts[object])
        while object <= Int(container) {
          offsets[object] += shift
          object += 1
        }
        writer.copy(UnsafeRawBufferPointer(rebasing: body[first..<next]))
        for index in reference..<reference + Int(count) {
          writer.write(UInt64(references[index]), width: referenceWidth)
        }
        reference += Int(count)
      }
      let shift = UInt32(8 + reference * referenceWidth)
      if object < starts.count { writer.copy(UnsafeRawBufferPointer(rebasing: body[Int(starts[object])...])) }
      while object < starts.count {
        offsets[object] += shift
        object += 1
      }
    }
    return offsets
  }
}

/// Fills memory from front to back; the caller has counted how much is needed.
private struct ByteWriter {
  private let output: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ output: UnsafeMutableBufferPointer<UInt8>) { self.output = output }

  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    precondition(count + bytes.count <= output.count)
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[count..<count + bytes.count])
      .copyMemory(from: bytes)
    count += bytes.count
  }

  mutating func copy(_ bytes: [UInt8]) { bytes.withUnsafeBytes { copy($0) } }

  /// The lowest bytes of a number, the highest of them first.
  mutating func write(_ number: UInt64, width: Int) {
    var shift = UInt64(width &* 8)
    for _ in 0..<width {
      shift &-= 8
      output[count] = UInt8(truncatingIfNeeded: number &>> shift)
      count += 1
    }
  }
}
