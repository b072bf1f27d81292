import ContentModel
import PropertyLists

extension BundleBody {
  /// The bundle in a text format, put together from what its entries' images have encoded.
  ///
  /// - Throws: what the format cannot carry.
  func text(in format: PropertyListFormat) throws(PropertyListEncodingError) -> [UInt8] {
    guard !rows.isEmpty else { return try PropertyList.encode(value, as: format) }
    var writer = TextPieceWriter(format)
    writer.beginFile()
    writer.begin(.dictionary, depth: BundleDepth.bundle)
    try writer.appendMember("bundle", .string(name), depth: BundleDepth.bundle)
    writer.separateMembers()
    if let changes {
      try writer.appendMember("changes", .date(changes), depth: BundleDepth.bundle)
      writer.separateMembers()
    }
    try appendEntries(to: &writer)
    writer.separateMembers()
    try writer.appendMember("format", 1, depth: BundleDepth.bundle)
    writer.separateMembers()
    try appendOrder(to: &writer)
    writer.end(.dictionary, depth: BundleDepth.bundle)
    writer.endFile()
    return writer.finish().bytes
  }

  private func appendEntries(to writer: inout TextPieceWriter) throws(PropertyListEncodingError) {
    try writer.beginMember("entries", depth: BundleDepth.bundle)
    writer.begin(.dictionary, depth: BundleDepth.entries)
    for (index, row) in rowsByID.enumerated() {
      if index > 0 { writer.separateMembers() }
      try append(row, to: &writer)
    }
    writer.end(.dictionary, depth: BundleDepth.entries)
    writer.endMember()
  }

  private func append(_ row: Row, to writer: inout TextPieceWriter) throws(PropertyListEncodingError) {
    let (image, text, shown) = (row.image, row.image.text, row.image.shown(row.variant))
    let condition = image.condition(row.variant)
    guard !shown.isEmpty, condition?.from == nil, condition?.until == nil else {
      do { return try writer.appendMember(image.id, row.value(evaluation), depth: BundleDepth.entries) } catch {
        throw error.inside("entries")
      }
    }
    writer.append(text.head, of: text.pieces)
    for (index, place) in shown.enumerated() {
      if index > 0 { writer.separateMembers() }
      if let member = text.members[Int(place)] {
        writer.append(member, of: text.pieces)
      } else if let value = image.resolution.values[Int(place)].value {
        let key = image.resolution.values[Int(place)].key
        do { try writer.appendMember(key, evaluation.value(value), depth: BundleDepth.content) } catch {
          throw error.inside("content").inside(image.id).inside("entries")
        }
      }
    }
    writer.append(text.tail, of: text.pieces)
  }

  private func appendOrder(to writer: inout TextPieceWriter) throws(PropertyListEncodingError) {
    try writer.beginMember("order", depth: BundleDepth.bundle)
    writer.begin(.array, depth: BundleDepth.entries)
    for (index, row) in rows.enumerated() {
      if index > 0 { writer.separateItems() }
      writer.append(row.image.text.id, of: row.image.text.pieces)
    }
    writer.end(.array, depth: BundleDepth.entries)
    writer.endMember()
  }
}
