import ContentModel

/// Reads `bplist00` from anyone.
///
/// Each object is read once and shared by all that refer to it, and what is read must not lie over itself: time and
/// memory are linear in the file's size. What sharing unfolds to is counted, so that whoever walks the result is safe too.
struct BinaryReader {
  let file: BinaryFile
  /// For each object: not yet seen, being read, or its index in `results`.
  private var states: [Int32]
  private var results: [Result] = []
  /// How many bytes of the file have been read into objects.
  private var bytesRead = 0

  static let (unseen, underWay): (Int32, Int32) = (-1, -2)

  /// An object with all that it refers to, sharing unfolded.
  private struct Result {
    var value: Value
    var height = 0
    var nodes = 1
    var bytes = 0
  }

  static func decode(_ bytes: [UInt8]) throws(PropertyListDecodingError) -> Value {
    let file = try BinaryFile(bytes)
    var reader = BinaryReader(file: file, states: Array(repeating: unseen, count: file.objectCount))
    return reader.results[try reader.read(file.root, depth: 0)].value
  }

  private init(file: BinaryFile, states: [Int32]) { (self.file, self.states) = (file, states) }

  /// Nodes that the result may unfold to; without shared containers there are never more than bytes.
  private var nodeLimit: Int { 8 * file.bytes.count }

  /// Bytes of strings and data that the result may unfold to; honest files repeat long texts.
  private var byteLimit: Int { max(1 << 28, 256 * file.bytes.count) }

  /// The index of an object's result.
  private mutating func read(_ number: Int, depth: Int) throws(PropertyListDecodingError) -> Int {
    let offset = try file.offset(of: number)
    if states[number] == Self.underWay { throw file.failure(.cycle, at: offset) }
    if states[number] != Self.unseen {
      let index = Int(states[number])
      if depth + results[index].height > PropertyList.depthLimit { throw file.failure(.tooDeep, at: offset) }
      return index
    }
    states[number] = Self.underWay
    let object = try file.object(at: offset)
    bytesRead += object.end - offset
    if bytesRead > file.bytes.count { throw file.failure(.overlappingObjects, at: offset) }
    let result = try result(of: object, depth: depth)
    if result.nodes > nodeLimit || result.bytes > byteLimit { throw file.failure(.expansionTooLarge, at: offset) }
    states[number] = Int32(results.count)
    results.append(result)
    return results.count - 1
  }

  private mutating func result(
    of object: BinaryFile.Object, depth: Int
  ) throws(PropertyListDecodingError) -> Result {
    switch object.kind {
    case .scalar(let value): return Result(value: value, bytes: object.end - object.start)
    case .array, .dictionary:
      guard depth < PropertyList.depthLimit else { throw file.failure(.tooDeep, at: object.start) }
    }
    var result = Result(value: .array([]))
    let isDictionary = object.kind.isDictionary
    let first = isDictionary ? object.count : 0
    var items: [Value] = []
    items.reserveCapacity(object.count)
    for index in 0..<object.count {
      let item = results[try read(file.reference(first + index, of: object), depth: depth + 1)]
      items.append(item.value)
      result.height = max(result.height, item.height)
      result.nodes += item.nodes
      result.bytes += item.bytes
      if result.nodes > nodeLimit || result.bytes > byteLimit {
        throw file.failure(.expansionTooLarge, at: object.start)
      }
    }
    result.height += 1
    result.value = isDictionary ? try dictionary(of: items, object, counting: &result, depth: depth) : .array(items)
    return result
  }

  private mutating func dictionary(
    of values: [Value], _ object: BinaryFile.Object, counting result: inout Result, depth: Int
  ) throws(PropertyListDecodingError) -> Value {
    var builder = DictionaryBuilder()
    builder.reserveCapacity(object.count)
    for index in 0..<object.count {
      let number = file.reference(index, of: object)
      let offset = try file.offset(of: number)
      let key = try file.isString(at: offset) ? results[read(number, depth: depth + 1)] : nil
      guard let key, case .string(let text) = key.value else { throw file.failure(.keyIsNotString, at: offset) }
      builder.append(text, values[index], at: offset)
      result.bytes += key.bytes
      result.nodes += 1
    }
    if let (key, offset) = builder.firstDuplicate { throw file.failure(.duplicateKey(key), at: offset) }
    return builder.build()
  }
}
