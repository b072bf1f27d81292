/// The search for the placeholders of one text, in a time proportional to its length.
struct PlaceholderScan {
  private let text: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var found: [Placeholder] = []
  private var known: Set<Placeholder> = []
  /// The number of arguments without a number so far.
  private var argumentCount = 0
  /// The indices in `found` of arguments without a number.
  private var unnumbered: [Int] = []
  /// `true` if a `%` precedes a letter that only formats of dates have.
  private var isDateFormat = false
  /// The ranges of all placeholders and of `%%`, which has no placeholder; empty unless
  /// `recordsRanges`.
  private var ranges: [(bytes: Range<Int>, placeholder: Placeholder?, isNumbered: Bool)] = []
  private let recordsRanges: Bool
  /// `true` after a brace that is not closed; the ends of later braces are not searched for.
  private var hasOpenBrace = false

  init(of text: UnsafeBufferPointer<UInt8>, recordingRanges: Bool = false) {
    (self.text, recordsRanges) = (text, recordingRanges)
  }

  /// Returns each placeholder once, in order of its first occurrence.
  mutating func run() -> [Placeholder] {
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "%"): readPercent()
      case UInt8(ascii: "{"): readBrace()
      default: place += 1
      }
    }
    guard isDateFormat else { return found }
    let omitted = Set(unnumbered)
    return found.indices.filter { !omitted.contains($0) }.map { found[$0] }
  }

  /// Returns the text in pieces, of which some are placeholders.
  mutating func pieces() -> [Placeholders.Piece] {
    _ = run()
    // In a text for `printf`, `%%` is a percent sign.
    let hasArguments = ranges.contains { range in
      range.placeholder?.name == nil && range.placeholder != nil && isPlaceholder(range.isNumbered)
    }
    var (pieces, end): ([Placeholders.Piece], Int) = ([], 0)
    for range in ranges {
      if let placeholder = range.placeholder {
        guard isPlaceholder(range.isNumbered) else { continue }
        pieces.append(.text(string(end..<range.bytes.lowerBound)))
        pieces.append(.placeholder(placeholder))
      } else {
        guard hasArguments else { continue }
        pieces.append(.text(string(end..<range.bytes.lowerBound) + "%"))
      }
      end = range.bytes.upperBound
    }
    return pieces + [.text(string(end..<text.count))]
  }

  private func isPlaceholder(_ isNumbered: Bool) -> Bool { isNumbered || !isDateFormat }

  private func string(_ bytes: Range<Int>) -> String {
    String(decoding: text[bytes], as: UTF8.self)
  }

  private mutating func record(_ bytes: Range<Int>, _ found: Placeholder?, isNumbered: Bool = true)
  {
    if recordsRanges { ranges.append((bytes, found, isNumbered)) }
  }

  private func byte(at place: Int) -> UInt8? { place < text.count ? text[place] : nil }

  private mutating func add(_ placeholder: Placeholder) {
    if known.insert(placeholder).inserted { found.append(placeholder) }
  }

  // MARK: Braces

  private mutating func readBrace() {
    if readName(after: place) { return }
    guard !hasOpenBrace, isMessage(at: place) else {
      place += 1
      return
    }
    if let end = endOfBraces(at: place) {
      place = end
    } else {
      hasOpenBrace = true
      place += 1
    }
  }

  /// Reads `{name}` with its brace at an index, which is the current one or the next; returns
  /// `false` for other text.
  private mutating func readName(after brace: Int) -> Bool {
    let end = endOfName(from: brace + 1)
    guard end > brace + 1, byte(at: end) == UInt8(ascii: "}") else { return false }
    let placeholder = Placeholder(named: Array(text[place...end]))
    add(placeholder)
    record(place..<end + 1, placeholder)
    place = end + 1
    return true
  }

  private func endOfName(from start: Int) -> Int {
    var end = start
    while let byte = byte(at: end),
      byte.isAlphanumeric || byte >= 0x80 || "_.-".utf8.contains(byte)
    {
      end += 1
    }
    return end
  }

  /// Returns `true` for a message of ICU: a name and a comma follow the brace.
  private func isMessage(at brace: Int) -> Bool {
    let name = endOfSpaces(from: brace + 1)
    let end = endOfName(from: name)
    return end > name && byte(at: endOfSpaces(from: end)) == UInt8(ascii: ",")
  }

  private func endOfSpaces(from start: Int) -> Int {
    var end = start
    while byte(at: end)?.isWhitespace == true { end += 1 }
    return end
  }

  /// Returns the index after the closing brace of an opening brace; `nil` if there is none.
  private func endOfBraces(at start: Int) -> Int? {
    var depth = 0
    for place in start..<text.count {
      if text[place] == UInt8(ascii: "{") { depth += 1 }
      if text[place] == UInt8(ascii: "}") { depth -= 1 }
      if depth == 0 { return place + 1 }
    }
    return nil
  }

  // MARK: Percent signs

  private mutating func readPercent() {
    guard let next = byte(at: place + 1), next != UInt8(ascii: "%") else {
      if place + 1 < text.count { record(place..<place + 2, nil) }
      place += 2
      return
    }
    if next == UInt8(ascii: "{"), readName(after: place + 1) { return }
    let followsDigit = place > 0 && text[place - 1].isDigit
    guard let argument = argument(followsDigit: followsDigit) else {
      if !followsDigit, isDateField(next) { isDateFormat = true }
      place += 1
      return
    }
    let spelling = Array(text[place..<argument.end])
    if argument.number == nil { argumentCount += 1 }
    let placeholder = Placeholder(
      argument: argument.number ?? argumentCount, argument.type, spelled: spelling)
    let count = found.count
    add(placeholder)
    if argument.number == nil, found.count > count { unnumbered.append(count) }
    record(place..<argument.end, placeholder, isNumbered: argument.number != nil)
    place = argument.end
  }

  /// Returns `true` if the letter after `%`, or after `%` and a sign for padding, is a field of a
  /// date.
  private func isDateField(_ next: UInt8) -> Bool {
    next.isLetter
      || ("-^_0#".utf8.contains(next) && byte(at: place + 2)?.isLetter == true)
  }

  private struct Argument {
    /// The number before `$`.
    var number: Int?
    var type: Placeholder.ArgumentType
    var end: Int
  }

  /// Returns the argument at the current `%`; `nil` for a percent sign.
  private func argument(followsDigit: Bool) -> Argument? {
    var end = place + 1
    let number = argumentNumber(at: &end)
    let start = end
    let hasWidth = skipFormat(&end)
    let length = lengthModifier(at: end)
    end += length.count
    guard let conversion = byte(at: end).flatMap(Self.conversion) else { return nil }
    end += 1
    if number == nil {
      // A percentage, such as `50%off`.
      let isBare = end == start + 1 && conversion != UInt8(ascii: "@")
      if isBare, followsDigit { return nil }
      // A percentage with the sign in front, such as `%50den`.
      if hasWidth, byte(at: end)?.isLetter == true { return nil }
    }
    return Argument(
      number: number, type: Placeholder.ArgumentType(length: length, conversion: conversion),
      end: end)
  }

  /// Reads `1$`, from 1 to 99.
  private func argumentNumber(at place: inout Int) -> Int? {
    var (end, number) = (place, 0)
    while let digit = byte(at: end), digit.isDigit, end < place + 2 {
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
      end += 1
    }
    guard number > 0, byte(at: end) == UInt8(ascii: "$") else { return nil }
    place = end + 1
    return number
  }

  /// Skips flags, a width and a precision; returns `true` for a width alone.
  private func skipFormat(_ place: inout Int) -> Bool {
    while let flag = byte(at: place) {
      let isMinus = flag == UInt8(ascii: "-") && byte(at: place + 1)?.isDigit == true
      guard isMinus || "+#0'".utf8.contains(flag) else { break }
      place += 1
    }
    let width = place
    skipDigits(&place)
    let hasWidth = place > width && !(text[width - 1] == UInt8(ascii: "0"))
    guard byte(at: place) == UInt8(ascii: ".") else { return hasWidth }
    var end = place + 1
    skipDigits(&end)
    place = end
    return false
  }

  /// Skips at most four digits.
  private func skipDigits(_ place: inout Int) {
    let start = place
    while place < start + 4, byte(at: place)?.isDigit == true { place += 1 }
  }

  private func lengthModifier(at place: Int) -> [UInt8] {
    guard let first = byte(at: place), "hlqLztj".utf8.contains(first) else { return [] }
    let isDouble = (first == UInt8(ascii: "h") || first == UInt8(ascii: "l"))
    return isDouble && byte(at: place + 1) == first ? [first, first] : [first]
  }

  /// Returns the conversion of a letter, in one form for letters of the same type; `nil` for other
  /// letters.
  private static func conversion(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "i"): UInt8(ascii: "d")
    case UInt8(ascii: "X"), UInt8(ascii: "F"), UInt8(ascii: "E"), UInt8(ascii: "G"): letter | 0x20
    default: "@duoxfegcs".utf8.contains(letter) ? letter : nil
    }
  }
}
