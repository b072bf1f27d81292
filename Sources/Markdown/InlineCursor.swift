/// A cursor in the content of a block that follows the nodes that libcmark-gfm made of it.
///
/// libcmark-gfm gives columns that are wrong in continuation lines, in tables and for automatic
/// links, and none for emphasis in links. The cursor reads the content a second time, in the order
/// of the nodes, which says how each character was meant. If content and nodes disagree, the cursor
/// stops, and later positions are too early.
struct InlineCursor {
  private let content: UnsafeBufferPointer<UInt8>
  /// The offset in the content of the next character.
  private(set) var offset = 0
  /// A Boolean value that indicates whether content and nodes agreed up to now.
  private(set) var isAligned = true
  /// The lengths of the signs that began a struck text that has not ended.
  private var tildes: [Int] = []

  init(_ content: UnsafeBufferPointer<UInt8>) { self.content = content }

  private func byte(at index: Int) -> UInt8? { index < content.count ? content[index] : nil }

  private func length(of byte: UInt8, at start: Int) -> Int {
    var index = start
    while self.byte(at: index) == byte { index += 1 }
    return index - start
  }

  private mutating func pass(_ count: Int, if isExpected: Bool) {
    guard isAligned, isExpected, offset + count <= content.count else {
      isAligned = false
      return
    }
    offset += count
  }
}

extension InlineCursor {
  /// Passes the text of a node.
  mutating func passText(
    _ text: UnsafeBufferPointer<UInt8>, isAutolink: Bool, entities: inout EntityDecoder
  ) {
    var index = 0
    while index < text.count, isAligned {
      guard let next = byte(at: offset) else {
        isAligned = false
        return
      }
      if next == UInt8(ascii: "\\"), !isAutolink, let escaped = byte(at: offset + 1),
        escaped.isPunctuation
      {
        pass(2, if: escaped == text[index])
        index += 1
      } else if next == UInt8(ascii: "&"), let entity = entities.entity(in: content, at: offset) {
        let isEqual =
          index + entity.text.count <= text.count
          && text[index..<index + entity.text.count].elementsEqual(entity.text)
        pass(entity.length, if: isEqual)
        index += entity.text.count
      } else {
        pass(1, if: next == text[index])
        index += 1
      }
    }
  }

  /// Passes the signs that begin or end an emphasis: one for emphasis, two for a strong one.
  mutating func passEmphasis(count: Int) {
    let sign = byte(at: offset)
    let isSign = sign == UInt8(ascii: "*") || sign == UInt8(ascii: "_")
    pass(count, if: isSign && byte(at: offset + count - 1) == sign)
  }

  mutating func beginStrikethrough() {
    let count = length(of: UInt8(ascii: "~"), at: offset)
    tildes.append(count)
    pass(count, if: count > 0)
  }

  mutating func endStrikethrough() {
    let count = tildes.popLast() ?? 0
    pass(count, if: length(of: UInt8(ascii: "~"), at: offset) >= count)
  }

  /// Passes a soft or hard line break, and the white space around it.
  mutating func passLineBreak() {
    var end = offset
    while let next = byte(at: end), next.isTrimmed, next != UInt8(ascii: "\n") { end += 1 }
    let isEscaped = byte(at: end) == UInt8(ascii: "\\")
    if isEscaped { end += 1 }
    let isLineBreak = byte(at: end) == UInt8(ascii: "\n")
    end += 1
    // After a backslash, libcmark-gfm keeps the indentation of a line that continues lazily.
    while !isEscaped, let next = byte(at: end), next.isBlank { end += 1 }
    pass(end - offset, if: isLineBreak)
  }

  /// Passes a code span with its backticks.
  mutating func passCode() {
    let ticks = length(of: UInt8(ascii: "`"), at: offset)
    var end = offset + ticks
    while end < content.count {
      let count = length(of: UInt8(ascii: "`"), at: end)
      end += max(count, 1)
      if count == ticks { return pass(end - offset, if: ticks > 0) }
    }
    pass(0, if: false)
  }

  /// Passes raw HTML of a length in bytes.
  mutating func passHTML(count: Int) { pass(count, if: byte(at: offset) == UInt8(ascii: "<")) }

  /// A Boolean value that indicates whether an automatic link follows, such as `<https://…>`.
  var isAtAutolink: Bool { byte(at: offset) == UInt8(ascii: "<") }

  mutating func beginAutolink() { pass(1, if: isAtAutolink) }
  mutating func endAutolink() { pass(1, if: byte(at: offset) == UInt8(ascii: ">")) }
  mutating func beginLink() { pass(1, if: byte(at: offset) == UInt8(ascii: "[")) }

  mutating func beginImage() {
    pass(2, if: byte(at: offset) == UInt8(ascii: "!") && byte(at: offset + 1) == UInt8(ascii: "["))
  }

  /// Passes the end of a link or image from its `]` on, and returns the range of its destination;
  /// `nil` if a definition elsewhere has it.
  mutating func endLink() -> Range<Int>? {
    pass(1, if: byte(at: offset) == UInt8(ascii: "]"))
    guard isAligned else { return nil }
    if let (destination, end) = inlineDestination(at: offset) {
      offset = end
      return destination
    }
    if let end = endOfLabel(at: offset) { offset = end }
    return nil
  }
}

// These functions read the syntax of links exactly as libcmark-gfm 0.29.0.gfm.6 does
// (handle_close_bracket in its inlines.c), which accepts a little more than the specification.
extension InlineCursor {
  private func inlineDestination(at start: Int) -> (destination: Range<Int>, end: Int)? {
    guard byte(at: start) == UInt8(ascii: "(") else { return nil }
    guard let link = destination(at: endOfSpaces(at: start + 1)) else { return nil }
    let titleStart = endOfSpaces(at: link.end)
    let titleEnd = titleStart == link.end ? titleStart : endOfTitle(at: titleStart)
    let end = endOfSpaces(at: titleEnd)
    return byte(at: end) == UInt8(ascii: ")") ? (link.destination, end + 1) : nil
  }

  private func endOfSpaces(at start: Int) -> Int {
    var index = start
    while let next = byte(at: index), next.isSpace { index += 1 }
    return index
  }

  private func destination(at start: Int) -> (destination: Range<Int>, end: Int)? {
    var index = start
    if byte(at: start) == UInt8(ascii: "<") {
      index += 1
      while let next = byte(at: index) {
        switch next {
        case UInt8(ascii: ">"): return (start + 1..<index, index + 1)
        case UInt8(ascii: "\n"), UInt8(ascii: "<"): return nil
        case UInt8(ascii: "\\"): index += 2
        default: index += 1
        }
      }
      return nil
    }
    var depth = 0
    while let next = byte(at: index) {
      if next == UInt8(ascii: "\\"), byte(at: index + 1)?.isPunctuation == true {
        index += 1
      } else if next == UInt8(ascii: "(") {
        depth += 1
        if depth > 32 { return nil }
      } else if next == UInt8(ascii: ")") {
        if depth == 0 { break }
        depth -= 1
      } else if next.isTrimmed {
        if index == start { return nil }
        break
      }
      index += 1
    }
    return index < content.count ? (start..<index, index) : nil
  }

  /// Returns the end of a title, or `start` if there is none.
  private func endOfTitle(at start: Int) -> Int {
    let close: UInt8
    switch byte(at: start) {
    case UInt8(ascii: "\""): close = UInt8(ascii: "\"")
    case UInt8(ascii: "'"): close = UInt8(ascii: "'")
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    default: return start
    }
    // The longest match counts: an escaped quotation mark ends a title that no other one ends.
    var (index, longest) = (start + 1, start)
    while let next = byte(at: index) {
      if next == close {
        longest = index + 1
        if content[index - 1] != UInt8(ascii: "\\") || index == start + 1 { return longest }
      }
      index += 1
    }
    return longest
  }

  /// Returns the end of a label in brackets, which may be empty.
  private func endOfLabel(at start: Int) -> Int? {
    guard byte(at: start) == UInt8(ascii: "[") else { return nil }
    var index = start + 1
    while let next = byte(at: index), index - start <= 1_001 {
      if next == UInt8(ascii: "]") { return index + 1 }
      if next == UInt8(ascii: "[") { return nil }
      let isEscape = next == UInt8(ascii: "\\") && byte(at: index + 1)?.isPunctuation == true
      index += isEscape ? 2 : 1
    }
    return nil
  }
}
