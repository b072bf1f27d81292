/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Returns the padded text of bytes, as ASCII.
  package static func encode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group = 0
    var count = 0
    for byte in bytes {
      group = group << 8 | Int(byte)
      count += 1
      if count == 3 {
        for shift in [18, 12, 6, 0] { output.append(alphabet[group >> shift & 63]) }
        group = 0
        count = 0
      }
    }
    if count == 1 { output += [alphabet[group >> 2], alphabet[group << 4 & 63], 0x3D, 0x3D] }
    if count == 2 {
      output += [alphabet[group >> 10], alphabet[group >> 4 & 63], alphabet[group << 2 & 63], 0x3D]
    }
    return output
  }

  /// Returns the data of complete, padded groups, ignoring white space; `nil` for other text.
  package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8, isCanonical: false) }

  /// Returns the data of canonical base64 (RFC 4648, section 3.5), ignoring white space; `nil` for
  /// other text.
  ///
  /// The unused bits of the last digit are zero, so that each array has one text.
  package static func decode(canonical text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    decode(text, isCanonical: true)
  }

  private static func decode(_ text: some Sequence<UInt8>, isCanonical: Bool) -> [UInt8]? {
    var output: [UInt8] = []
    var group = 0
    var digits = 0
    var padding = 0
    for byte in text where !byte.isWhitespace {
      if byte == 0x3D {
        padding += 1
      } else {
        guard padding == 0, values[Int(byte)] != 0xFF else { return nil }
        group = group << 6 | Int(values[Int(byte)])
        digits += 1
      }
      if digits == 4 {
        output += [UInt8(group >> 16), UInt8(group >> 8 & 255), UInt8(group & 255)]
        group = 0
        digits = 0
      }
    }
    if isCanonical, group & (digits == 2 ? 0b1111 : 0b11) != 0 { return nil }
    switch (digits, padding) {
    case (0, 0): break
    case (2, 2): output.append(UInt8(group >> 4 & 255))
    case (3, 1): output += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
    default: return nil
    }
    return output
  }
}

extension [UInt8] {
  /// The bytes in base64.
  package var base64: String { String(decoding: Base64.encode(self[...]), as: UTF8.self) }
}
