import ContentModel

/// The bytes of a unit that is not well-formed XML, found by the tags around it.
struct XLIFFUnitRange {
  let range: Range<Int>

  /// The most bytes before a mistake that are searched for the tag of its unit.
  ///
  /// The limit bounds the search in hostile files.
  private static let mostSearchedBytes = 64 << 10

  /// Finds the unit around a mistake; `nil` if there is none.
  ///
  /// `start` is the offset of the unit's start tag, if that was read. A unit without an end tag ends
  /// before the next tag of a unit or of an element around units.
  init?(around mistake: Int, openedAt start: Int?, in bytes: [UInt8]) {
    if let start {
      var tags = XLIFFTags(in: bytes, from: start + 1)
      guard let end = tags.next()?.end else { return nil }
      range = start..<end
      return
    }
    // The start tag is damaged: the unit begins after the tag before it.
    var tags = XLIFFTags(in: bytes, from: max(0, mistake - Self.mostSearchedBytes))
    var (begin, end): (Int?, Int?)
    while end == nil, let tag = tags.next() {
      if tag.range.upperBound <= mistake {
        begin = tag.isStartOfUnit ? tag.range.lowerBound : tag.range.upperBound
      } else if tag.range.lowerBound > mistake {
        end = tag.end
      }
    }
    guard let begin, let end, begin < end,
      bytes[begin..<end].contains(where: { !$0.isWhitespace })
    else { return nil }
    range = begin..<end
  }
}

/// The tags of units, and of the elements that contain units, in a file that need not be XML.
private struct XLIFFTags {
  private let bytes: [UInt8]
  private var offset: Int

  init(in bytes: [UInt8], from offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

  struct Tag {
    var range: Range<Int>
    var isStartOfUnit: Bool
    var isEndOfUnit: Bool

    /// The end of a unit that this tag ends.
    var end: Int { isEndOfUnit ? range.upperBound : range.lowerBound }
  }

  mutating func next() -> Tag? {
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
      let close = bytes[name.endIndex...].firstIndex {
        $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
      }
      let end = close.map { bytes[$0] == UInt8(ascii: ">") ? $0 + 1 : $0 } ?? bytes.count
      return Tag(
        range: open..<end, isStartOfUnit: isUnit && !isEnd, isEndOfUnit: isUnit && isEnd)
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var endsName: Bool {
    isWhitespace || self == UInt8(ascii: ">") || self == UInt8(ascii: "/")
      || self == UInt8(ascii: "<")
  }
}
