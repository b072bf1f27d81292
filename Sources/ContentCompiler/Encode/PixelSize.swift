import ContentModel

/// The width and height of an image, read from the head of its file.
struct PixelSize: Hashable, Sendable {
  var width: Int
  var height: Int

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// The size of a PNG, JPEG, GIF, WebP or SVG file; `nil` for any other bytes.
  init?(_ bytes: [UInt8]) {
    let readers = [PixelSize.png, PixelSize.gif, PixelSize.webp, PixelSize.jpeg, PixelSize.svg]
    guard let size = readers.lazy.compactMap({ $0(bytes) }).first, size.width > 0, size.height > 0
    else { return nil }
    self = size
  }

  /// PNG (W3C, 11.2.2): the header chunk is the first.
  private static func png(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 24, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    else { return nil }
    return PixelSize(
      width: bytes.bigEndian(at: 16, count: 4), height: bytes.bigEndian(at: 20, count: 4))
  }

  /// GIF (89a, 18): the logical screen.
  private static func gif(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 10, bytes.starts(with: Array("GIF8".utf8)) else { return nil }
    return PixelSize(
      width: bytes.littleEndian(at: 6, count: 2), height: bytes.littleEndian(at: 8, count: 2))
  }

  /// WebP (RFC 9649, 2.5 to 2.7): a simple lossy, a simple lossless, or an extended file.
  private static func webp(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.count >= 30, bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
    if bytes.has("VP8X", at: 12) {
      return PixelSize(
        width: bytes.littleEndian(at: 24, count: 3) + 1,
        height: bytes.littleEndian(at: 27, count: 3) + 1)
    }
    if bytes.has("VP8 ", at: 12) {
      return PixelSize(
        width: bytes.littleEndian(at: 26, count: 2) & 0x3FFF,
        height: bytes.littleEndian(at: 28, count: 2) & 0x3FFF)
    }
    guard bytes.has("VP8L", at: 12) else { return nil }
    let bits = bytes.littleEndian(at: 21, count: 4)
    return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
  }

  /// JPEG (ITU T.81, B.2.2): the first frame header among the segments.
  private static func jpeg(_ bytes: [UInt8]) -> PixelSize? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var at = 2
    while at + 9 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return PixelSize(
          width: bytes.bigEndian(at: at + 7, count: 2),
          height: bytes.bigEndian(at: at + 5, count: 2))
      }
      at += marker == 0xFF ? 1 : 2 + bytes.bigEndian(at: at + 2, count: 2)
    }
    return nil
  }

  /// SVG 2, 8.2: `width` and `height` of the root element, or else its `viewBox`.
  private static func svg(_ bytes: [UInt8]) -> PixelSize? {
    let head = String(decoding: bytes.prefix(65_536), as: UTF8.self)
    guard let start = head.firstRange(of: "<svg"),
      let end = head[start.upperBound...].firstIndex(of: ">")
    else {
      return nil
    }
    let tag = head[start.upperBound..<end]
    if let width = length("width", in: tag), let height = length("height", in: tag) {
      return PixelSize(width: width, height: height)
    }
    let numbers = (attribute("viewBox", in: tag) ?? "").split { $0 == " " || $0 == "," }.compactMap
    { Double($0) }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 1e6 }) else { return nil }
    return PixelSize(width: Int(numbers[2].rounded()), height: Int(numbers[3].rounded()))
  }

  private static func length(_ name: String, in tag: Substring) -> Int? {
    guard var text = attribute(name, in: tag) else { return nil }
    if text.hasByteSuffix("px") { text.removeLast(2) }
    guard let number = Double(text), (0..<1e6).contains(number) else { return nil }
    return Int(number.rounded())
  }

  private static func attribute(_ name: String, in tag: Substring) -> String? {
    for quote in ["\"", "'"] {
      guard let start = tag.firstRange(of: " \(name)=\(quote)") else { continue }
      return String(tag[start.upperBound...].prefix { String($0) != quote })
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func bigEndian(at: Int, count: Int) -> Int {
    self[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }
  fileprivate func littleEndian(at: Int, count: Int) -> Int {
    self[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
  fileprivate func has(_ mark: String, at place: Int) -> Bool {
    self[place..<place + mark.utf8.count].elementsEqual(mark.utf8)
  }
}
