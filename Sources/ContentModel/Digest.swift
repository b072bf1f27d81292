/// The SHA-256 digest of an object's decoded bytes, which is the object's name.
///
/// ```swift
/// let digest = Digest(hex: String(repeating: "0a", count: 32))
/// ```
public struct Digest: Sendable {
  /// The bytes as four big-endian numbers, which need no allocation and compare quickly: builds
  /// hold many digests.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      withBytes {
        _ = UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, from: $0)
      }
      count = 32
    }
  }

  /// Creates a digest from its 32 bytes; `nil` for any other count.
  public init?(bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard let digest = bytes.withUnsafeBytes(Digest.init(raw:)) else { return nil }
    self = digest
  }

  /// Creates a digest from its 32 bytes; `nil` for any other count.
  package init?(raw bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    let words = bytes.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self)
    self.words = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
  }

  /// Calls `body` with the 32 bytes.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let stored = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
    return withUnsafeBytes(of: stored, body)
  }

  /// Creates a digest from 64 hexadecimal digits of either case; `nil` for any other text.
  public init?(hex: String) {
    // A record names thousands of digests, so this allocates no array.
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var count = 0
    for character in hex.utf8 {
      guard count < 64, let number = Self.number(character) else { return nil }
      switch count >> 4 {
      case 0: words.0 = words.0 << 4 | number
      case 1: words.1 = words.1 << 4 | number
      case 2: words.2 = words.2 << 4 | number
      default: words.3 = words.3 << 4 | number
      }
      count += 1
    }
    guard count == 64 else { return nil }
    self.words = words
  }

  private static func number(_ digit: UInt8) -> UInt64? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The 64 lower-case hexadecimal digits.
  public var hex: String {
    String(unsafeUninitializedCapacity: 64) { text in
      withBytes { bytes in
        for (place, byte) in bytes.enumerated() {
          text[2 * place] = Self.digit(byte >> 4)
          text[2 * place + 1] = Self.digit(byte & 15)
        }
      }
      return 64
    }
  }

  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}

extension Digest: Hashable, Comparable, CustomStringConvertible {
  /// Compares the bytes.
  public static func == (a: Digest, b: Digest) -> Bool { a.words == b.words }

  /// Compares the bytes lexicographically.
  public static func < (a: Digest, b: Digest) -> Bool { a.words < b.words }

  /// Hashes half of the bytes, which are already uniformly distributed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  /// The hexadecimal digits.
  public var description: String { hex }
}

extension Digest {
  /// Returns the path of the object with this digest in an output folder and at a target, such as
  /// `objects/3f/3fa9….plist`; `fileExtension` has no dot.
  package func objectPath(extension fileExtension: String) -> String {
    let hex = hex
    return "objects/\(hex.prefix(2))/\(hex).\(fileExtension)"
  }

  /// Returns the digest as a value in a format: data, or lower-case hexadecimal digits in JSON.
  package func value(in format: PropertyListFormat) -> Value {
    format == .json ? .string(hex) : .data(bytes)
  }
}
