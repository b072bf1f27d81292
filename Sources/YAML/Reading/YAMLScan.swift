import ContentModel
import Diagnostics

/// The bytes of a file that libyaml must not see.
struct YAMLScan {
  /// The limit of faults; a file with more was never meant to be YAML.
  static let mostFaults = 20

  struct Fault {
    var bytes: Range<Int>
    /// The character that YAML refuses; nil where the bytes are no UTF-8.
    var scalar: UInt32?
  }

  private(set) var faults: [Fault] = []
  /// A Boolean value that indicates whether a line break of YAML 1.1 occurs that is an ordinary
  /// character in YAML 1.2: U+0085, U+2028, U+2029.
  private(set) var hasOtherLineBreaks = false
  /// A Boolean value that indicates whether every character has one byte.
  private(set) var isASCII = true
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bytes.withUnsafeBufferPointer { scan($0) }
  }

  /// The bytes with an underscore in place of each fault; an underscore has no meaning in YAML.
  var mendedBytes: [UInt8] {
    var mended: [UInt8] = []
    guard !faults.isEmpty else { return bytes }
    mended.reserveCapacity(bytes.count)
    var done = 0
    for fault in faults {
      mended += bytes[done..<fault.bytes.lowerBound]
      mended.append(UInt8(ascii: "_"))
      done = fault.bytes.upperBound
    }
    return mended + bytes[done...]
  }

  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < bytes.count {
      index = bytes.endOfPlainText(from: index, isASCII: &isASCII)
      guard index < bytes.count else { return }
      let byte = bytes[index]
      if byte < 0x80 {
        note(index..<index + 1, scalar: UInt32(byte))
        index += 1
      } else {
        let (scalar, length) = bytes.decodeScalar(at: index)
        switch scalar {
        case nil: note(index..<index + length, scalar: nil)
        case 0x85?, 0x2028?, 0x2029?: hasOtherLineBreaks = true
        case let scalar? where scalar <= 0x9F || scalar == 0xFFFE || scalar == 0xFFFF:
          note(index..<index + length, scalar: scalar)
        default: break
        }
        index += length
      }
      if faults.count > Self.mostFaults { return }
    }
  }

  private mutating func note(_ bytes: Range<Int>, scalar: UInt32?) {
    faults.append(Fault(bytes: bytes, scalar: scalar))
  }

  func diagnostics(path: String) -> [Diagnostic] {
    var result = faults.prefix(Self.mostFaults).map { diagnostic(for: $0, path: path) }
    if faults.count > Self.mostFaults {
      result[result.count - 1].notes.append(.init("the rest of the file was not read"))
    }
    return result
  }

  private func diagnostic(for fault: Fault, path: String) -> Diagnostic {
    let start = position(ofByte: fault.bytes.lowerBound)
    let end = SourcePosition(line: start.line, column: start.column + 1)
    let location = SourceLocation(path: path, range: SourceRange(from: start, to: end))
    guard let scalar = fault.scalar else {
      let shown = bytes[fault.bytes].map { "0x" + $0.hexadecimal }.joined(separator: " ")
      return Diagnostic(
        .error, rule: .invalidUTF8, at: location,
        message: "a YAML file must be UTF-8, which \(shown) is not")
    }
    let name = "U+" + UInt8(scalar >> 8).hexadecimal + UInt8(scalar & 255).hexadecimal
    let notes =
      scalar < 0xFFFE
      ? [Diagnostic.Note("in double quotes it is written '\\x\(name.suffix(2))'")] : []
    return Diagnostic(
      .error, rule: .controlCharacter, at: location,
      message: "a YAML file must not hold the control character \(name)", notes: notes
    )
  }

  private func position(ofByte offset: Int) -> SourcePosition {
    bytes.withUnsafeBufferPointer { buffer in
      var mark = YAMLMark(line: 0, column: 0)
      var index = 0
      while index < offset {
        let length = buffer[index] < 0x80 ? 1 : buffer.decodeScalar(at: index).length
        mark.pass(buffer[index], before: index + 1 < buffer.count ? buffer[index + 1] : nil)
        index += length
      }
      return mark.position
    }
  }
}

extension UInt8 {
  fileprivate var isAllowedASCII: Bool { self >= 0x20 ? self != 0x7F : isWhitespace }

  fileprivate var hexadecimal: String {
    let digits = String(self, radix: 16, uppercase: true)
    return self < 16 ? "0" + digits : digits
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the end of the characters from an offset on that YAML surely accepts.
  ///
  /// The function knows characters in the scripts of most languages.
  fileprivate func endOfPlainText(from start: Int, isASCII: inout Bool) -> Int {
    var index = start
    while index < count {
      if index + 8 <= count, blockIsPlain(at: index) {
        index += 8
      } else if self[index] < 0x80 {
        guard self[index].isAllowedASCII else { return index }
        index += 1
      } else {
        isASCII = false
        let length = lengthOfLetter(at: index)
        guard length > 0 else { return index }
        index += length
      }
    }
    return index
  }

  /// The length of a scalar of two or three bytes that is neither a control, a line break nor near
  /// the surrogates; otherwise 0.
  private func lengthOfLetter(at index: Int) -> Int {
    let lead = self[index]
    guard index + 2 < count, self[index + 1].isContinuation else { return 0 }
    if lead >= 0xC3, lead <= 0xDF { return 2 }
    guard lead >= 0xE1, lead <= 0xEC, self[index + 2].isContinuation else { return 0 }
    return lead == 0xE2 && self[index + 1] == 0x80 && self[index + 2] >= 0xA8 ? 0 : 3
  }

  /// Returns `true` if 8 bytes, which must exist, are printable ASCII or line feeds.
  private func blockIsPlain(at offset: Int) -> Bool {
    let word = word(at: offset)
    guard word & 0x8080_8080_8080_8080 == 0 else { return false }
    // Without high bits, no sum carries into the next byte. Each sum has its result in the high bit
    // of a byte.
    let isFromSpace = word &+ 0x6060_6060_6060_6060
    let isNotLineFeed = (word ^ 0x0A0A_0A0A_0A0A_0A0A) &+ 0x7F7F_7F7F_7F7F_7F7F
    let isDelete = word &+ 0x0101_0101_0101_0101
    return (~isFromSpace & isNotLineFeed | isDelete) & 0x8080_8080_8080_8080 == 0
  }

  /// Reads eight bytes at once; the caller guarantees that they exist.
  func word(at offset: Int) -> UInt64 {
    UnsafeRawPointer(baseAddress.unsafelyUnwrapped + offset).loadUnaligned(as: UInt64.self)
  }

  /// Returns the scalar at an offset, and its length.
  ///
  /// Without a valid scalar, returns the length of the bytes that begin like one (Unicode 16, table
  /// 3-7).
  func decodeScalar(at start: Int) -> (scalar: UInt32?, length: Int) {
    let lead = self[start]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0..<0x80: return (UInt32(lead), 1)
    case 0xC2...0xDF: count = 2
    case 0xE0...0xEF:
      count = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      count = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return (nil, 1)
    }
    var scalar = UInt32(lead) & (0x7F >> UInt32(count))
    for step in 1..<count {
      guard start + step < self.count else { return (nil, step) }
      let byte = self[start + step]
      guard step == 1 ? second.contains(byte) : (0x80...0xBF).contains(byte) else {
        return (nil, step)
      }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return (scalar, count)
  }
}
