/// One node in 8 bytes: a scalar that is written as it decodes, or what kind of node its details belong to.
struct YAMLRow {
  /// Where the text begins in the file, or which details belong to the node.
  private(set) var place: UInt32
  /// The kind in 2 bits, the tag in 4, three flags, and the text's length in 23; no length fits where there are details.
  private var form: UInt32

  private static let plainBit: UInt32 = 1 << 6
  private static let brokenBit: UInt32 = 1 << 7
  private static let quotedBit: UInt32 = 1 << 8
  private static let noLength: UInt32 = (1 << 23) - 1

  /// A scalar whose text stands in the file as it is; `nil` where it is too long for that.
  init?(textAt start: Int, count: Int, isQuoted: Bool) {
    guard count < Self.noLength, start < UInt32.max else { return nil }
    place = UInt32(start)
    form = UInt32(count) << 9 | (isQuoted ? Self.quotedBit : Self.plainBit)
  }

  /// A node whose two details, its span and its content, begin at an index.
  init(_ kind: YAMLNode.Kind, tag: YAMLTag = .none, isPlainStyle: Bool = false, isBroken: Bool = false, details: Int) {
    place = UInt32(details)
    form =
      Self.noLength << 9 | UInt32(kind.rawValue) | UInt32(tag.rawValue) << 2 | (isPlainStyle ? Self.plainBit : 0)
      | (isBroken ? Self.brokenBit : 0)
  }

  /// One detail: a range of bytes or rows.
  init(detail range: Range<Int>) {
    (place, form) = (UInt32(range.lowerBound), UInt32(range.upperBound))
  }

  /// What it is as a detail.
  var range: Range<Int> { Int(place)..<Int(form) }

  var kind: YAMLNode.Kind { YAMLNode.Kind(rawValue: UInt8(form & 3)) ?? .scalar }
  var tag: YAMLTag { YAMLTag(rawValue: UInt8(form >> 2 & 15)) ?? .none }
  /// Whether it was written without quotes and not as a block.
  var isPlainStyle: Bool { form & Self.plainBit != 0 }
  /// Whether it stands where an alias could not be followed.
  var isBroken: Bool { form & Self.brokenBit != 0 }

  /// Whether its text stands in the file, and it has no details.
  var isAsWritten: Bool { form >> 9 != Self.noLength }
  var writtenText: Range<Int> { Int(place)..<Int(place) + Int(form >> 9) }
  var writtenSpan: Range<Int> {
    let text = writtenText
    let quotes = form & Self.quotedBit != 0 ? 1 : 0
    return text.lowerBound - quotes..<text.upperBound + quotes
  }
}
