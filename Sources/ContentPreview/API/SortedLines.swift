/// A table in a string literal: a line `key=value` for each key, sorted by the bytes of the keys.
///
/// A literal costs nothing at start-up and compiles quickly. The lines have different lengths,
/// since most names are much shorter than the longest.
struct SortedLines: Sendable {
  private let text: StaticString

  init(_ text: StaticString) { self.text = text }

  /// The value of a key, or `nil`.
  subscript(key: String) -> String? {
    text.withUTF8Buffer { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        // The line that has the byte in the middle.
        let middle = rest.startIndex + rest.count / 2
        let start = rest[..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        let line = rest[(start ?? rest.startIndex)...].prefix { $0 != UInt8(ascii: "\n") }
        let found = line.prefix { $0 != UInt8(ascii: "=") }
        if found.elementsEqual(key.utf8) {
          return String(decoding: line.dropFirst(found.count + 1), as: UTF8.self)
        }
        rest =
          found.lexicographicallyPrecedes(key.utf8)
          ? rest[line.endIndex...].dropFirst() : rest[..<line.startIndex]
      }
      return nil
    }
  }

  /// The lines, for tests.
  var lines: [String] { text.description.split(separator: "\n").map(String.init) }
}
