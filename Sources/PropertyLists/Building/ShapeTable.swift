import ContentModel

/// A cache of the shapes of a file's dictionaries, keyed by a number for each key: its number in a
/// `KeyTable`, or its object in a binary file.
struct ShapeTable: ~Copyable {
  /// The position of a shape in the arrays.
  struct Shape: BitwiseCopyable {
    fileprivate var index = 0
    fileprivate var firstNumber = 0
    fileprivate(set) var count = -1
    /// The number that the caller passed to `insert`.
    fileprivate(set) var bytes = 0
  }

  /// The greatest number of keys of a cached shape; wider dictionaries rarely repeat.
  static let widest = 64
  private var slots = GrowingBuffer<Shape>(capacity: 256)
  /// The numbers of the keys of each shape, in the file's order.
  private var numbers = GrowingBuffer<Int32>(capacity: 256)
  private var shapes: [DictionaryShape] = []

  init() { slots.extend(by: 256).initialize(repeating: Shape(), count: 256) }

  /// Returns the shape that was inserted with the same numbers in the same order, or `nil`.
  @inline(__always)
  func shape(count: Int, number: (Int) -> Int32) -> Shape? {
    guard count <= Self.widest else { return nil }
    let shape = slots[Self.slot(count: count, number: number)]
    guard shape.count == count else { return nil }
    for index in 0..<count where numbers[shape.firstNumber + index] != number(index) { return nil }
    return shape
  }

  mutating func insert(
    _ found: DictionaryShape, bytes: Int = 0, number: (Int) -> Int32
  ) -> Shape {
    let count = found.keys.count
    let shape = Shape(index: shapes.count, firstNumber: numbers.count, count: count, bytes: bytes)
    for index in 0..<count { numbers.append(number(index)) }
    shapes.append(found)
    if count <= Self.widest { slots[Self.slot(count: count, number: number)] = shape }
    return shape
  }

  /// Takes the values from an index and returns them as the members of a dictionary of a shape.
  @inline(__always)
  func members(as shape: Shape, taking values: inout ValueStack, from start: Int) -> Members {
    let found = shapes[shape.index]
    let items =
      found.origins.isEmpty
      ? values.takeItems(from: start) : values.takeItems(from: start, inOrder: found.origins[...])
    return Members(canonicalKeys: found.keys, values: items)
  }

  @inline(__always)
  private static func slot(count: Int, number: (Int) -> Int32) -> Int {
    guard count > 0 else { return 0 }
    let mixed = UInt32(
      bitPattern: number(0) &* 31 &+ number(count - 1) &* 7 &+ Int32(truncatingIfNeeded: count))
    return Int(mixed & 255)
  }
}

/// The keys of a dictionary in canonical order, and their positions in the file.
///
/// Many dictionaries of a file have the same shape, so it is computed once for all of them.
struct DictionaryShape {
  let keys: [String]
  /// The position in the file of each key; empty if the file has canonical order.
  let origins: [Int32]

  /// The position in the file of the first key that repeats an earlier one.
  struct Duplicate: Error {
    let place: Int
  }

  init(_ found: [String]) throws(Duplicate) {
    if zip(found, found.dropFirst()).allSatisfy({ $0.precedesInBytes($1) }) {
      (keys, origins) = (found, [])
      return
    }
    let order = found.indices.sorted { a, b in
      found[a].precedesInBytes(found[b]) || (found[a].hasSameBytes(as: found[b]) && a < b)
    }
    let repeated = zip(order, order.dropFirst()).filter { found[$0].hasSameBytes(as: found[$1]) }
    if let place = repeated.map(\.1).min() { throw Duplicate(place: place) }
    (keys, origins) = (order.map { found[$0] }, order.map(Int32.init))
  }
}
