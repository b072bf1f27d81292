package import ContentModel

/// An encoder of parts of text property lists.
package struct TextPieceWriter {
  private var writer: any TextWriter

  /// Creates a writer of a text format; of JSON for `.binary`.
  package init(_ format: PropertyListFormat) {
    switch format {
    case .xml: writer = XMLWriter()
    case .openstep: writer = OpenStepWriter()
    case .json, .binary: writer = JSONWriter()
    }
  }

  /// The number of bytes written.
  package var mark: Int { writer.output.count }

  /// Returns the range written since a mark, and moves the mark to the end.
  package func place(from mark: inout Int) -> TextPieces.Place {
    let place = TextPieces.Place(mark..<writer.output.count)
    mark = writer.output.count
    return place
  }

  /// Returns the encoded parts.
  package consuming func finish() -> TextPieces { TextPieces(bytes: writer.output) }

  package mutating func beginFile() { append(type(of: writer).frame.head) }
  package mutating func endFile() { append(type(of: writer).frame.foot) }

  /// Writes the separator between two members of a dictionary.
  package mutating func separateMembers() { append(type(of: writer).memberSeparator) }
  /// Writes the separator between two items of an array.
  package mutating func separateItems() { append(type(of: writer).itemSeparator) }

  /// Begins a container that is not empty.
  package mutating func begin(_ container: TextContainer, depth: Int) {
    writer.begin(container, depth: depth)
  }
  package mutating func end(_ container: TextContainer, depth: Int) {
    writer.end(container, depth: depth)
  }

  /// Begins a member of a dictionary at a depth; its value follows.
  ///
  /// - Throws: `PropertyListEncodingError` if the format cannot represent the key.
  package mutating func beginMember(_ key: String, depth: Int) throws(PropertyListEncodingError) {
    try writer.beginMember(key, depth: depth)
  }
  package mutating func endMember() { writer.endMember() }

  /// Appends a member of a dictionary at a depth.
  ///
  /// - Throws: `PropertyListEncodingError` if the format cannot represent the key or the value; the
  ///   error's key path begins with the key.
  package mutating func appendMember(
    _ key: String, _ value: Value, depth: Int
  ) throws(PropertyListEncodingError) {
    do {
      try writer.beginMember(key, depth: depth)
      try writer.write(value, depth: depth + 1)
    } catch { throw error.inside(key) }
    writer.endMember()
  }

  /// Appends an item of an array at a depth.
  ///
  /// - Throws: `PropertyListEncodingError` if the format cannot represent the value.
  package mutating func appendItem(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    writer.beginItem(depth: depth)
    try writer.write(value, depth: depth + 1)
  }

  private mutating func append(_ text: String) { writer.output.append(contentsOf: text.utf8) }
}
