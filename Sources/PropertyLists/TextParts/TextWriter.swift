import ContentModel

/// What the writers of text formats have in common for those who write a file part by part.
///
/// A container's depth is how many others it stands in; what it holds is written one deeper.
protocol TextWriter {
  var output: [UInt8] { get set }
  /// What files begin and end with.
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
  /// The whole file of a value.
  static func encode(_ value: Value) throws(PropertyListEncodingError) -> [UInt8] {
    var writer = Self()
    writer.output += frame.head.utf8
    try writer.write(value, depth: 0)
    writer.output += frame.foot.utf8
    return writer.output
  }
}
