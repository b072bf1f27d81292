/// What an object of a binary file comes to with all that it refers to, sharing unfolded.
struct BinaryExtent {
  /// How many containers stand inside one another.
  var height: Int32 = 0
  /// Values and keys.
  var nodes = 1
  /// Bytes of scalars and keys.
  var bytes = 0

  @inline(__always)
  mutating func add(_ item: Self) {
    height = max(height, item.height)
    nodes += item.nodes
    bytes += item.bytes
  }
}
