import ContentModel

extension PropertyListFormat {
  /// Creates the probable format of bytes; only decoding can confirm it.
  init(detectedIn bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    var scan = TextScan(bytes: bytes)
    scan.skipByteOrderMark()
    scan.skipWhitespace()
    switch scan.current {
    case UInt8(ascii: "<"): self = scan.startsXML ? .xml : .openstep
    case UInt8(ascii: "["), nil: self = .json
    case UInt8(ascii: "{"): self = scan.startsJSONObject ? .json : .openstep
    default: self = (try? JSONReader.decode(bytes, valueLimit: 1)) == nil ? .openstep : .json
    }
  }
}

extension TextScan {
  /// `true` if a `<` begins XML instead of OpenStep data, whose next character is a hexadecimal
  /// digit.
  fileprivate var startsXML: Bool {
    guard let next = peek(1) else { return false }
    return next == UInt8(ascii: "?") || next == UInt8(ascii: "!") || next == UInt8(ascii: "p")
  }

  /// `true` if a `{` begins JSON, which has a colon after the first key, instead of OpenStep, which
  /// has an equals sign.
  fileprivate var startsJSONObject: Bool {
    var scan = self
    scan.offset += 1
    scan.skipWhitespace()
    if scan.current == UInt8(ascii: "}") { return true }
    guard scan.take(UInt8(ascii: "\"")) else { return false }
    while let byte = scan.current, byte != UInt8(ascii: "\"") {
      scan.offset += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    scan.offset += 1
    scan.skipWhitespace()
    return scan.current == UInt8(ascii: ":")
  }
}
