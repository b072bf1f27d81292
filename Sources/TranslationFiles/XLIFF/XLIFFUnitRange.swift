import ContentModel

/// The bytes of a unit that is not well-formed XML, found by the tags around it.
struct XLIFFUnitRange {
  let range: Range<Int>

  /// Finds the unit around a mistake; `nil` if there is none.
  ///
  /// `start` is the offset of the unit's start tag, if that was read. A unit without an end tag ends
  /// before the next tag of a unit or of an element around units.
  init?(around mistake: Int, openedAt start: Int?, in bytes: [UInt8]) {
    let tags = Self.tags(in: bytes)
    if let start {
      guard let end = tags.first(where: { $0.range.lowerBound > start })?.end else { return nil }
      range = start..<end
      return
    }
    // The start tag is damaged: the unit begins after the tag before it.
    let before = tags.last { $0.range.upperBound <= mistake }
    let begin = before.map { $0.isStartOfUnit ? $0.range.lowerBound : $0.range.upperBound }
    let after = tags.first { $0.range.lowerBound > mistake }
    guard let begin, let end = after?.end, begin < end,
      bytes[begin..<end].contains(where: { !$0.isWhitespace })
    else { return nil }
    range = begin..<end
  }

  /// A start tag or an end tag of a unit, or of an element that contains units.
  private struct Tag {
    var range: Range<Int>
    var isStartOfUnit = false
    var isEndOfUnit = false

    /// The end of a unit that this tag ends.
    var end: Int { isEndOfUnit ? range.upperBound : range.lowerBound }
  }

  private static func tags(in bytes: [UInt8]) -> [Tag] {
    var tags: [Tag] = []
    var offset = 0
    while let open = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
      offset = open + 1
      let isEnd = offset < bytes.count && bytes[offset] == UInt8(ascii: "/")
      let name = bytes[(isEnd ? offset + 1 : offset)...].prefix { !$0.endsName }
      let local = name.split(separator: UInt8(ascii: ":")).last ?? []
      let isUnit = local.elementsEqual("trans-unit".utf8)
      guard isUnit || local.elementsEqual("body".utf8) || local.elementsEqual("group".utf8) else {
        continue
      }
      // A damaged tag may lack its end.
      let rest = bytes[name.endIndex...]
      let close = rest.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
      let end = close.map { bytes[$0] == UInt8(ascii: ">") ? $0 + 1 : $0 } ?? bytes.count
      tags.append(
        Tag(range: open..<end, isStartOfUnit: isUnit && !isEnd, isEndOfUnit: isUnit && isEnd))
    }
    return tags
  }
}

extension UInt8 {
  fileprivate var endsName: Bool {
    isWhitespace || self == UInt8(ascii: ">") || self == UInt8(ascii: "/")
      || self == UInt8(ascii: "<")
  }
}
