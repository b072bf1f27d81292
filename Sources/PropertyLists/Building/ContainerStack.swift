import ContentModel

/// What has been read of the containers of a text that have not ended yet.
struct ContainerStack: ~Copyable {
  /// Where a container's own part begins.
  struct Mark {
    fileprivate let value: Int
    fileprivate let key: Int
  }

  private struct Key {
    let number: Int32
    /// Where the key stands in the text.
    let offset: Int
  }

  /// A shape, found again by the numbers of its keys in the order of the text.
  private struct KnownShape {
    let numbers: [Int32]
    let shape: DictionaryShape
  }

  /// A key that its dictionary has twice.
  struct Duplicate: Error {
    let key: String
    let offset: Int
  }

  /// Wider dictionaries are tables of their own, unlike any other.
  private static let widest = 64
  private var values = ValueStack()
  private var keys: [Key] = []
  private var table: KeyTable
  private var shapes = [KnownShape?](repeating: nil, count: 64)

  init(for text: UnsafeRawBufferPointer) { table = KeyTable(of: text) }

  var mark: Mark { Mark(value: values.count, key: keys.count) }

  @inline(__always)
  mutating func push(_ value: consuming Value) { values.push(value) }

  /// A key of which the bytes stand in the text as they are, and of which the value comes next.
  mutating func pushKey(from start: Int, count: Int, at offset: Int) {
    keys.append(Key(number: table.number(of: start, count: count), offset: offset))
  }

  /// Any other key.
  mutating func pushKey(_ key: String, at offset: Int) {
    keys.append(Key(number: table.number(of: key), offset: offset))
  }

  /// The key that was pushed last.
  var lastKey: String { keys.last.map { table.names[Int($0.number)] } ?? "" }

  /// The one value that is left in the end.
  mutating func takeLast() -> Value { values.takeLast() }

  mutating func endArray(since mark: Mark) { values.push(.array(values.takeItems(from: mark.value))) }

  mutating func endDictionary(since mark: Mark) throws(Duplicate) {
    let members = try takeMembers(since: mark)
    keys.removeLast(keys.count - mark.key)
    values.push(.dictionary(members))
  }

  private mutating func takeMembers(since mark: Mark) throws(Duplicate) -> Members {
    let count = keys.count - mark.key
    guard count > 0 else { return Members() }
    guard count <= Self.widest else { return values.takeMembers(from: mark.value, as: try shape(since: mark)) }
    let slot = Int(keys[mark.key].number &* 5 &+ keys[keys.count - 1].number &* 3 &+ Int32(count)) & 63
    if let known = shapes[slot], isSame(known.numbers, since: mark) {
      return values.takeMembers(from: mark.value, as: known.shape)
    }
    let new = KnownShape(numbers: keys[mark.key...].map(\.number), shape: try shape(since: mark))
    shapes[slot] = new
    return values.takeMembers(from: mark.value, as: new.shape)
  }

  private func isSame(_ numbers: [Int32], since mark: Mark) -> Bool {
    guard numbers.count == keys.count - mark.key else { return false }
    for index in numbers.indices where numbers[index] != keys[mark.key + index].number { return false }
    return true
  }

  private func shape(since mark: Mark) throws(Duplicate) -> DictionaryShape {
    let found = keys[mark.key...].map { table.names[Int($0.number)] }
    do { return try DictionaryShape(found) } catch {
      throw Duplicate(key: found[error.place], offset: keys[mark.key + error.place].offset)
    }
  }
}
