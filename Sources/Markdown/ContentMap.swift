/// The places in the source of the bytes of a block's content.
///
/// The content of a paragraph has no indentation and no signs of the quotes and lists around it.
/// The columns that libcmark-gfm gives for it are right only in the first line, so content is
/// looked up in the lines of the source.
struct ContentMap {
  private var segments: [(content: Int, source: Int)] = []
  /// A Boolean value that indicates whether the content was found in the source.
  private(set) var isExact = true

  /// Creates the map of content that was not found: all of it is at one offset.
  init(at source: Int) {
    segments = [(0, source)]
    isExact = false
  }

  /// Creates the map of the content of a paragraph or of a heading with an underline, which begins
  /// in the line `first` or, after definitions of references, in a later one.
  init?(
    ofParagraph content: UnsafeBufferPointer<UInt8>, in source: SourceText, from first: Int,
    start: Int, through last: Int
  ) {
    let ranges = Self.lines(of: content)
    guard !ranges.isEmpty, first >= 0, first < source.lines.count else { return nil }
    // Definitions of references precede the content only if it does not begin at `start`. The
    // number of lines tells how many; libcmark-gfm counts up to two more lines for a heading.
    let counted = last - first + 1 - ranges.count
    for skipped in [0, counted, counted - 1, counted - 2] {
      guard skipped >= 0, first + skipped + ranges.count <= source.lines.count else { continue }
      var found: [(content: Int, source: Int)] = []
      var matched = 0
      for (index, range) in ranges.enumerated() {
        let line = source.lines[first + skipped + index]
        // A line that continues lazily keeps its indentation, in which a tab can be spaces.
        let indentation = content[range].prefix(while: \.isBlank).count
        let text = range.lowerBound + indentation..<range.upperBound
        let offset = line.upperBound - text.count
        guard offset >= line.lowerBound,
          source.bytes[offset..<line.upperBound].elementsEqual(content[text]),
          skipped + index == 0
            ? offset == start
            : source.bytes[line.lowerBound..<offset].allSatisfy(\.isQuotePrefix)
        else { break }
        if indentation > 0 {
          found.append((range.lowerBound, max(offset - indentation, line.lowerBound)))
        }
        found.append((text.lowerBound, offset))
        matched += 1
      }
      if matched == ranges.count {
        segments = found
        return
      }
    }
    return nil
  }

  /// Creates the map of content that is in one line from `start` on, except that `\|` in the source
  /// can be `|` in the content of a table.
  init?(
    of content: ArraySlice<UInt8>, in source: SourceText, at start: Int, end: Int,
    unescapesPipes: Bool = false, contentStart: Int = 0
  ) {
    var (index, offset) = (content.startIndex, start)
    segments = [(contentStart, start)]
    while index < content.endIndex {
      guard offset < end else { return nil }
      if unescapesPipes, source.bytes[offset] == UInt8(ascii: "\\"), offset + 1 < end,
        source.bytes[offset + 1] == UInt8(ascii: "|"), content[index] == UInt8(ascii: "|")
      {
        offset += 1
        segments.append((contentStart + index - content.startIndex, offset))
      }
      guard source.bytes[offset] == content[index] else { return nil }
      index += 1
      offset += 1
    }
  }

  /// Returns the offset in the source of a byte of the content, or of its end.
  func source(of content: Int) -> Int {
    var (low, high) = (0, segments.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if segments[middle].content <= content { low = middle } else { high = middle }
    }
    let segment = segments[low]
    return isExact ? segment.source + max(0, content - segment.content) : segment.source
  }

  /// Adds the segments of a map of later content.
  mutating func append(_ other: ContentMap) { segments += other.segments }

  /// Returns the ranges of the lines of content, without line feeds; a last line may be empty only
  /// if a line feed precedes no further text.
  static func lines(of content: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for index in 0..<content.count where content[index] == UInt8(ascii: "\n") {
      ranges.append(start..<index)
      start = index + 1
    }
    if start < content.count { ranges.append(start..<content.count) }
    return ranges
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether a byte can precede a paragraph's further lines.
  fileprivate var isQuotePrefix: Bool { isBlank || self == UInt8(ascii: ">") }

  /// A Boolean value that indicates whether a byte is a space or a tab.
  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// A Boolean value that indicates whether libcmark-gfm removes the byte from the ends of a text.
  var isTrimmed: Bool { isSpace && self != 11 }

  /// A Boolean value that indicates whether the syntax of links and tables takes the byte for white
  /// space, to which the vertical tab belongs.
  var isSpace: Bool { self == UInt8(ascii: " ") || (9...13).contains(self) }

  /// A Boolean value that indicates whether a backslash before the byte escapes it.
  var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
