/// A strict reader of pages that knows only the markup that `MarkdownPage` writes.
struct PageTokenizer {
  /// A fault in a page, or markup that could execute something.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// The attributes that each element may have.
  private static let allowed: [String: Set<String>] = [
    "html": ["lang", "dir"], "head": [], "body": [], "main": [], "title": [], "style": [],
    "meta": ["charset", "name", "content", "http-equiv"], "p": [], "h1": [], "h2": [], "h3": [],
    "h4": [], "blockquote": [], "ul": [], "ol": ["start"], "li": [], "pre": [], "code": [],
    "hr": [], "div": ["class"], "table": [], "thead": [], "tbody": [], "tr": [], "th": ["class"],
    "td": ["class"], "a": ["href", "rel"], "img": ["src", "alt"], "strong": [], "em": [],
    "del": [], "br": [],
  ]
  private static let empty: Set<String> = ["meta", "hr", "img", "br"]

  private var rest: Substring
  private var open: [String] = []
  /// The text outside of elements that a reader does not show.
  private(set) var text = ""
  /// The destinations of links and the addresses of images.
  private(set) var links: [String] = []
  private(set) var images: [String] = []

  /// Reads a page, and throws a `Fault` for everything that is not expected.
  init(_ page: String) throws {
    let start = "<!doctype html>\n"
    guard page.hasPrefix(start) else { throw Fault(description: "no doctype") }
    rest = page.dropFirst(start.count)
    while !rest.isEmpty {
      if rest.first == "<" { try readTag() } else { try readText() }
    }
    guard open.isEmpty else { throw Fault(description: "open: \(open)") }
  }

  private mutating func readText() throws {
    let end = rest.firstIndex(of: "<") ?? rest.endIndex
    let piece = try unescaped(rest[..<end])
    if open.contains("main") { text += piece }
    rest = rest[end...]
  }

  private mutating func readTag() throws {
    rest.removeFirst()
    let isEnd = rest.first == "/"
    if isEnd { rest.removeFirst() }
    let name = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
    rest = rest.dropFirst(name.count)
    guard let attributes = Self.allowed[name] else { throw Fault(description: "<\(name)>") }
    if isEnd {
      guard open.popLast() == name, rest.popFirst() == ">" else {
        throw Fault(description: "</\(name)>")
      }
      return
    }
    var seen: Set<String> = []
    while rest.first == " " {
      rest.removeFirst()
      let attribute = String(rest.prefix { $0.isASCII && ($0.isLetter || $0 == "-") })
      rest = rest.dropFirst(attribute.count)
      guard attributes.contains(attribute), seen.insert(attribute).inserted,
        rest.popFirst() == "=", rest.popFirst() == "\"",
        let end = rest.firstIndex(of: "\"")
      else { throw Fault(description: "<\(name) \(attribute)") }
      let value = try unescaped(rest[..<end])
      rest = rest[end...].dropFirst()
      try check(value, of: attribute)
    }
    guard rest.popFirst() == ">" else { throw Fault(description: "<\(name) …") }
    if name == "style" {
      // Its content is not escaped, and ends at the first end tag.
      let end = rest.firstIndex(of: "<") ?? rest.endIndex
      rest = rest[end...]
    }
    if !Self.empty.contains(name) { open.append(name) }
  }

  private mutating func check(_ value: String, of attribute: String) throws {
    switch attribute {
    case "href":
      let schemes = ["https://", "mailto:", "tel:", "entry:"]
      guard schemes.contains(where: value.hasPrefix),
        value.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 32 })
      else { throw Fault(description: "href \(value)") }
      links.append(value)
    case "src":
      guard value.hasPrefix("/images/") else { throw Fault(description: "src \(value)") }
      images.append(value)
    case "class":
      guard ["table", "left", "center", "right"].contains(value) else {
        throw Fault(description: "class \(value)")
      }
    default: break
    }
  }

  private func unescaped(_ piece: Substring) throws -> String {
    guard !piece.contains(">") else { throw Fault(description: "'>' in \(piece)") }
    var result = ""
    var rest = piece
    while let next = rest.popFirst() {
      guard next == "&" else {
        result.append(next)
        continue
      }
      let known = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "#39;": "'"]
      guard let entity = known.keys.first(where: rest.hasPrefix) else {
        throw Fault(description: "'&' in \(piece)")
      }
      result += known[entity] ?? ""
      rest = rest.dropFirst(entity.count)
    }
    return result
  }
}
