package import ContentModel

/// A JSON value with its place in the text, for messages about it.
package struct JSONNode: Sendable {
  /// The content of a value.
  ///
  /// A number, a `null` and the items of an array are checked, but not kept, because no reader
  /// needs them.
  package enum Content: Sendable {
    case string(String)
    case boolean(Bool)
    case object([JSONMember])
    case other
  }

  package let content: Content
  /// The bytes of a scalar, or of the opening bracket of a container.
  package let place: Range<Int>

  /// The greatest depth of values.
  package static let depthLimit = 64

  /// The text, if the value is a string.
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  /// The members in their order, if the value is an object.
  package var members: [JSONMember]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// Returns the member with a key.
  package subscript(key: ExactString) -> JSONMember? { members?.first { $0.key == key } }
}

/// A key with its place, and its value.
package struct JSONMember: Sendable {
  package let key: ExactString
  package let place: Range<Int>
  package let value: JSONNode
}
