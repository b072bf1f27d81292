import ContentModel
import YAML

/// The names of an object's fields as bytes, so that a lookup makes no string of a key.
struct FieldNames: Sendable {
  /// The concatenation of all names.
  private let bytes: [UInt8]
  private let ends: [Int]
  /// The places of many names; a linear search is as fast for a few.
  private let places: [[UInt8]: Int]

  init(_ names: [ExactString]) {
    bytes = names.flatMap { Array($0.text.utf8) }
    var ends: [Int] = []
    for name in names { ends.append((ends.last ?? 0) + name.text.utf8.count) }
    self.ends = ends
    places =
      names.count > 24
      ? Dictionary(names.enumerated().map { (Array($0.element.text.utf8), $0.offset) }) {
        first, _ in
        first
      } : [:]
  }

  /// Returns the place of a name.
  func place(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    if !places.isEmpty { return places[Array(name)] }
    return bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      for place in ends.indices {
        let end = ends[place]
        if UnsafeBufferPointer(rebasing: bytes[start..<end]).hasSameBytes(as: name) { return place }
        start = end
      }
      return nil
    }
  }
}
