/// Values that were encoded once, to be linked into many binary property lists.
///
/// A scalar is kept as the very bytes of its object, with their hash; a container as its kind and
/// count, followed by what it holds, of a dictionary each key before its value. Nothing in it
/// depends on the file that it will be part of.
package struct BinaryFragments: Sendable {
  /// Where a fragment begins.
  package typealias Place = Int32

  /// One member of a dictionary.
  package struct Member: Sendable {
    package var key: Place
    /// `nil` where each file has its own.
    package var value: Place?

    package init(key: Place, value: Place?) { (self.key, self.value) = (key, value) }
  }

  enum Record: UInt8 {
    case scalar, array, dictionary
  }

  /// What stands before a scalar's bytes: the record's kind, the hash, the count of bytes.
  static let scalarHead = 9
  /// A container's record: its kind and count.
  static let containerHead = 5

  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// No fragments.
  package static let none = BinaryFragments(bytes: [])
}
