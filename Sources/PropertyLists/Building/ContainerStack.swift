import ContentModel

/// The values and keys of the containers of a text that have not ended yet.
struct ContainerStack: ~Copyable {
  /// The start of a container's values and keys.
  struct Mark {
    fileprivate let value: Int
    fileprivate let key: Int
  }

  struct Key: BitwiseCopyable {
    let number: Int32
    /// The offset of the key in the text.
    let offset: Int
  }

  /// A key that occurs twice in a dictionary.
  struct Duplicate: Error {
    let key: String
    let offset: Int
  }

  private var values = ValueStack()
  private var keys = GrowingBuffer<Key>(capacity: 64)
  private var table: KeyTable
  private var shapes = ShapeTable()
  /// The number of values that the text may still have.
  private var valuesLeft: Int

  init(for text: UnsafeRawBufferPointer, valueLimit: Int) {
    table = KeyTable(of: text)
    valuesLeft = valueLimit
  }

  /// Counts a value; returns `false` if there are too many.
  @inline(__always)
  mutating func admitValue() -> Bool {
    valuesLeft -= 1
    return valuesLeft >= 0
  }

  var mark: Mark { Mark(value: values.count, key: keys.count) }

  @inline(__always)
  mutating func push(_ value: consuming Value) { values.push(value) }

  /// Pushes a key whose bytes occur literally in the text at `start`; errors report `offset`.
  mutating func pushKey(from start: Int, count: Int, at offset: Int, in context: Int32) {
    let number = table.number(of: start, count: count)
    table.remember(number, in: context)
    keys.append(Key(number: number, offset: offset))
  }

  /// Returns a number for the context of the next key in the dictionary that began at `mark`: the
  /// key pushed last, as its sibling or its parent.
  @inline(__always)
  func keyContext(since mark: Mark) -> Int32 {
    guard keys.count > 0 else { return 0 }
    let last = keys[keys.count - 1].number
    // The first key of a dictionary and the next sibling of its parent follow the same key, so the
    // two contexts need different numbers.
    return keys.count > mark.key ? last * 2 + 1 : last * 2 + 2
  }

  /// Pushes the key that occurred in `context` last time, if its bytes and `end` occur at `start`.
  ///
  /// Returns the key's length, or `nil` if other bytes occur there.
  @inline(__always)
  mutating func pushPredictedKey(
    in context: Int32, from start: Int, upTo end: UInt8, at offset: Int
  ) -> Int? {
    guard let (number, count) = table.predictedKey(in: context, at: start, upTo: end) else {
      return nil
    }
    keys.append(Key(number: number, offset: offset))
    return count
  }

  /// Pushes a key whose bytes do not occur literally in the text.
  mutating func pushKey(_ key: String, at offset: Int) {
    keys.append(Key(number: table.number(of: key), offset: offset))
  }

  /// Removes the key that was pushed last.
  mutating func dropKey() { keys.truncate(to: keys.count - 1) }

  /// The key that was pushed last.
  var lastKey: String { keys.count > 0 ? table.names[Int(keys[keys.count - 1].number)] : "" }

  /// Removes and returns the value that was pushed last.
  mutating func takeLast() -> Value { values.takeLast() }

  mutating func endArray(since mark: Mark) {
    values.push(.array(values.takeItems(from: mark.value)))
  }

  mutating func endDictionary(since mark: Mark) throws(Duplicate) {
    let members = try takeMembers(since: mark)
    keys.truncate(to: mark.key)
    values.push(.dictionary(members))
  }

  private mutating func takeMembers(since mark: Mark) throws(Duplicate) -> Members {
    let count = keys.count - mark.key
    let shape: ShapeTable.Shape
    if let known = shapes.shape(count: count, number: { keys[mark.key + $0].number }) {
      shape = known
    } else {
      let found = try newShape(since: mark)
      shape = shapes.insert(found) { keys[mark.key + $0].number }
    }
    return shapes.members(as: shape, taking: &values, from: mark.value)
  }

  private func newShape(since mark: Mark) throws(Duplicate) -> DictionaryShape {
    let found = (mark.key..<keys.count).map { table.names[Int(keys[$0].number)] }
    do { return try DictionaryShape(found) } catch {
      throw Duplicate(key: found[error.place], offset: keys[mark.key + error.place].offset)
    }
  }
}
