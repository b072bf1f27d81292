/// A table in a string literal: records of equal width, sorted by key, keys and values padded with
/// blanks.
///
/// A literal costs nothing at start-up and compiles quickly.
struct SortedRecords: Sendable {
  let keyWidth: Int
  let width: Int
  let count: Int
  let text: StaticString

  init(key: Int, value: Int, count: Int, _ text: StaticString) {
    self.keyWidth = key
    self.width = key + value
    self.count = count
    self.text = text
  }

  /// The value of a key, or `nil`.
  subscript(key: String) -> String? {
    position(of: key).map { field(at: $0 * width + keyWidth, width: width - keyWidth) }
  }

  /// Returns `true` if the table has a key.
  func contains(_ key: String) -> Bool { position(of: key) != nil }

  /// The records, sorted by key.
  var all: [(key: String, value: String)] {
    (0..<count).map {
      (
        field(at: $0 * width, width: keyWidth),
        field(at: $0 * width + keyWidth, width: width - keyWidth)
      )
    }
  }

  /// Returns the records whose key begins with a prefix.
  func all(beginningWith prefix: String) -> [(key: String, value: String)] {
    var row = firstRow(notBefore: prefix)
    var found: [(key: String, value: String)] = []
    while row < count {
      let key = field(at: row * width, width: keyWidth)
      guard key.utf8.starts(with: prefix.utf8) else { break }
      found.append((key, field(at: row * width + keyWidth, width: width - keyWidth)))
      row += 1
    }
    return found
  }

  private func position(of key: String) -> Int? {
    guard key.utf8.count <= keyWidth else { return nil }
    let row = firstRow(notBefore: key)
    return row < count && order(ofRow: row, and: key) == 0 ? row : nil
  }

  private func firstRow(notBefore key: String) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if order(ofRow: middle, and: key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Compares the key of a row with `key`: negative if it sorts first, positive if it sorts last,
  /// zero if they are equal.
  private func order(ofRow row: Int, and key: String) -> Int {
    text.withUTF8Buffer { bytes in
      var index = row * width
      for byte in key.utf8 {
        if bytes[index] != byte { return Int(bytes[index]) - Int(byte) }
        index += 1
        if index == (row * width) + keyWidth { return 0 }
      }
      return Int(bytes[index]) - Int(UInt8(ascii: " "))
    }
  }

  private func field(at start: Int, width: Int) -> String {
    text.withUTF8Buffer { bytes in
      var end = start + width
      while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }
}
