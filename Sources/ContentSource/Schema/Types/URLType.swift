import ContentModel
import YAML

/// The address of a page, or the id of an entry.
enum URLType: ScalarType {
  static let name = "url"
  static let namesElsewhere = ["uri"]
  static let attributes: [FieldAttribute] = [.lengths, .pattern]
  static let accepts = "an entry's id, or a URL with a scheme"
  static let readersGet = "a string"
  static let example = "https://example.com/roses"

  static func form(within limits: Field.Limits) -> ScalarForm {
    limits.pattern == nil ? .address : .other
  }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    if let id = EntryID(node.text) { return .link(id) }
    guard hasScheme(node.text), !node.text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      let address = node.text.hasBytePrefix("www.") ? "https://" + node.text : nil
      let fix = address.flatMap { $0.utf8.contains { $0 <= 0x20 || $0 == 0x7F } ? nil : $0 }
      throw node.misfit(
        field,
        must: "be an entry's id, or a URL with a scheme such as https: and no spaces"
          + (fix.map { "; write \($0)" } ?? ""), fix: fix)
    }
    return .address(node.text)
  }

  /// Returns `true` for a scheme as in RFC 3986, 3.1, with text after it.
  private static func hasScheme(_ text: String) -> Bool {
    let scheme = text.prefix { $0 != ":" }
    guard let first = scheme.first, first.isASCII, first.isLetter,
      scheme.utf8.count + 1 < text.utf8.count
    else {
      return false
    }
    return scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
