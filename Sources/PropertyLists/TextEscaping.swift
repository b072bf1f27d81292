/// The characters that a text format escapes or forbids.
struct TextEscaping: Sendable {
  enum Treatment {
    case keep
    case replace(String)
    case refuse
  }

  /// For each byte, `true` if a character that begins with it may need treatment.
  private let isSuspect: [Bool]
  private let treatment: @Sendable (Unicode.Scalar) -> Treatment

  /// Creates an escaping that calls `treatment` only for characters whose first byte is in
  /// `suspects`.
  init(suspects: some Sequence<UInt8>, treatment: @escaping @Sendable (Unicode.Scalar) -> Treatment)
  {
    var isSuspect = [Bool](repeating: false, count: 256)
    for byte in suspects { isSuspect[Int(byte)] = true }
    (self.isSuspect, self.treatment) = (isSuspect, treatment)
  }

  /// Appends a text with its escapes; returns the first forbidden character, if any.
  func append(_ text: String, to output: inout [UInt8]) -> Unicode.Scalar? {
    var text = text
    return text.withUTF8 { bytes in
      var (start, index) = (0, 0)
      while index < bytes.count {
        guard isSuspect[Int(bytes[index])] else {
          index += 1
          continue
        }
        let (scalar, length) = bytes.scalar(at: index)
        switch treatment(scalar) {
        case .keep: break
        case .refuse: return scalar
        case .replace(let replacement):
          output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
          output.append(contentsOf: replacement.utf8)
          start = index + length
        }
        index += length
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
      return nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the scalar at an index of well-formed UTF-8, and the number of its bytes.
  fileprivate func scalar(at index: Int) -> (scalar: Unicode.Scalar, length: Int) {
    var decoder = UTF8()
    var tail = self[index...].prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&tail) else { return ("\u{FFFD}", 1) }
    return (scalar, UTF8.width(scalar))
  }
}
