/// The shapes of a file's dictionaries, found again by whatever stands for their keys: numbers, or references.
///
/// Only a guess that is checked. All shapes share three arrays, so that looking one up counts no references.
struct ShapeTable: ~Copyable {
  /// A shape's part of the arrays.
  struct Shape: BitwiseCopyable {
    fileprivate var first = 0
    fileprivate(set) var count = -1
    fileprivate var firstOrigin = -1
    /// What the shape's maker wanted to know of it again.
    fileprivate(set) var bytes = 0
  }

  /// Wider dictionaries are tables of their own, unlike any other.
  static let widest = 64
  private var slots = GrowingBuffer<Shape>(capacity: 256)
  /// What stands for each key, in the order of the file.
  private var numbers = GrowingBuffer<Int32>(capacity: 256)
  /// The keys in canonical order.
  private(set) var keys: [String] = []
  /// For each of these its place in the file; nothing for shapes that stand in canonical order already.
  private var origins = GrowingBuffer<Int32>(capacity: 64)

  init() { slots.extend(by: 256).initialize(repeating: Shape(), count: 256) }

  /// The shape of a dictionary of which the keys are the same as another's, in the same order.
  @inline(__always)
  func shape(count: Int, number: (Int) -> Int32) -> Shape? {
    guard count <= Self.widest else { return nil }
    let shape = slots[Self.slot(count: count, number: number)]
    guard shape.count == count else { return nil }
    for index in 0..<count where numbers[shape.first + index] != number(index) { return nil }
    return shape
  }

  mutating func insert(
    _ found: DictionaryShape, bytes: Int = 0, number: (Int) -> Int32
  ) -> Shape {
    let count = found.keys.count
    var shape = Shape(first: keys.count, count: count, bytes: bytes)
    if !found.origins.isEmpty { shape.firstOrigin = origins.count }
    for index in 0..<count { numbers.append(number(index)) }
    keys += found.keys
    for origin in found.origins { origins.append(origin) }
    if count <= Self.widest { slots[Self.slot(count: count, number: number)] = shape }
    return shape
  }

  @inline(__always)
  func keys(of shape: Shape) -> ArraySlice<String> { keys[shape.first..<shape.first + shape.count] }

  /// Where the key at a canonical position stood in the file.
  @inline(__always)
  func origin(of position: Int, in shape: Shape) -> Int {
    shape.firstOrigin < 0 ? position : Int(origins[shape.firstOrigin + position])
  }

  @inline(__always)
  private static func slot(count: Int, number: (Int) -> Int32) -> Int {
    guard count > 0 else { return 0 }
    let mixed = UInt32(bitPattern: number(0) &* 31 &+ number(count - 1) &* 7 &+ Int32(truncatingIfNeeded: count))
    return Int(mixed & 255)
  }
}
