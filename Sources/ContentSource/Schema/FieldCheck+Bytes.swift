extension FieldCheck {
  /// Whether a scalar fits its field, as far as its bytes tell at once; where they do not, `convert` tells.
  static func surelyFits(_ node: YAMLNode, _ field: Field) -> Bool {
    switch field.kind {
    case .string, .text: node.withTextBytes { fits($0, field.limits) }
    case .catalog: true
    case .any: !node.isNumberLike && node.scalar == .text && fits(node, field.limits)
    case .color: node.withTextBytes(\.isColor)
    case .url: node.withTextBytes { $0.isAddress && fits($0, field.limits) }
    case .choice(let values):
      node.withTextBytes { text in values.contains { $0.utf8.count == text.count && text.elementsEqual($0.utf8) } }
    default: false
    }
  }

  private static func fits(_ node: YAMLNode, _ limits: Field.Limits) -> Bool {
    node.withTextBytes { fits($0, limits) }
  }

  private static func fits(_ text: UnsafeBufferPointer<UInt8>, _ limits: Field.Limits) -> Bool {
    guard limits.pattern == nil else { return false }
    if limits.minimumLength == nil, limits.maximumLength == nil { return true }
    // A scalar has one to four bytes.
    let least = limits.minimumLength ?? 0
    let most = limits.maximumLength ?? .max
    if text.count <= most, text.count >= 4 * least { return true }
    let length = text.count { !$0.isContinuation }
    return length >= least && length <= most
  }
}

extension YAMLNode {
  /// Whether a plain text may mean something else than itself.
  fileprivate var isNumberLike: Bool {
    isPlain
      && withTextBytes {
        $0.first.map { $0.digitValue < 10 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E } ?? true
      }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// `#` and 3, 4, 6 or 8 hexadecimal digits.
  fileprivate var isColor: Bool {
    guard first == UInt8(ascii: "#"), count == 4 || count == 5 || count == 7 || count == 9 else { return false }
    return dropFirst().allSatisfy { $0.digitValue < 16 }
  }

  /// A URL whose scheme (RFC 3986, 3.1) is followed by ASCII, without spaces; no id of an entry has a colon.
  fileprivate var isAddress: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < count, self[colon + 1] < 0x80,
      self[0].isLetter, allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return false }
    return self[..<colon].allSatisfy { $0.isLetter || $0.digitValue < 10 || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
}
