/// Values that are encoded once and linked into many binary property lists.
///
/// A scalar is stored as the bytes of its object with their hash, a container as its kind and
/// count, followed by its contents; in a dictionary, each key precedes its value. A fragment does
/// not depend on the file that it is linked into.
package struct BinaryFragments: Sendable {
  /// The offset of a fragment.
  package typealias Place = Int32

  /// A member of a dictionary.
  package struct Member: Sendable {
    package var key: Place
    /// The value, or `nil` if it differs by file.
    package var value: Place?

    package init(key: Place, value: Place?) { (self.key, self.value) = (key, value) }
  }

  enum Record: UInt8 {
    case scalar, array, dictionary
  }

  /// The number of bytes before a scalar's bytes: the record's kind, the hash, the byte count.
  static let scalarHead = 9
  /// The number of bytes of a container's record: its kind and count.
  static let containerHead = 5

  let bytes: [UInt8]

  /// An empty set of fragments.
  package static let none = BinaryFragments(bytes: [])
}
