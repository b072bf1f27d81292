/// The SHA-256 of an object's (decoded) bytes: its name.
public struct Digest: Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// A digest from its 32 bytes; `nil` for any other count.
  public init?(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    guard self.bytes.count == 32 else { return nil }
  }

  /// A digest from 64 hexadecimal digits of either case; `nil` for anything else.
  public init?(hex: String) {
    let digits = hex.utf8.map { digit -> UInt8? in
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
      default: nil
      }
    }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for pair in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[pair], let low = digits[pair + 1] else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The 64 lower-case hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension Digest: Hashable, Comparable, CustomStringConvertible {
  /// Whether the first comes before the second.
  public static func < (a: Digest, b: Digest) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
  /// The hexadecimal digits.
  public var description: String { hex }
}
