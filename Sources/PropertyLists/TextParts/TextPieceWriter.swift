package import ContentModel

/// Encodes parts of text property lists.
package struct TextPieceWriter {
  private var writer: any TextWriter

  /// A writer of the given format, or of JSON where that is not a text format.
  package init(_ format: PropertyListFormat) {
    switch format {
    case .xml: writer = XMLWriter()
    case .openstep: writer = OpenStepWriter()
    case .json, .binary: writer = JSONWriter()
    }
  }

  /// How many bytes were written.
  package var mark: Int { writer.output.count }

  /// What was written since a mark, which is set behind it.
  package func place(from mark: inout Int) -> TextPieces.Place {
    let place = TextPieces.Place(mark..<writer.output.count)
    mark = writer.output.count
    return place
  }

  /// What was written.
  package consuming func finish() -> TextPieces { TextPieces(bytes: writer.output) }

  package mutating func beginFile() { append(type(of: writer).frame.head) }
  package mutating func endFile() { append(type(of: writer).frame.foot) }

  /// Stands between two members of a dictionary.
  package mutating func separateMembers() { append(type(of: writer).memberSeparator) }
  /// Stands between two items of an array.
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
  /// - Throws: what the format cannot carry.
  package mutating func beginMember(_ key: String, depth: Int) throws(PropertyListEncodingError) {
    try writer.beginMember(key, depth: depth)
  }
  package mutating func endMember() { writer.endMember() }

  /// Appends a member of a dictionary at a depth.
  ///
  /// - Throws: what the format cannot carry; its key path begins with the key.
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
  /// - Throws: what the format cannot carry.
  package mutating func appendItem(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    writer.beginItem(depth: depth)
    try writer.write(value, depth: depth + 1)
  }

  private mutating func append(_ text: String) { writer.output.append(contentsOf: text.utf8) }
}
