import Diagnostics

/// The text of a file as UTF-8 without a byte-order mark, and the places of its bytes.
struct TextInput {
  /// The path, as diagnostics show it.
  let path: String
  /// The text; valid UTF-8.
  ///
  /// A few damaged characters are replaced with `damagedCharacter`.
  private(set) var bytes: [UInt8]
  /// The positions of every 128th byte from the first on, computed as far as they were needed.
  private var positions = [SourcePosition(line: 1, column: 1)]
  private static let distance = 128

  /// The replacement of bytes that are not UTF-8: a character for private use, which no font has.
  static let damagedCharacter: Unicode.Scalar = "\u{10FFFC}"

  /// The greatest size of a file: 64 MB.
  static let mostBytes = 64 << 20

  /// Decodes UTF-8, or UTF-16 with a byte-order mark.
  ///
  /// - Throws: An error for another encoding, with its place.
  init(_ bytes: [UInt8], path: String) throws(TranslationProblem) {
    self.path = path
    guard bytes.count <= Self.mostBytes else {
      throw TranslationProblem("the file must not exceed 64 MB", at: SourceLocation(path: path))
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      self.bytes = try Self.utf8(ofUTF16: bytes, path: path)
    } else {
      self.bytes = Array(bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0))
    }
    guard let offset = self.bytes.firstInvalidUTF8 else { return }
    guard let repaired = self.bytes.repairedUTF8 else {
      throw TranslationProblem(
        "the file must be UTF-8, or UTF-16 with a byte-order mark",
        at: location(offset..<offset),
        advice: "save or export it as UTF-8")
    }
    self.bytes = repaired
  }

  private static func utf8(ofUTF16 bytes: [UInt8], path: String) throws(TranslationProblem)
    -> [UInt8]
  {
    let (high, low) = bytes[0] == 0xFE ? (0, 1) : (1, 0)
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw TranslationProblem(
        "the file must be valid UTF-16", at: SourceLocation(path: path),
        advice: "save or export it as UTF-8")
    }
    return Array(text.utf8)
  }

  /// Returns the position of a byte; a position past the end is that of the end.
  mutating func position(of offset: Int) -> SourcePosition {
    let end = min(offset, bytes.count)
    let known = end / Self.distance
    while let last = positions.last, positions.count <= known {
      let start = (positions.count - 1) * Self.distance
      positions.append(position(after: last, skipping: start..<start + Self.distance))
    }
    return position(after: positions[known], skipping: known * Self.distance..<end)
  }

  private func position(
    after position: SourcePosition, skipping range: Range<Int>
  ) -> SourcePosition {
    var position = position
    for index in range {
      let byte = bytes[index]
      let isBreak =
        byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A)
      if isBreak {
        position = SourcePosition(line: position.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  /// Returns the place of a range of bytes.
  mutating func location(_ range: Range<Int>) -> SourceLocation {
    let first = position(of: range.lowerBound)
    let last = position(of: range.upperBound)
    return SourceLocation(path: path, range: SourceRange(from: first, to: last))
  }

  /// The greatest number of damaged units with which the other units are still read.
  ///
  /// Each damaged unit costs another reading of the whole file.
  var mostDamagedUnits: Int { min(100, max(3, (64 << 20) / max(1, bytes.count))) }

  /// Replaces a range of bytes with spaces; all other characters keep their places.
  mutating func blank(_ range: Range<Int>) {
    let blank = bytes[range].compactMap { byte -> UInt8? in
      if byte == 0x0A || byte == 0x0D { return byte }
      return byte & 0xC0 == 0x80 ? nil : 0x20
    }
    self = TextInput(bytes[..<range.lowerBound] + blank + bytes[range.upperBound...], path: path)
  }

  private init(_ bytes: ArraySlice<UInt8>, path: String) {
    (self.bytes, self.path) = (Array(bytes), path)
  }

  /// Returns the text of a range of bytes.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// A mistake after which a file of translations cannot be read further.
struct TranslationProblem: Error {
  var diagnostic: Diagnostic

  init(_ message: String, at location: SourceLocation, advice: String? = nil) {
    diagnostic = .error(
      .translationFile, at: location, message: message,
      notes: advice.map { [Diagnostic.Note($0)] } ?? [])
  }
}

extension [UInt8] {
  /// The offset of the first byte that is not UTF-8; `nil` if all bytes are.
  fileprivate var firstInvalidUTF8: Int? {
    // Decoding replaces invalid bytes. The first difference is at such bytes, or inside a
    // replacement whose first bytes equal them.
    let decoded = Array(String(decoding: self, as: UTF8.self).utf8)
    guard decoded != self else { return nil }
    var offset = zip(self, decoded).enumerated().first { $1.0 != $1.1 }?.offset
    while let index = offset, index > 0, decoded[index] & 0xC0 == 0x80 { offset = index - 1 }
    return offset ?? Swift.min(count, decoded.count)
  }

  /// The text with a replacement for each damaged character.
  ///
  /// It is `nil` if many characters beyond ASCII are not UTF-8, because the text is more likely in
  /// another encoding then.
  fileprivate var repairedUTF8: [UInt8]? {
    let text = String(decoding: self, as: UTF8.self).unicodeScalars
    let original = Unicode.Scalar(0xFFFD)
    let (damaged, whole) = text.reduce(into: (0, 0)) { counts, scalar in
      if scalar == original { counts.0 += 1 } else if !scalar.isASCII { counts.1 += 1 }
    }
    guard damaged <= 10, whole >= 10 * damaged else { return nil }
    return text.flatMap { scalar in
      Array(String(scalar == original ? TextInput.damagedCharacter : scalar).utf8)
    }
  }
}
