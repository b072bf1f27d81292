/// A node in 8 bytes if its place in the file follows from its text or its children, and in 24
/// bytes otherwise.
struct YAMLRow {
  /// The bytes of a node before and after its text or its children.
  enum Margin: UInt32, CaseIterable {
    /// Nothing: a text without quotes, a block mapping.
    case none
    /// A quote or a bracket at either end.
    case delimiters
    /// A dash and a space before: a block list.
    case dash

    var before: Int { Int(rawValue) }
    var behind: Int { self == .delimiters ? 1 : 0 }
  }

  /// The offset of the text in the file, the index of the first child, or the index of the first of
  /// the node's two details.
  private(set) var place: UInt32
  /// The kind in 2 bits, the margin in 2, three flags; then in 25 bits the length, or the tag where
  /// there are details.
  private var form: UInt32

  private static let plainBit: UInt32 = 1 << 4
  private static let brokenBit: UInt32 = 1 << 5
  private static let detailsBit: UInt32 = 1 << 6
  private static let mostLength = 1 << 25 - 1

  /// A scalar whose value is its source text; `nil` if it is too long.
  init?(textAt start: Int, count: Int, isQuoted: Bool) {
    let margin = isQuoted ? Margin.delimiters : .none
    self.init(
      .scalar, first: start, count: count, margin: margin, flags: isQuoted ? 0 : Self.plainBit)
  }

  /// A collection whose ends follow from its children and a margin; `nil` if it is too large.
  init?(_ kind: YAMLNode.Kind, firstChild: Int, count: Int, margin: Margin) {
    self.init(kind, first: firstChild, count: count, margin: margin, flags: 0)
  }

  private init?(_ kind: YAMLNode.Kind, first: Int, count: Int, margin: Margin, flags: UInt32) {
    guard count <= Self.mostLength, first < UInt32.max else { return nil }
    place = UInt32(first)
    form = UInt32(count) << 7 | flags | margin.rawValue << 2 | UInt32(kind.rawValue)
  }

  /// A node whose two details, its span and its content, begin at an index.
  init(
    _ kind: YAMLNode.Kind, tag: YAMLTag = .none, isPlainStyle: Bool = false, isBroken: Bool = false,
    details: Int
  ) {
    place = UInt32(details)
    form =
      UInt32(tag.rawValue) << 7 | Self.detailsBit | UInt32(kind.rawValue)
      | (isPlainStyle ? Self.plainBit : 0)
      | (isBroken ? Self.brokenBit : 0)
  }

  /// One detail: a range of bytes or rows.
  init(detail range: Range<Int>) {
    (place, form) = (UInt32(range.lowerBound), UInt32(range.upperBound))
  }

  /// The node in 4 bytes, into which nearly all nodes fit; `nil` if it does not fit.
  ///
  /// The place takes 14 bits, and the length 11 bits. A text counts from a base that near nodes
  /// share, children count back from the node's own index, and details count from the first detail.
  func packed(at index: Int, base: UInt32) -> UInt32? {
    let distance =
      hasDetails ? Int(place) : kind == .scalar ? Int(place) - Int(base) : index - Int(place)
    guard distance >= 0, distance < 1 << 14, form < 1 << 18 else { return nil }
    return UInt32(distance) << 18 | form
  }

  /// Unpacks a word that `packed` returned.
  init(packed word: UInt32, at index: Int, base: UInt32) {
    form = word & (1 << 18 - 1)
    let distance = word >> 18
    if form & (Self.detailsBit | 3) == 0 {
      place = base &+ distance
    } else {
      place = form & Self.detailsBit != 0 ? distance : UInt32(truncatingIfNeeded: index) &- distance
    }
  }

  /// The range of a detail.
  var range: Range<Int> { Int(place)..<Int(form) }

  var kind: YAMLNode.Kind { YAMLNode.Kind(rawValue: UInt8(form & 3)) ?? .scalar }
  var tag: YAMLTag {
    hasDetails ? YAMLTag(rawValue: UInt8(truncatingIfNeeded: form >> 7)) ?? .none : .none
  }
  /// A Boolean value that indicates whether the scalar has neither quotes nor a block header.
  var isPlainStyle: Bool { form & Self.plainBit != 0 }
  /// A Boolean value that indicates whether the node replaces an undefined alias.
  var isBroken: Bool { form & Self.brokenBit != 0 }
  /// A Boolean value that indicates whether details instead of the row hold the content and the
  /// span.
  var hasDetails: Bool { form & Self.detailsBit != 0 }

  /// The content of a node without details.
  ///
  /// For a scalar, a range of bytes in the file; for a collection, the indices of its children.
  var content: Range<Int> { Int(place)..<Int(place) + Int(form >> 7) }
  var margin: Margin { Margin(rawValue: form >> 2 & 3) ?? .none }

  /// The end of a scalar without details, its closing quote included.
  var writtenEnd: Int { content.upperBound + margin.behind }
}
