/// An XML document as a tree of elements with their texts, without attributes.
///
/// It serves answers such as those of S3: small documents whose elements have either children or a
/// text.
package struct XMLTree {
  /// The name without its prefix.
  package let name: String
  private var bytes: [UInt8] = []
  package private(set) var children: [XMLTree] = []

  /// The text outside the children.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The first child with a name.
  package subscript(name: String) -> XMLTree? { children.first { $0.isNamed(name) } }

  /// The greatest depth of elements.
  private static let depthLimit = 32

  /// Reads a document of UTF-8.
  ///
  /// The result is `nil` if the document is not well-formed, has a document type, or has more than
  /// 32 elements inside each other.
  package init?(_ bytes: [UInt8]) {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let text = Self.withoutForbiddenCharacters(hasMark ? Array(bytes.dropFirst(3)) : bytes)
    let (builder, problem) = XMLParsing.parse(
      text, depthLimit: Self.depthLimit, handler: Builder())
    guard problem == nil, let root = builder.root else { return nil }
    self = root
  }

  private init(name: String) { self.name = name }

  private func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }

  private struct Builder: XMLHandler {
    private(set) var root: XMLTree?
    /// The elements that have not ended, from the root inward.
    private var open: [XMLTree] = []

    mutating func begin(_ tag: XMLStartTag) -> Bool {
      open.append(XMLTree(name: tag.name))
      return true
    }

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
      guard !open.isEmpty else { return }
      open[open.count - 1].bytes += text
    }

    mutating func end(at offset: Int) {
      guard let element = open.popLast() else { return }
      if open.isEmpty {
        root = element
      } else {
        open[open.count - 1].children.append(element)
      }
    }
  }

  /// Returns a document in which U+FFFD replaces the characters that XML 1.0 forbids.
  ///
  /// These are references to control characters, and U+FFFE and U+FFFF, with or without a
  /// reference. S3 writes them for keys that other programs chose, and the other keys must stay
  /// readable.
  private static func withoutForbiddenCharacters(_ bytes: [UInt8]) -> [UInt8] {
    var (text, copied, offset) = ([UInt8](), 0, 0)
    while let start = bytes[offset...].firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == 0xEF })
    {
      guard let count = forbiddenBytes(in: bytes[start...]) else {
        offset = start + 1
        continue
      }
      text += bytes[copied..<start] + Array("\u{FFFD}".utf8)
      offset = start + count
      copied = offset
    }
    return copied == 0 ? bytes : text + bytes[copied...]
  }

  /// Returns the length of the forbidden character at the start of `bytes`, or of a reference to
  /// one; `nil` if `bytes` starts with neither.
  private static func forbiddenBytes(in bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.starts(with: "\u{FFFE}".utf8) || bytes.starts(with: "\u{FFFF}".utf8) { return 3 }
    guard bytes.starts(with: "&#".utf8),
      let end = bytes.prefix(12).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let number = bytes[..<end].dropFirst(2)
    let isHexadecimal = number.first == UInt8(ascii: "x")
    let digits = String(decoding: isHexadecimal ? number.dropFirst() : number, as: UTF8.self)
    switch UInt32(digits, radix: isHexadecimal ? 16 : 10) {
    case 0x09?, 0x0A?, 0x0D?: return nil
    case (0..<0x20)?, 0xFFFE?, 0xFFFF?: return end + 1 - bytes.startIndex
    default: return nil
    }
  }
}
