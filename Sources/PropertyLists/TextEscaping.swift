/// The characters that a text format escapes or forbids.
struct TextEscaping: Sendable {
  /// The treatment of one character.
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
      var start = 0
      var index = 0
      while index < bytes.count {
        guard isSuspect[Int(bytes[index])] else {
          index += 1
          continue
        }
        let (value, length) = UnsafeRawBufferPointer(bytes).scalar(at: index)
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
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
