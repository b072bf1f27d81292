import ContentModel
import ContentSource
import PropertyLists

/// The pieces of an entry for bundles in a text format.
struct TextImage: Sendable {
  /// The pieces that the places refer to.
  let pieces: TextPieces
  /// The text before an entry's first field and after its last, if it has fields and no dates.
  let head, tail: TextPieces.Place
  /// The id, as an item of `order`.
  let id: TextPieces.Place
  /// By value of the resolution: the value with its key; `nil` if circumstances decide on it.
  let members: [TextPieces.Place?]

  /// The image of an entry in no text bundle.
  static let none = TextImage()

  private init() { (pieces, head, tail, id, members) = (.none, .init(), .init(), .init(), []) }

  /// Encodes the wanted values of an entry.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  init(
    of entry: EntryImage.Subject, isWanted: [Bool], evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    var writer = TextPieceWriter(evaluation.format)
    var mark = writer.mark
    try writer.beginMember(entry.id, depth: BundleDepth.entries)
    writer.begin(.dictionary, depth: BundleDepth.entry)
    try writer.beginMember("content", depth: BundleDepth.entry)
    writer.begin(.dictionary, depth: BundleDepth.content)
    head = writer.place(from: &mark)
    writer.end(.dictionary, depth: BundleDepth.content)
    writer.endMember()
    try writer.appendSeparated(
      "datatype", value: .string(entry.datatype.name), depth: BundleDepth.entry)
    if let ttl = entry.datatype.ttl {
      try writer.appendSeparated(
        "ttl", value: .integer(Int64(ttl.seconds)), depth: BundleDepth.entry)
    }
    writer.end(.dictionary, depth: BundleDepth.entry)
    writer.endMember()
    tail = writer.place(from: &mark)
    try writer.appendItem(.string(entry.id), depth: BundleDepth.entries)
    id = writer.place(from: &mark)
    var members: [TextPieces.Place?] = []
    members.reserveCapacity(isWanted.count)
    for place in isWanted.indices {
      guard isWanted[place], let value = entry.resolution.values[place].value else {
        members.append(nil)
        continue
      }
      let key = entry.resolution.values[place].key.text
      do { try writer.appendMember(key, evaluation.value(value), depth: BundleDepth.content) } catch
      {
        throw error.inside("content").inside(entry.id).inside("entries")
      }
      members.append(writer.place(from: &mark))
    }
    self.members = members
    pieces = writer.finish()
  }
}

/// The depths of the dictionaries in a bundle.
enum BundleDepth {
  static let bundle = 0
  static let entries = 1
  static let entry = 2
  static let content = 3
}

extension TextPieceWriter {
  fileprivate mutating func appendSeparated(
    _ key: String, value: Value, depth: Int
  ) throws(PropertyListEncodingError) {
    separateMembers()
    try appendMember(key, value, depth: depth)
  }
}
