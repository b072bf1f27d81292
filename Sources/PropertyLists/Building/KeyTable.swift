/// A table of the keys of one text: each key is decoded once and then has a number.
struct KeyTable: ~Copyable {
  struct Slot: BitwiseCopyable {
    var hash: UInt32 = 0
    /// -1 in a free slot.
    var number: Int32 = -1
  }

  struct Place: BitwiseCopyable {
    let start: Int
    let count: Int
  }

  /// The greatest number of slots probed, so that chosen collisions cannot make look-ups slow.
  private static let probeLimit = 8
  private let bytes: UnsafeRawBufferPointer
  private var slots = Self.table(of: 256)
  private var places = GrowingBuffer<Place>(capacity: 64)
  private(set) var names: [String] = []
  /// By context, the number of the key that followed last; -1 if none did.
  private var predictions = GrowingBuffer<Int32>(capacity: 128)

  /// Creates a table for a text that must outlive it.
  init(of bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    predictions.append(-1)
  }

  private static func table(of size: Int) -> GrowingBuffer<Slot> {
    var slots = GrowingBuffer<Slot>(capacity: size)
    slots.extend(by: size).initialize(repeating: Slot(), count: size)
    return slots
  }

  /// Returns the number of the key at `start`.
  ///
  /// A key can have several numbers, but no two keys share one.
  mutating func number(of start: Int, count: Int) -> Int32 {
    let hash = bytes.hash(at: start, count: count)
    var index = Int(hash) & (slots.count - 1)
    for _ in 0..<Self.probeLimit {
      let slot = slots[index]
      if slot.number < 0 {
        return insert(Place(start: start, count: count), hash: hash, at: index)
      }
      if slot.hash == hash, isKey(slot.number, at: start, count: count) { return slot.number }
      index = (index + 1) & (slots.count - 1)
    }
    return append(Place(start: start, count: count))
  }

  /// Stores the key that followed in a context.
  mutating func remember(_ number: Int32, in context: Int32) {
    if context < predictions.count { predictions[Int(context)] = number }
  }

  /// Returns the key that followed last in a context, if its bytes and `end` occur at `start`.
  @inline(__always)
  func predictedKey(in context: Int32, at start: Int, upTo end: UInt8) -> (
    number: Int32, count: Int
  )? {
    let number = predictions[Int(context)]
    guard number >= 0 else { return nil }
    let place = places[Int(number)]
    guard place.count >= 0, start + place.count < bytes.count, bytes[start + place.count] == end,
      bytes.hasSameBytes(at: place.start, as: start, count: place.count)
    else { return nil }
    return (number, place.count)
  }

  /// Returns a new number for a key whose bytes do not occur literally in the text.
  mutating func number(of key: String) -> Int32 { append(key, at: Place(start: 0, count: -1)) }

  /// Returns `true` if a known key occurs at `start`.
  @inline(__always)
  private func isKey(_ number: Int32, at start: Int, count: Int) -> Bool {
    let place = places[Int(number)]
    return place.count == count && bytes.hasSameBytes(at: place.start, as: start, count: count)
  }

  private mutating func append(_ place: Place) -> Int32 {
    let name = UnsafeRawBufferPointer(rebasing: bytes[place.start..<place.start + place.count])
    return append(String(checkedUTF8: name.assumingMemoryBound(to: UInt8.self)), at: place)
  }

  private mutating func append(_ name: String, at place: Place) -> Int32 {
    names.append(name)
    places.append(place)
    predictions.append(-1)
    predictions.append(-1)
    return Int32(truncatingIfNeeded: names.count - 1)
  }

  private mutating func insert(_ place: Place, hash: UInt32, at index: Int) -> Int32 {
    let number = append(place)
    slots[index] = Slot(hash: hash, number: number)
    if names.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    var larger = Self.table(of: slots.count * 4)
    for old in 0..<slots.count where slots[old].number >= 0 {
      var index = Int(slots[old].hash) & (larger.count - 1)
      // A key without a free slot within the limit is dropped: no look-up would reach it.
      for _ in 0..<Self.probeLimit where larger[index].number >= 0 {
        index = (index + 1) & (larger.count - 1)
      }
      if larger[index].number < 0 { larger[index] = slots[old] }
    }
    swap(&slots, &larger)
  }
}
