import ContentModel

/// A writer of a text format that can write a file part by part.
///
/// The depth of a container is the number of containers around it; its contents are one deeper.
protocol TextWriter {
  var output: [UInt8] { get set }
  /// The first and the last part of every file.
  static var frame: (head: String, foot: String) { get }
  static var memberSeparator: String { get }
  static var itemSeparator: String { get }

  init()
  mutating func write(_ value: Value, depth: Int) throws(PropertyListEncodingError)
  /// Begins or ends a container that is not empty.
  mutating func begin(_ container: TextContainer, depth: Int)
  mutating func end(_ container: TextContainer, depth: Int)
  /// Begins a member of a dictionary at a depth; its value follows.
  mutating func beginMember(_ key: String, depth: Int) throws(PropertyListEncodingError)
  mutating func endMember()
  /// Begins an item of an array at a depth; its value follows.
  mutating func beginItem(depth: Int)
}

/// A kind of container.
package enum TextContainer: Sendable {
  case array, dictionary
}

extension TextWriter {
  /// Returns the file of a value.
  static func encode(_ value: Value) throws(PropertyListEncodingError) -> [UInt8] {
    var writer = Self()
    writer.output += frame.head.utf8
    try writer.write(value, depth: 0)
    writer.output += frame.foot.utf8
    return writer.output
  }
}
