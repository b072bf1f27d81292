import SystemC

/// A linker of fragments into `bplist00` files, one after another.
///
/// Equal scalars (same kind, same bytes) become one object; containers never do. Objects are
/// written in the order in which they are linked, the root last. Files that begin with the same
/// fragments therefore begin with the same bytes: fragments that several files share are linked
/// first, and once.
package struct BinaryLinker: ~Copyable {
  /// The number of an object in the file.
  package typealias Object = UInt32

  /// The bytes of each object in order; only the header of a container, because the width of
  /// references is not known yet.
  var body = GrowingBuffer<UInt8>(capacity: 1 << 16)
  /// The offset in `body` of each object.
  var starts = GrowingBuffer<UInt32>(capacity: 1 << 12)
  /// The references of all containers in order.
  var references = GrowingBuffer<Object>(capacity: 1 << 13)
  var containers = GrowingBuffer<Header>(capacity: 1 << 10)
  private var scalars = ScalarIndex()
  // The next dictionary mostly has the same keys as the last one.
  /// The index of the first reference of the last dictionary that was linked from members.
  private var lastOfMembers = 0
  /// The index of the first reference of the last dictionary that was linked from a fragment.
  private var lastNested = 0
  /// The extent of the objects that all files begin with.
  private(set) var shared = Extent()
  /// The last file, and the number of bytes of a reference in it.
  var last: (file: File, referenceWidth: Int)?

  /// The number of a container, and the number of references after its header.
  struct Header: BitwiseCopyable {
    var object: Object
    var count: UInt32
  }

  /// The current length of each part of a file.
  struct Extent {
    var body = 0
    var objects = 0
    var references = 0
    var containers = 0
  }

  /// Creates a linker with an empty file.
  package init() {}

  var extent: Extent {
    Extent(
      body: body.count, objects: starts.count, references: references.count,
      containers: containers.count)
  }

  /// Makes all further files begin with the objects linked so far.
  package mutating func share() {
    shared = extent
    scalars.keep()
    last = nil
  }

  /// Removes all objects but the shared ones.
  mutating func rewind() {
    body.truncate(to: shared.body)
    starts.truncate(to: shared.objects)
    references.truncate(to: shared.references)
    containers.truncate(to: shared.containers)
    scalars.truncate(to: Object(shared.objects))
  }

  /// A container whose members are set one by one.
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
  package func set(_ index: Int, of dictionary: Container, key: Object, value: Object) {
    precondition(index < dictionary.count)
    references[dictionary.slot + index] = key
    references[dictionary.slot + dictionary.count + index] = value
  }

  /// Sets an item of an array to an object of this file.
  package func set(_ index: Int, of array: Container, item: Object) {
    precondition(index < array.count)
    references[array.slot + index] = item
  }

  /// Links a fragment and returns its object.
  package mutating func link(_ place: BinaryFragments.Place, of fragments: BinaryFragments)
    -> Object
  {
    fragments.bytes.withUnsafeBytes { bytes in
      var offset = Int(place)
      return link(&offset, in: bytes)
    }
  }

  /// Links a dictionary of the members at `places`, which are in canonical order and have values.
  package mutating func link(
    _ members: [BinaryFragments.Member], at places: ArraySlice<Int32>, of fragments: BinaryFragments
  ) -> Object {
    let dictionary = addDictionary(count: places.count)
    fragments.bytes.withUnsafeBytes { bytes in
      for (index, place) in places.enumerated() {
        let member = members[Int(place)]
        var key = Int(member.key)
        var value = Int(member.value ?? member.key)
        let keyObject = linkKey(&key, in: bytes, guess: lastOfMembers + index)
        let valueObject = link(&value, in: bytes)
        set(index, of: dictionary, key: keyObject, value: valueObject)
      }
    }
    lastOfMembers = dictionary.slot
    return dictionary.object
  }

  /// Links a key; `guess` is the index of a reference that may be to an equal key.
  @inline(__always)
  private mutating func linkKey(_ offset: inout Int, in bytes: UnsafeRawBufferPointer, guess: Int)
    -> Object
  {
    guard guess < references.count, Int(references[guess]) + 1 < starts.count else {
      return link(&offset, in: bytes)
    }
    let start = offset + BinaryFragments.scalarHead
    let count = Int(bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
    let object = Int(references[guess])
    // The object can be of any kind: only an equal scalar has the same bytes.
    guard Int(starts[object + 1] - starts[object]) == count, let base = bytes.baseAddress,
      memcmp(body.base + Int(starts[object]), base + start, count) == 0
    else { return link(&offset, in: bytes) }
    offset = start + count
    return Object(object)
  }

  private mutating func link(_ offset: inout Int, in bytes: UnsafeRawBufferPointer) -> Object {
    let count = Int(bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
    switch BinaryFragments.Record(rawValue: bytes[offset]) {
    case .array:
      offset += BinaryFragments.containerHead
      let (number, slot) = beginContainer(0xA0, count: count, references: count)
      for index in 0..<count {
        let item = link(&offset, in: bytes)
        references[slot + index] = item
      }
      return number
    case .dictionary:
      offset += BinaryFragments.containerHead
      let (number, slot) = beginContainer(0xD0, count: count, references: count * 2)
      let last = lastNested
      for index in 0..<count {
        let key = linkKey(&offset, in: bytes, guess: last + index)
        let value = link(&offset, in: bytes)
        references[slot + index] = key
        references[slot + count + index] = value
      }
      lastNested = slot
      return number
    case .scalar, nil:
      let start = offset + BinaryFragments.scalarHead
      offset = start + Int(bytes.loadUnaligned(fromByteOffset: offset + 5, as: UInt32.self))
      return intern(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), hash: UInt32(count))
    }
  }

  private mutating func beginContainer(_ kind: UInt8, count: Int, references added: Int) -> (
    Object, slot: Int
  ) {
    let (number, slot) = (Object(starts.count), references.count)
    starts.append(UInt32(body.count))
    body.appendBinaryHeader(kind, count: count)
    containers.append(Header(object: number, count: UInt32(added)))
    references.extend(by: added).update(repeating: 0, count: added)
    return (number, slot)
  }

  /// Returns the object of a scalar, adding it unless an equal one exists.
  mutating func intern(_ scalar: UnsafeRawBufferPointer, hash: UInt32) -> Object {
    let number = Object(starts.count)
    let (starts, body) = (self.starts.base, self.body.base)
    let end = UInt32(self.body.count)
    let found = scalars.find(hash, orAdd: number) { object in
      let start = starts[Int(object)]
      let next = object + 1 < number ? starts[Int(object) + 1] : end
      guard Int(next - start) == scalar.count, let other = scalar.baseAddress else { return false }
      return memcmp(body + Int(start), other, scalar.count) == 0
    }
    if found == number {
      self.starts.append(end)
      self.body.append(contentsOf: scalar)
    }
    return found
  }
}
