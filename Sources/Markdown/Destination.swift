import ContentModel

/// The destination of a link or an image, as libcmark-gfm decoded it.
///
/// Only the decoded text is judged: `javascript&colon;` and `java\script:` are then what a browser
/// would make of them.
struct Destination {
  /// The rule that a destination breaks, and the text to type instead.
  struct Fault: Error {
    var message: String

    init(_ message: String) { self.message = message }
  }

  /// Longer destinations are shortened in messages, and no other spelling is suggested for them.
  private static let longestQuoted = 80

  let text: String

  init(_ text: String) { self.text = text }

  /// Returns a text in quotes, shortened if it is long.
  private func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > Self.longestQuoted else { return "'\(text)'" }
    return "'\(String(scalars.prefix(Self.longestQuoted)))…'"
  }

  /// The scheme in small letters and the text after its colon; `nil` if there is no scheme.
  private var schemeAndRest: (scheme: String, rest: String)? {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let first = bytes.first, first.isLetter,
      bytes[..<colon].allSatisfy({ $0.isAlphanumeric || "+-.".utf8.contains($0) })
    else { return nil }
    return (text[..<colon].lowercased(), String(text[bytes.index(after: colon)...]))
  }

  /// Refuses characters that make a text look like another one, or that readers treat differently.
  private func refuseUnsafeCharacters(of owner: String) throws(Fault) {
    for scalar in text.unicodeScalars where !scalar.isPrintableASCII {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        throw Fault("\(owner) must not hold the invisible character \(scalar.name); delete it")
      default:
        if scalar == "\u{FFFD}" {
          throw Fault("\(owner) must not hold the replacement character U+FFFD; delete it")
        }
      }
    }
  }
}

// Links.
extension Destination {
  /// Returns the link that a destination is.
  ///
  /// An address keeps its characters, so that it is the address that the author tested. Only its
  /// scheme is written in small letters, which readers compare with, and characters that RFC 3986
  /// does not allow are percent-encoded, which browsers would do later.
  func link() throws(Fault) -> MarkdownText.Link {
    if text.isEmpty {
      throw Fault(
        "a link must have a destination in its parentheses; write an entry's id, such as "
          + "product/rose, or an address, such as https://example.com")
    }
    try refuseUnsafeCharacters(of: "a link's destination")
    if text.unicodeScalars.contains(where: \.isSpace) {
      throw Fault("a link's destination must not hold spaces; delete them, or write %20")
    }
    if let id = EntryID(text) { return .entry(id) }
    if text.utf8.contains(UInt8(ascii: "\\")) {
      throw Fault("a link's destination must not hold '\\'; write /")
    }
    guard let (scheme, rest) = schemeAndRest else { throw faultWithoutScheme }
    switch scheme {
    case "https": return try .address("https:" + webAddress(rest))
    case "mailto":
      guard rest.utf8.contains(UInt8(ascii: "@")) else {
        throw Fault("'mailto:' must precede an address; write one such as mailto:shop@example.com")
      }
      return try .address("mailto:" + encoded(rest))
    case "tel":
      guard rest.utf8.contains(where: \.isDigit),
        rest.utf8.allSatisfy({ $0.isAlphanumeric || "+-.()*#;=,%".utf8.contains($0) })
      else { throw Fault("'tel:' must precede a telephone number; write one such as tel:+4930123") }
      return try .address("tel:" + encoded(rest, allowsFragment: false))
    default: throw fault(ofScheme: scheme, rest: rest)
    }
  }

  private func webAddress(_ rest: String) throws(Fault) -> String {
    guard rest.hasBytePrefix("//") else {
      let other = String(rest.drop { $0 == "/" })
      throw Fault("'https:' must be followed by '//'; write \(suggestion("https://" + other))")
    }
    let place = rest.dropping("//")
    let authority = place.prefix { !"/?#".contains($0) }
    if authority.utf8.contains(UInt8(ascii: "@")) {
      throw Fault("a link's address must not hold a user's name; delete it and the '@' behind it")
    }
    if !authority.utf8.allSatisfy({ $0 < 0x80 }) {
      throw Fault(
        "the host of a link's address must be ASCII; write \(quoted(String(authority))) as a "
          + "browser's address bar copies it, with xn--")
    }
    guard WebURL.isAuthority(authority) else {
      throw Fault("a link's address must have a host behind '//', such as https://example.com")
    }
    let path = String(place.dropFirst(authority.count))
    return try "//" + authority + encoded(path)
  }

  /// Returns a text with the characters percent-encoded that an address cannot have.
  private func encoded(_ text: String, allowsFragment: Bool = true) throws(Fault) -> String {
    var result: [UInt8] = []
    var allowsSign = allowsFragment
    var bytes = text.utf8[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard bytes.prefix(2).count == 2, bytes.prefix(2).allSatisfy(\.isHexadecimalDigit) else {
          throw Fault(
            "'%' in a link's address must precede two hexadecimal digits; for the sign itself, "
              + "write %25")
        }
        result.append(byte)
      case UInt8(ascii: "#") where allowsSign:
        allowsSign = false
        result.append(byte)
      case _ where byte.isAlphanumeric || "-._~:/?@!$&'()*+,;=".utf8.contains(byte):
        result.append(byte)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += Array((digits.utf8.count == 1 ? "%0" : "%").utf8) + Array(digits.utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func suggestion(_ text: String) -> String {
    text.utf8.count > Self.longestQuoted ? "it so" : text
  }

  private func fault(ofScheme scheme: String, rest: String) -> Fault {
    if scheme == "http" {
      return Fault(
        "a link must begin with https instead of http; write \(suggestion("https:" + rest))")
    }
    if scheme == "entry", let id = EntryID(rest) {
      return Fault("a link to an entry is the entry's id alone; write \(id)")
    }
    if scheme.utf8.contains(UInt8(ascii: ".")) || scheme == "localhost" {
      return Fault("an address must begin with https://; write \(suggestion("https://" + text))")
    }
    return Fault(
      "a link must lead to https, mailto, tel or an entry's id, not to \(quoted(scheme + ":")); "
        + "write an address that begins with https://")
  }

  private var faultWithoutScheme: Fault {
    let general =
      "write an entry's id, such as product/rose, or an address that begins with "
      + "https://"
    guard text.utf8.count <= Self.longestQuoted else {
      return Fault("a link must lead to https, mailto, tel or an entry's id; \(general)")
    }
    if text.hasBytePrefix("//") {
      return Fault("an address must begin with https:; write https:\(text)")
    }
    if text.hasBytePrefix("#") {
      return Fault("a link must not lead to a part of a page, such as '\(text)'; \(general)")
    }
    if let id = meantEntry { return Fault("a link to an entry is the entry's id; write \(id)") }
    if text.utf8.contains(UInt8(ascii: "@")), !text.utf8.contains(UInt8(ascii: "/")) {
      return Fault("an e-mail address must begin with mailto:; write mailto:\(text)")
    }
    if text.utf8.count >= 3,
      text.utf8.allSatisfy({ $0.isDigit || "+-()".utf8.contains($0) }),
      text.utf8.contains(where: \.isDigit)
    {
      return Fault("a telephone number must begin with tel:; write tel:\(text)")
    }
    if beginsWithHost {
      return Fault("an address must begin with https://; write https://\(text)")
    }
    if EntryID.isPart(text) {
      return Fault(
        "an entry's id begins with its datatype; write one such as product/\(text)")
    }
    return Fault("a link must lead to https, mailto, tel or an entry's id; \(general)")
  }

  /// The id that a path to an entry's page or file most likely means.
  private var meantEntry: EntryID? {
    var path = text.prefix { $0 != "#" && $0 != "?" }
    while let first = path.first, first == "/" || first == "." { path = path.dropFirst() }
    for folder in ["content/", "entries/"] where path.hasPrefix(folder) {
      path = path.dropFirst(folder.count)
    }
    if path.last == "/" { path = path.dropLast() }
    for ending in [".yaml", ".yml", ".md", ".html", ".htm"] where path.hasSuffix(ending) {
      path = path.dropLast(ending.count)
    }
    return EntryID(String(path.lowercased().map { $0 == "_" ? "-" : $0 }))
  }

  /// A Boolean value that indicates whether the text up to a slash looks like the name of a host.
  private var beginsWithHost: Bool {
    let host = text.prefix { !"/?#".contains($0) }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, let last = parts.last, last.utf8.count >= 2,
      last.utf8.allSatisfy(\.isLetter), WebURL.isAuthority(host)
    else { return false }
    return !["html", "htm", "md", "yaml", "yml", "pdf", "txt", "php"].contains(String(last))
  }
}

// Images.
extension Destination {
  /// Returns the path of the asset below `assets/` that the destination of an image is.
  func asset() throws(Fault) -> String {
    let example = "such as flowers/rose.png"
    if text.isEmpty {
      throw Fault("an image must have an asset in its parentheses; write its path, \(example)")
    }
    try refuseUnsafeCharacters(of: "an image's path")
    if schemeAndRest != nil || text.hasBytePrefix("//") {
      throw Fault(
        "an image must be an asset, not an address; put its file into assets/ and write its path, "
          + example)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isPath =
      !text.utf8.contains(UInt8(ascii: "\\")) && parts.first != "assets"
      && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    guard isPath else {
      var meant = text.split { $0 == "/" || $0 == "\\" }.map(String.init)
        .filter { $0 != "." && $0 != ".." }
      if meant.first == "assets" { meant.removeFirst() }
      let path = meant.isEmpty ? "one, \(example)" : suggestion(meant.joined(separator: "/"))
      throw Fault("an image must be the path of an asset below assets/; write \(path)")
    }
    return text
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    hexadecimalValue != nil
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar is a sign of ASCII, and no space: tables of
  /// Unicode take longer.
  fileprivate var isPrintableASCII: Bool { ("!"..."~").contains(self) }

  fileprivate var isSpace: Bool {
    !isPrintableASCII && properties.generalCategory == .spaceSeparator
  }

  /// The scalar as `U+` and at least four digits.
  fileprivate var name: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
