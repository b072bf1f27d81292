import ContentModel

/// A mistake in a text, with the offset of its byte.
///
/// Finding the line and column takes as long as reading the text, so callers find them only when
/// needed.
package struct TextMistake: Error {
  /// The rule that the text breaks.
  package let reason: PropertyListDecodingError.Reason
  /// The offset of the offending byte, from 0 up to the byte count.
  package let offset: Int

  init(_ reason: PropertyListDecodingError.Reason, at offset: Int) {
    (self.reason, self.offset) = (reason, offset)
  }
}

/// A reader of one of the three text formats.
protocol TextReader: ~Copyable {
  var scan: TextScan { get set }
  var containers: ContainerStack { get set }
}

extension TextReader where Self: ~Copyable {
  /// Returns a scan from after the byte-order mark of a text.
  ///
  /// - Throws: `invalidUTF8`, or `empty` if the text is only white space.
  static func openScan(of bytes: UnsafeBufferPointer<UInt8>) throws(TextMistake) -> TextScan {
    if let offset = UnsafeRawBufferPointer(bytes).firstInvalidUTF8 {
      throw TextMistake(.invalidUTF8, at: offset)
    }
    var scan = TextScan(bytes: bytes)
    scan.skipByteOrderMark()
    let start = scan
    scan.skipWhitespace()
    if scan.isAtEnd { throw TextMistake(.empty, at: scan.offset) }
    return start
  }

  /// Returns a mistake at an offset, by default the current offset.
  func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int? = nil) -> TextMistake {
    TextMistake(reason, at: min(offset ?? scan.offset, scan.bytes.count))
  }

  /// Counts a value that begins at the current offset.
  @inline(__always)
  mutating func countValue() throws(TextMistake) {
    guard containers.admitValue() else { throw failure(.tooManyValues) }
  }

  /// Advances past a required character.
  @inline(__always)
  mutating func expect(_ character: Unicode.Scalar, as what: StaticString)
    throws(TextMistake)
  {
    guard scan.take(UInt8(ascii: character)) else { throw missing(what) }
  }

  private func missing(_ what: StaticString) -> TextMistake {
    failure(scan.isAtEnd ? .endOfInput : .expected("\(what)"))
  }

  /// Ends the dictionary that began at a mark.
  ///
  /// - Throws: `duplicateKey` if a key occurs twice.
  mutating func endDictionary(since mark: ContainerStack.Mark) throws(TextMistake) {
    do { try containers.endDictionary(since: mark) } catch {
      throw failure(.duplicateKey(error.key), at: error.offset)
    }
  }

  /// Reads the digits of an escape such as `\u00e9` and returns its scalar; a scalar outside the
  /// basic plane has two escapes, a high and a low surrogate.
  mutating func readUTF16Escape(
    introducedBy prefix: StaticString, digits: ClosedRange<Int>, from start: Int
  ) throws(TextMistake) -> Unicode.Scalar {
    let first = try readHexadecimal(digits: digits, from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(UInt16(first)), scan.take(prefix) else {
      throw failure(.badEscape, at: start)
    }
    let second = try readHexadecimal(digits: digits, from: start)
    guard UTF16.isTrailSurrogate(UInt16(second)),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure(.badEscape, at: start) }
    return scalar
  }

  private mutating func readHexadecimal(
    digits: ClosedRange<Int>, from start: Int
  ) throws(TextMistake) -> UInt32 {
    var number: UInt32 = 0
    var count = 0
    while count < digits.upperBound, let digit = scan.current?.hexadecimalValue {
      number = number << 4 | UInt32(digit)
      count += 1
      scan.offset += 1
    }
    if !digits.contains(count) { throw failure(scan.isAtEnd ? .endOfInput : .badEscape, at: start) }
    return number
  }
}
