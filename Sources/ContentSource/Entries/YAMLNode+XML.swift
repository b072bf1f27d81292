import Diagnostics
import YAML

extension YAMLNode {
  /// Every text and key below this node that XML 1.0 cannot carry (section 2.2, production 2);
  /// `owner` is the entry's id.
  func forbiddenInXML(of owner: String) -> [Diagnostic] {
    switch kind {
    case .scalar:
      guard let scalar = text.unicodeScalars.first(where: \.isForbiddenInXML) else { return [] }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      return [
        Diagnostic(
          .error, rule: .unencodable, at: location,
          message: "a text of '\(owner)' must not hold \(code), which XML 1.0 cannot carry",
          notes: [Diagnostic.Note("the format 'binary' carries every text")])
      ]
    case .sequence: return items.flatMap { $0.forbiddenInXML(of: owner) }
    case .mapping:
      return members.flatMap {
        $0.key.forbiddenInXML(of: owner) + $0.value.forbiddenInXML(of: owner)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isForbiddenInXML: Bool {
    (value < 0x20 && value != 0x09 && value != 0x0A && value != 0x0D) || value == 0xFFFE
      || value == 0xFFFF
  }
}
