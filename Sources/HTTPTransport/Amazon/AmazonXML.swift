import ContentModel

/// The part of XML that answers of Amazon's services use: elements, text, and predefined entities.
package struct AmazonXML {
  package let name: String
  package private(set) var text = ""
  package private(set) var children: [AmazonXML] = []

  /// Reads a document; `nil` if it is incomplete, is nested deeper than 32, or uses any other part
  /// of XML.
  package init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = AmazonXMLReader(text)
    guard let root = reader.document() else { return nil }
    self = root
  }

  fileprivate init(name: String) { self.name = name }

  fileprivate mutating func add(_ child: AmazonXML) { children.append(child) }
  fileprivate mutating func add(_ more: String) { text += more }

  /// The first child of a name.
  package subscript(name: String) -> AmazonXML? { children.first { $0.name == name } }
}

/// A walk over a document.
private struct AmazonXMLReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  mutating func document() -> AmazonXML? {
    _ = take("\u{FEFF}")
    if take("<?xml") { guard skip(past: "?>") else { return nil } }
    guard skipSpaceAndComments(), let root = element(depth: 0), skipSpaceAndComments() else {
      return nil
    }
    return rest.isEmpty ? root : nil
  }

  private mutating func element(depth: Int) -> AmazonXML? {
    guard depth < 32, take("<"), let name = name() else { return nil }
    var element = AmazonXML(name: name)
    guard let isEmpty = attributes() else { return nil }
    if isEmpty { return element }
    while !take("</") {
      if take("<!--") {
        guard skip(past: "-->") else { return nil }
      } else if rest.first == UInt8(ascii: "<") {
        guard let child = self.element(depth: depth + 1) else { return nil }
        element.add(child)
      } else {
        guard let text = text() else { return nil }
        element.add(text)
      }
    }
    guard self.name() == name, skipSpace(), take(">") else { return nil }
    return element
  }

  /// Skips attributes and the end of the tag, and returns `true` if that ends the element, too.
  private mutating func attributes() -> Bool? {
    while true {
      _ = skipSpace()
      if take("/>") { return true }
      if take(">") { return false }
      guard name() != nil, skipSpace(), take("="), skipSpace() else { return nil }
      guard let quote = rest.popFirst(), [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote),
        let end = rest.firstIndex(of: quote)
      else { return nil }
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func name() -> String? {
    let name = rest.prefix { !" \t\r\n/>=<&\"'!?".utf8.contains($0) }
    rest = rest[name.endIndex...]
    return name.isEmpty ? nil : String(Substring(name))
  }

  /// Takes the text up to the next `<`; `nil` if there is none, or an entity is unknown.
  private mutating func text() -> String? {
    var text = ""
    while let byte = rest.first, byte != UInt8(ascii: "<") {
      if take("&") {
        guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
          let character = Self.entity(String(Substring(rest[..<end])))
        else { return nil }
        text.unicodeScalars.append(character)
        rest = rest[rest.index(after: end)...]
      } else {
        let plain = rest.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") }
        text += Substring(plain)
        rest = rest[plain.endIndex...]
      }
    }
    return rest.isEmpty ? nil : text
  }

  private static func entity(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let number =
        name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      return number.flatMap(Unicode.Scalar.init)
    }
  }

  private mutating func skipSpaceAndComments() -> Bool {
    _ = skipSpace()
    while take("<!--") {
      guard skip(past: "-->") else { return false }
      _ = skipSpace()
    }
    return true
  }

  private mutating func skipSpace() -> Bool {
    rest = rest.drop(while: \.isWhitespace)
    return true
  }

  private mutating func skip(past text: String) -> Bool {
    while !rest.isEmpty {
      if take(text) { return true }
      rest.removeFirst()
    }
    return false
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }
}
