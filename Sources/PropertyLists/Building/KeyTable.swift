/// The keys of one text, each made into a string once and known by a number from then on.
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

  /// Keys that are made to collide are not found again, rather than looked for at length.
  private static let probeLimit = 8
  private let bytes: UnsafeRawBufferPointer
  private var slots = Self.table(of: 256)
  private var places = GrowingBuffer<Place>(capacity: 64)
  private(set) var names: [String] = []
  /// For what a key came after, the key; -1 where nothing did.
  private var followers = GrowingBuffer<Int32>(capacity: 128)

  /// The keys of a text that stays where it is for as long as this is used.
  init(of bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    followers.append(-1)
  }

  private static func table(of size: Int) -> GrowingBuffer<Slot> {
    var slots = GrowingBuffer<Slot>(capacity: size)
    slots.extend(by: size).initialize(repeating: Slot(), count: size)
    return slots
  }

  /// The number of the key that some bytes of the text are; a key may get a second number, but
  /// never another key's.
  mutating func number(of start: Int, count: Int) -> Int32 {
    let hash = bytes.hash(at: start, count: count)
    var index = Int(hash) & (slots.count - 1)
    for _ in 0..<Self.probeLimit {
      let slot = slots[index]
      if slot.number < 0 { return insert(start, count, hash, at: index) }
      if slot.hash == hash, isKey(slot.number, at: start, count: count) { return slot.number }
      index = (index + 1) & (slots.count - 1)
    }
    return append(text(start, count), Place(start: start, count: count))
  }

  /// Remembers which key came after something that a number stands for.
  mutating func remember(_ number: Int32, after previous: Int32) {
    if previous < followers.count { followers[Int(previous)] = number }
  }

  /// The key that was remembered, if it stands at a place of the text with a certain byte after it.
  @inline(__always)
  func usual(after previous: Int32, at start: Int, upTo end: UInt8) -> (number: Int32, count: Int)?
  {
    let number = followers[Int(previous)]
    guard number >= 0 else { return nil }
    let place = places[Int(number)]
    guard place.count >= 0, start + place.count < bytes.count, bytes[start + place.count] == end,
      bytes.hasSameBytes(at: place.start, as: start, count: place.count)
    else { return nil }
    return (number, place.count)
  }

  /// The number of a key that does not stand in the text as it is.
  mutating func number(of key: String) -> Int32 { append(key, Place(start: 0, count: -1)) }

  /// Whether a known key stands at a place of the text.
  @inline(__always)
  private func isKey(_ number: Int32, at start: Int, count: Int) -> Bool {
    let place = places[Int(number)]
    return place.count == count && bytes.hasSameBytes(at: place.start, as: start, count: count)
  }

  private func text(_ start: Int, _ count: Int) -> String {
    String(
      checkedUTF8: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        .assumingMemoryBound(to: UInt8.self))
  }

  private mutating func append(_ name: String, _ place: Place) -> Int32 {
    names.append(name)
    places.append(place)
    followers.append(-1)
    followers.append(-1)
    return Int32(truncatingIfNeeded: names.count - 1)
  }

  private mutating func insert(_ start: Int, _ count: Int, _ hash: UInt32, at index: Int) -> Int32 {
    let number = append(text(start, count), Place(start: start, count: count))
    slots[index] = Slot(hash: hash, number: number)
    if names.count * 2 > slots.count { grow() }
    return number
  }

  private mutating func grow() {
    var larger = Self.table(of: slots.count * 4)
    for old in 0..<slots.count where slots[old].number >= 0 {
      var index = Int(slots[old].hash) & (larger.count - 1)
      // What finds no place within the limit would not be found there either.
      for _ in 0..<Self.probeLimit where larger[index].number >= 0 {
        index = (index + 1) & (larger.count - 1)
      }
      if larger[index].number < 0 { larger[index] = slots[old] }
    }
    swap(&slots, &larger)
  }
}
