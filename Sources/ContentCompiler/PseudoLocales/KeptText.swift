import ContentModel

/// The bytes of a text that no pseudo-locale changes: placeholders, messages of ICU, tags, entities
/// and addresses.
///
/// Everything between braces is kept, and everything from a percent sign to the next space. This
/// keeps more than the placeholders, so that a change of the other bytes neither makes nor breaks a
/// placeholder.
struct KeptText {
  private let text: [UInt8]
  /// For each byte: the index of the closing brace if the byte is an opening brace, else 0.
  private var closers: [Int]
  /// For each byte: `true` if it is kept.
  private(set) var isKept: [Bool]

  init(of text: [UInt8]) {
    self.text = text
    closers = Array(repeating: 0, count: text.count)
    isKept = Array(repeating: false, count: text.count)
    guard text.contains(where: { "{%<&:".utf8.contains($0) }) else { return }
    pairBraces()
    var place = 0
    while place < text.count {
      let end = endOfKept(from: place)
      if end > place {
        for index in startOfKept(at: place)..<end { isKept[index] = true }
      }
      place = max(end, place + 1)
    }
  }

  private mutating func pairBraces() {
    var open: [Int] = []
    for (place, byte) in text.enumerated() {
      if byte == UInt8(ascii: "{") { open.append(place) }
      if byte == UInt8(ascii: "}"), let start = open.popLast() { closers[start] = place }
    }
  }

  /// Returns the index after the kept part that begins at an index; the same index if none begins
  /// there.
  private func endOfKept(from place: Int) -> Int {
    switch text[place] {
    case UInt8(ascii: "{"): closers[place] > 0 ? closers[place] + 1 : place
    case UInt8(ascii: "%"): endOfPercent(from: place)
    case UInt8(ascii: "<"): endOfTag(from: place)
    case UInt8(ascii: "&"): endOfEntity(from: place)
    case UInt8(ascii: ":") where text[place...].starts(with: "://".utf8): endOfWord(from: place)
    default: place
    }
  }

  /// Returns the index at which a kept part begins: digits before a percent sign belong to it, as
  /// in `50%`, and the scheme before `://` to its address.
  private func startOfKept(at place: Int) -> Int {
    var start = place
    switch text[place] {
    case UInt8(ascii: "%"):
      while start > 0, text[start - 1].isDigit { start -= 1 }
    case UInt8(ascii: ":"):
      while start > 0, text[start - 1].isAlphanumeric { start -= 1 }
    default: break
    }
    return start
  }

  private func endOfPercent(from place: Int) -> Int {
    if place + 1 < text.count, closers[place + 1] > 0 { return closers[place + 1] + 1 }
    var end = place + 1
    while end < text.count, (0x21...0x7E).contains(text[end]), !"{<&".utf8.contains(text[end]) {
      end += 1
    }
    return end
  }

  private func endOfTag(from place: Int) -> Int {
    guard place + 1 < text.count, text[place + 1].isLetter || text[place + 1] == UInt8(ascii: "/")
    else { return place }
    // A tag is in one line, so that the search takes little time in a text with many signs `<`.
    let limit = min(text.count, place + 256)
    for index in place + 1..<limit {
      if text[index] == UInt8(ascii: ">") { return index + 1 }
      if text[index] == UInt8(ascii: "<") || text[index] == UInt8(ascii: "\n") { break }
    }
    return place
  }

  private func endOfEntity(from place: Int) -> Int {
    let start = place + 1
    var end = start
    while end < text.count, end - start < 32, text[end].isAlphanumeric || text[end] == 0x23 {
      end += 1
    }
    return end > start && end < text.count && text[end] == UInt8(ascii: ";") ? end + 1 : place
  }

  private func endOfWord(from place: Int) -> Int {
    var end = place
    while end < text.count, text[end] > 0x20 { end += 1 }
    return end
  }
}
