/// The escaping of Amazon's signatures: all bytes except RFC 3986's unreserved ones, with
/// upper-case digits.
package enum URLEscape {
  /// Escapes a path, except for its `/`.
  package static func path(_ text: String) -> String {
    escaped(text, keeping: { isUnreserved($0) || $0 == UInt8(ascii: "/") })
  }

  /// Escapes one part of a path.
  package static func segment(_ text: String) -> String {
    escaped(text, keeping: isUnreserved)
  }

  /// Returns names and values in the order of their escaped forms, as they are sent and signed,
  /// without the `?`.
  package static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (segment($0.name), segment($0.value)) }
      .sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }
      .joined(separator: "&")
  }

  /// Undoes `%41`; `nil` for malformed escapes, and for bytes that are no UTF-8.
  package static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue,
        let low = rest.popFirst()?.hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Escapes all bytes except those that stay.
  package static func escaped(_ text: String, keeping stays: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      bytes +=
        stays(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || "-._~".utf8.contains(byte)
  }
}
