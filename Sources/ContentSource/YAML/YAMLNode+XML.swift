import Diagnostics

extension YAMLNode {
  /// Every text and key below this node that XML 1.0 cannot carry (section 2.2, production 2).
  var forbiddenInXML: [Diagnostic] {
    switch kind {
    case .scalar:
      guard let scalar = text.unicodeScalars.first(where: \.isForbiddenInXML) else { return [] }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return [
        Diagnostic(
          .error, "unencodable", at: location,
          "a text must not hold \(code), which XML 1.0 cannot carry",
          notes: [Diagnostic.Note("the format 'binary' carries every text")])
      ]
    case .sequence: return items.flatMap(\.forbiddenInXML)
    case .mapping: return members.flatMap { $0.key.forbiddenInXML + $0.value.forbiddenInXML }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isForbiddenInXML: Bool {
    (value < 0x20 && value != 0x09 && value != 0x0A && value != 0x0D) || value == 0xFFFE || value == 0xFFFF
  }
}
