import ContentModel

/// The notation of a text within a line.
enum InlineText {
  /// The text without quotes if that is safe, otherwise in quotes.
  static func shortest(_ text: String, inFlow: Bool) -> String {
    isPlainSafe(text, inFlow: inFlow) ? text : quoted(text)
  }

  /// The text in double quotes, or in single quotes if it needs escapes only in double quotes.
  static func quoted(_ text: String) -> String {
    let hasEscaped = text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    if hasEscaped, isSingleSafe(text), !text.utf8.contains(UInt8(ascii: "'")) {
      return singleQuoted(text)
    }
    return doubleQuoted(text)
  }

  static func singleQuoted(_ text: String) -> String {
    var result = "'"
    for scalar in text.unicodeScalars {
      result.unicodeScalars.append(scalar)
      if scalar == "'" { result.unicodeScalars.append(scalar) }
    }
    return result + "'"
  }

  static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      case "\u{85}": result += "\\N"
      case "\u{2028}": result += "\\L"
      case "\u{2029}": result += "\\P"
      default:
        if scalar.isPrintable {
          result.unicodeScalars.append(scalar)
        } else {
          result += scalar.escape
        }
      }
    }
    return result + "\""
  }

  /// Returns `true` if single quotes can hold the text in one line.
  static func isSingleSafe(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.isPrintable) }

  /// Returns `true` if the text means itself without quotes, in YAML 1.1 and 1.2.
  static func isPlainSafe(_ text: String, inFlow: Bool) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20,
      last != UInt8(ascii: ":"), isSingleSafe(text), !bytes.contains(0x09)
    else { return false }
    switch first {
    case UInt8(ascii: "-"):
      guard bytes.count > 1, bytes[1] != 0x20, !bytes.starts(with: "---".utf8) else { return false }
    case UInt8(ascii: "."): guard !bytes.starts(with: "...".utf8) else { return false }
    default: guard !"?:,[]{}#&*!|>'\"%@`<=".utf8.contains(first) else { return false }
    }
    for index in bytes.indices.dropFirst() {
      switch bytes[index] {
      case UInt8(ascii: "#"): guard bytes[index - 1] != 0x20 else { return false }
      case UInt8(ascii: ":"): guard !inFlow, bytes[index + 1] != 0x20 else { return false }
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
        UInt8(ascii: "}"):
        guard !inFlow else { return false }
      default: break
      }
    }
    return !isWord(bytes) && !isLikeNumber(bytes)
  }

  /// Returns `true` for words that mean null or a Boolean value in YAML 1.1 or 1.2.
  private static func isWord(_ bytes: [UInt8]) -> Bool {
    guard bytes.count <= 5 else { return false }
    let lowered = bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    let words: [StaticString] = [
      "~", "null", "true", "false", "y", "n", "yes", "no", "on", "off",
    ]
    return words.contains {
      lowered.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount))
    }
  }

  /// Returns `true` for all numbers, times and dates of YAML 1.1 and 1.2, and for texts like them.
  private static func isLikeNumber(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first.isDigit || "+-.".utf8.contains(first) else { return false }
    return bytes.allSatisfy { $0.isDigit || "abcdefxotzABCDEFXOTZ_.:+- ".utf8.contains($0) }
      || [".inf", ".nan"].contains {
        String(decoding: bytes, as: UTF8.self).lowercased().hasByteSuffix($0)
      }
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether YAML takes the character literally within a line, in
  /// versions 1.1 and 1.2.
  ///
  /// It is `false` for characters of the private planes, since the reader uses them as stand-ins.
  var isPrintable: Bool {
    switch value {
    case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
      0x10000...0xEFFFF:
      true
    default: false
    }
  }

  fileprivate var escape: String {
    let digits = String(value, radix: 16, uppercase: true)
    let (letter, width) = value < 0x100 ? ("x", 2) : value < 0x10000 ? ("u", 4) : ("U", 8)
    return "\\" + letter + String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}
