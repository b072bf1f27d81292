import ContentModel
import PropertyLists

extension BundleBody {
  /// Returns the bundle in a text format, from the pieces of its entries.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  func text(
    in format: PropertyListFormat, linkedBy linker: inout TextLinker
  ) throws(PropertyListEncodingError) -> [UInt8] {
    guard !rows.isEmpty else { return try PropertyList.encode(value, as: format) }
    let frame = try BundleFrame(of: self, in: format)
    let rowsByID = rowsByID
    linker.append(frame.head, of: frame.pieces)
    for (index, row) in rowsByID.enumerated() {
      if index > 0 { linker.append(frame.memberSeparator, of: frame.pieces) }
      try append(row, to: &linker, in: frame)
    }
    linker.append(frame.middle, of: frame.pieces)
    for (index, row) in rows.enumerated() {
      if index > 0 { linker.append(frame.itemSeparator, of: frame.pieces) }
      linker.append(row.image.text.id, of: row.image.text.pieces)
    }
    linker.append(frame.tail, of: frame.pieces)
    return linker.finish()
  }

  private func append(
    _ row: Row, to linker: inout TextLinker, in frame: BundleFrame
  ) throws(PropertyListEncodingError) {
    let (image, text) = (row.image, row.image.text)
    let (shown, condition) = (image.shown(row.variant), image.condition(row.variant))
    guard !shown.isEmpty, condition?.from == nil, condition?.until == nil else {
      do {
        return try append(
          row.value(evaluation), for: image.id, depth: BundleDepth.entries, to: &linker,
          in: frame.format)
      } catch { throw error.inside("entries") }
    }
    linker.append(text.head, of: text.pieces)
    for (index, place) in shown.enumerated() {
      if index > 0 { linker.append(frame.memberSeparator, of: frame.pieces) }
      if let member = text.members[Int(place)] {
        linker.append(member, of: text.pieces)
      } else if let value = image.resolution.values[Int(place)].value {
        let key = image.resolution.values[Int(place)].key
        do {
          try append(
            evaluation.value(value), for: key.text, depth: BundleDepth.content, to: &linker,
            in: frame.format)
        } catch { throw error.inside("content").inside(image.id).inside("entries") }
      }
    }
    linker.append(text.tail, of: text.pieces)
  }

  /// Appends a member of this bundle only.
  private func append(
    _ value: Value, for key: String, depth: Int, to linker: inout TextLinker,
    in format: PropertyListFormat
  ) throws(PropertyListEncodingError) {
    var writer = TextPieceWriter(format)
    var mark = writer.mark
    try writer.appendMember(key, value, depth: depth)
    let place = writer.place(from: &mark)
    linker.append(place, of: writer.finish())
  }
}

/// A bundle without its entries.
private struct BundleFrame {
  let format: PropertyListFormat
  let pieces: TextPieces
  /// The text before the entries, between the entries and the order, and after the order.
  let head, middle, tail: TextPieces.Place
  let memberSeparator, itemSeparator: TextPieces.Place

  init(of body: BundleBody, in format: PropertyListFormat) throws(PropertyListEncodingError) {
    self.format = format
    var writer = TextPieceWriter(format)
    var mark = writer.mark
    try writer.begin(body)
    head = writer.place(from: &mark)
    try writer.turnToOrder()
    middle = writer.place(from: &mark)
    writer.end(.array, depth: BundleDepth.entries)
    writer.endMember()
    writer.end(.dictionary, depth: BundleDepth.bundle)
    writer.endFile()
    tail = writer.place(from: &mark)
    writer.separateMembers()
    memberSeparator = writer.place(from: &mark)
    writer.separateItems()
    itemSeparator = writer.place(from: &mark)
    pieces = writer.finish()
  }
}

extension TextPieceWriter {
  /// Writes the text from the start of a bundle to its first entry.
  fileprivate mutating func begin(_ body: BundleBody) throws(PropertyListEncodingError) {
    beginFile()
    begin(.dictionary, depth: BundleDepth.bundle)
    try appendMember("bundle", .string(body.name), depth: BundleDepth.bundle)
    separateMembers()
    if let changes = body.changes {
      try appendMember("changes", .date(changes), depth: BundleDepth.bundle)
      separateMembers()
    }
    try beginMember("entries", depth: BundleDepth.bundle)
    begin(.dictionary, depth: BundleDepth.entries)
  }

  /// Writes the text from the last entry to the first id of the order.
  fileprivate mutating func turnToOrder() throws(PropertyListEncodingError) {
    end(.dictionary, depth: BundleDepth.entries)
    endMember()
    separateMembers()
    try appendMember("format", 1, depth: BundleDepth.bundle)
    separateMembers()
    try beginMember("order", depth: BundleDepth.bundle)
    begin(.array, depth: BundleDepth.entries)
  }
}
