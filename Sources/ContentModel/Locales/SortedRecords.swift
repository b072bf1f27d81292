/// A table in one string literal: records of one width, sorted by key, blanks filling both halves.
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

  /// The value of a key; `nil` if it is not in the table.
  subscript(key: String) -> String? {
    position(of: key).map { field(at: $0 * width + keyWidth, width: width - keyWidth) }
  }

  /// Whether the table has this key.
  func contains(_ key: String) -> Bool { position(of: key) != nil }

  /// Every record in the order of its key.
  var all: [(key: String, value: String)] {
    (0..<count).map {
      (
        field(at: $0 * width, width: keyWidth),
        field(at: $0 * width + keyWidth, width: width - keyWidth)
      )
    }
  }

  /// The records whose key begins with these bytes.
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

  /// Below, at or above zero as the row's key comes before, equals or follows `key`; a blank ends
  /// both.
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
