import ContentModel

/// Characters that replace U+0085, U+2028 and U+2029 while libyaml reads.
///
/// libyaml breaks lines at these, as YAML 1.1 does. In YAML 1.2 (section 5.4) they are ordinary
/// characters, and editors do not count them as lines. The stand-ins are characters that occur in
/// the file neither literally nor as an escape.
struct YAMLStandIns {
  private var pairs: [(standIn: [UInt8], original: [UInt8])] = []

  var isEmpty: Bool { pairs.isEmpty }

  init() {}

  /// Replaces the three characters in UTF-8 text.
  init(replacingIn bytes: inout [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let used = Set(text.map(\.value))
    let written = Self.numbers(in: bytes)
    var free = (UInt32(0xF0000)...0xFFFFD).lazy.filter {
      !used.contains($0) && !written.contains($0)
    }.makeIterator()
    for original in ["\u{85}", "\u{2028}", "\u{2029}"] {
      guard let scalar = free.next().flatMap(Unicode.Scalar.init) else { return }
      pairs.append((Array(String(Character(scalar)).utf8), Array(original.utf8)))
    }
    bytes = Self.replacing(pairs.map { ($0.original, $0.standIn) }, in: bytes[...])
  }

  /// Returns bytes with the original characters.
  func originals(in bytes: ArraySlice<UInt8>) -> [UInt8] {
    Self.replacing(pairs.map { ($0.standIn, $0.original) }, in: bytes)
  }

  /// The numbers of the escapes `\Uxxxxxxxx`.
  private static func numbers(in bytes: [UInt8]) -> Set<UInt32> {
    var numbers: Set<UInt32> = []
    for index in bytes.indices.dropLast(9)
    where bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "U") {
      numbers.insert(
        bytes[index + 2..<index + 10].reduce(0) { $0 << 4 | UInt32($1.hexadecimalValue ?? 15) })
    }
    return numbers
  }

  private static func replacing(
    _ pairs: [(from: [UInt8], to: [UInt8])], in bytes: ArraySlice<UInt8>
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] >= 0xC2,
        let pair = pairs.first(where: { bytes[index...].starts(with: $0.from) })
      {
        result += pair.to
        index += pair.from.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
