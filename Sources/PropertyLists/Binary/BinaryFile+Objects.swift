import ContentModel

extension BinaryFile {
  /// One object: a scalar's value, or a container's references.
  struct Object {
    enum Kind {
      case scalar(Value)
      case array
      case dictionary

      var isDictionary: Bool { if case .dictionary = self { true } else { false } }
    }

    let kind: Kind
    let start: Int
    /// Where a container's references begin.
    let contentStart: Int
    let end: Int
    /// How many items or members a container has.
    let count: Int
  }

  /// The object at an offset; nothing is allocated before its size is known to fit.
  func object(at start: Int) throws(PropertyListDecodingError) -> Object {
    let marker = bytes[start]
    switch marker >> 4 {
    case 0x0: return try singleton(at: start)
    case 0x1: return try integer(at: start)
    case 0x2: return try real(at: start)
    case 0x3: return try date(at: start)
    case 0x4: return try sized(at: start, unit: 1) { content in .data(Array(bytes[content])) }
    case 0x5: return try sized(at: start, unit: 1, content: asciiString)
    case 0x6: return try sized(at: start, unit: 2, content: utf16String)
    case 0x8: throw failure(.uid, at: start)
    case 0xA: return try container(at: start, .array, referencesPerItem: 1)
    case 0xD: return try container(at: start, .dictionary, referencesPerItem: 2)
    default: throw failure(.unsupportedObject(marker), at: start)
    }
  }

  private func scalar(_ value: Value, from start: Int, size: Int) -> Object {
    Object(kind: .scalar(value), start: start, contentStart: start, end: start + size, count: 0)
  }

  private func singleton(at start: Int) throws(PropertyListDecodingError) -> Object {
    switch bytes[start] {
    case 0x08: return scalar(.boolean(false), from: start, size: 1)
    case 0x09: return scalar(.boolean(true), from: start, size: 1)
    default: throw failure(.unsupportedObject(bytes[start]), at: start)
    }
  }

  /// One, two and four bytes are unsigned, eight are signed; sixteen must fit eight.
  private func integer(at start: Int) throws(PropertyListDecodingError) -> Object {
    guard bytes[start] & 15 <= 4 else { throw failure(.unsupportedObject(bytes[start]), at: start) }
    let width = 1 << Int(bytes[start] & 15)
    guard start + 1 + width <= offsetTable else { throw failure(.outOfBounds, at: start) }
    let low = bytes.bigEndian(at: start + 1 + max(0, width - 8), width: min(width, 8))
    let number = Int64(bitPattern: low)
    if width == 16, Int64(bitPattern: bytes.bigEndian(at: start + 1, width: 8)) != (number < 0 ? -1 : 0) {
      throw failure(.integerOutOfRange, at: start)
    }
    return scalar(.integer(number), from: start, size: 1 + width)
  }

  private func real(at start: Int) throws(PropertyListDecodingError) -> Object {
    let width = bytes[start] == 0x22 ? 4 : 8
    guard bytes[start] == 0x22 || bytes[start] == 0x23 else {
      throw failure(.unsupportedObject(bytes[start]), at: start)
    }
    guard start + 1 + width <= offsetTable else { throw failure(.outOfBounds, at: start) }
    let bits = bytes.bigEndian(at: start + 1, width: width)
    let number = width == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
    return scalar(.real(number), from: start, size: 1 + width)
  }

  private func date(at start: Int) throws(PropertyListDecodingError) -> Object {
    guard bytes[start] == 0x33 else { throw failure(.unsupportedObject(bytes[start]), at: start) }
    guard start + 9 <= offsetTable else { throw failure(.outOfBounds, at: start) }
    let seconds = Double(bitPattern: bytes.bigEndian(at: start + 1, width: 8))
    guard seconds.isFinite else { throw failure(.badDate, at: start) }
    return scalar(.date(Instant(secondsSinceReferenceDate: seconds)), from: start, size: 9)
  }
}

extension BinaryFile {
  /// An object's count and where its content begins.
  private func header(at start: Int) throws(PropertyListDecodingError) -> (count: Int, content: Int) {
    let short = Int(bytes[start] & 15)
    if short < 15 { return (short, start + 1) }
    guard start + 1 < offsetTable, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3 else {
      throw failure(.outOfBounds, at: start)
    }
    let width = 1 << Int(bytes[start + 1] & 15)
    guard start + 2 + width <= offsetTable,
      let count = Int(exactly: bytes.bigEndian(at: start + 2, width: width))
    else { throw failure(.outOfBounds, at: start) }
    return (count, start + 2 + width)
  }

  private func sized(
    at start: Int, unit: Int, content value: (Range<Int>) -> Value?
  ) throws(PropertyListDecodingError) -> Object {
    let (count, content) = try header(at: start)
    guard count <= (offsetTable - content) / unit else { throw failure(.outOfBounds, at: start) }
    let end = content + count * unit
    guard let value = value(content..<end) else { throw failure(.badString, at: start) }
    return scalar(value, from: start, size: end - start)
  }

  private func container(
    at start: Int, _ kind: Object.Kind, referencesPerItem: Int
  ) throws(PropertyListDecodingError) -> Object {
    let (count, content) = try header(at: start)
    let size = referencesPerItem * referenceWidth
    guard count <= (offsetTable - content) / size else { throw failure(.outOfBounds, at: start) }
    return Object(kind: kind, start: start, contentStart: content, end: content + count * size, count: count)
  }

  private func asciiString(_ content: Range<Int>) -> Value? {
    guard bytes[content].allSatisfy({ $0 < 0x80 }) else { return nil }
    return .string(String(decoding: bytes[content], as: UTF8.self))
  }

  private func utf16String(_ content: Range<Int>) -> Value? {
    var decoder = UTF16()
    var units = stride(from: content.lowerBound, to: content.upperBound, by: 2).lazy
      .map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }.makeIterator()
    var text = String.UnicodeScalarView()
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): text.append(scalar)
      case .emptyInput: return .string(String(text))
      case .error: return nil
      }
    }
  }
}
