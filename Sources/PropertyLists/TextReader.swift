import ContentModel

/// What the readers of the three text formats have in common.
protocol TextReader: ~Copyable {
  static var format: PropertyListFormat { get }
  var scan: TextScan { get set }
  var containers: ContainerStack { get set }
}

extension TextReader where Self: ~Copyable {
  /// The start of a text that is known to be UTF-8 and more than white space, after its byte order
  /// mark.
  static func openScan(of bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListDecodingError)
    -> TextScan
  {
    if let offset = UnsafeRawBufferPointer(bytes).firstInvalidUTF8 {
      throw PropertyListDecodingError(.invalidUTF8, in: format, at: offset, of: bytes)
    }
    var scan = TextScan(bytes: bytes)
    scan.skipByteOrderMark()
    let start = scan
    scan.skipWhitespace()
    if scan.isAtEnd {
      throw PropertyListDecodingError(.empty, in: format, at: scan.offset, of: bytes)
    }
    return start
  }

  /// An error here, or at another place.
  func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int? = nil)
    -> PropertyListDecodingError
  {
    let offset = min(offset ?? scan.offset, scan.bytes.count)
    return PropertyListDecodingError(reason, in: Self.format, at: offset, of: scan.bytes)
  }

  /// Steps over a character that must stand here.
  @inline(__always)
  mutating func expect(_ character: Unicode.Scalar, as what: StaticString)
    throws(PropertyListDecodingError)
  {
    guard scan.take(UInt8(ascii: character)) else { throw missing(what) }
  }

  private func missing(_ what: StaticString) -> PropertyListDecodingError {
    failure(scan.isAtEnd ? .endOfInput : .expected("\(what)"))
  }

  /// Takes what was read since a mark as a dictionary, if each key stands in it once.
  mutating func endDictionary(since mark: ContainerStack.Mark) throws(PropertyListDecodingError) {
    do { try containers.endDictionary(since: mark) } catch {
      throw failure(.duplicateKey(error.key), at: error.offset)
    }
  }

  /// The character that an escape such as `\u00e9` stands for, from its digits on; outside the
  /// basic plane it takes two escapes, a high and a low surrogate.
  mutating func readUTF16Escape(
    introducedBy prefix: StaticString, digits: ClosedRange<Int>, from start: Int
  ) throws(PropertyListDecodingError) -> Unicode.Scalar {
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
  ) throws(PropertyListDecodingError) -> UInt32 {
    var (number, count) = (0 as UInt32, 0)
    while count < digits.upperBound, let digit = scan.current?.hexadecimalValue {
      (number, count) = (number << 4 | UInt32(digit), count + 1)
      scan.offset += 1
    }
    if !digits.contains(count) { throw failure(scan.isAtEnd ? .endOfInput : .badEscape, at: start) }
    return number
  }
}
