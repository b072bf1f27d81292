/// Lines that begin with a sign that other programs put before the items of a list, such as `•`.
package struct BulletList {
  /// The sign before each item.
  package let bullet: Character
  /// The texts of the items, without the lines that continue them.
  package let items: [String]
  /// The lines with `-` in place of the sign.
  private let lines: [String]
  private let lineBreak: String

  private static let bullets: Set<Character> = ["–", "—", "•", "·", "‣", "◦", "▪", "∙", "*"]

  /// Reads the lines of a text; `nil` unless the first one begins with a sign and a space.
  ///
  /// The first line may be without its indentation.
  package init?(_ text: String) {
    var lines: [String] = []
    var items: [String] = []
    var bullet: Character?
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let indentation = line.prefix { $0 == " " }
      let rest = line.dropFirst(indentation.count)
      if let item = Self.item(rest), bullet == nil || bullet == rest.first {
        bullet = rest.first
        items.append(String(item))
        lines.append("\(indentation)- \(item)")
      } else {
        guard bullet != nil else { return nil }
        lines.append(String(line))
      }
    }
    guard let bullet else { return nil }
    (self.bullet, self.items, self.lines) = (bullet, items, lines)
    lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
  }

  /// Returns the first item as YAML, in quotes if it needs them.
  package func example(inBrackets: Bool = false) -> String {
    let item = items[0]
    let isDivided = inBrackets && item.utf8.contains { ",[]{}".utf8.contains($0) }
    return isDivided || Self.needsQuotes(item) ? item.quotedAsYAML : item
  }

  /// Returns the list as YAML that replaces the lines; `nil` if an item needs quotes.
  ///
  /// If the first line is behind the key instead of below it, the list begins with a line break.
  package func written(below isBelow: Bool) -> String? {
    // Quotes would have to include the lines that continue an item.
    if items.contains(where: Self.needsQuotes) { return nil }
    let indentation = lines.count > 1 ? String(lines[1].prefix { $0 == " " }) : "  "
    return (isBelow ? "" : lineBreak + indentation) + lines.joined(separator: lineBreak)
  }

  /// Returns `true` for an item that YAML does not read as a text, such as `@home`.
  ///
  /// An item that is already quoted as a whole needs no further quotes.
  private static func needsQuotes(_ item: String) -> Bool {
    let bytes = Array(item.utf8)
    guard let first = bytes.first, let last = bytes.last else { return false }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let inner = bytes.dropFirst().dropLast()
      return bytes.count < 2 || last != first || inner.contains(first)
        || inner.contains(UInt8(ascii: "\\"))
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
      return bytes.count < 2 || bytes[1] == UInt8(ascii: " ") || bytes[1] == UInt8(ascii: "\t")
    default: return ",[]{}#&*!|>%@`".utf8.contains(first)
    }
  }

  /// Returns the text behind a sign and white space; `nil` if a line begins otherwise.
  static func item(_ line: Substring) -> Substring? {
    guard let first = line.first, bullets.contains(first), let next = line.dropFirst().first,
      next == " " || next == "\t" || next == "\u{A0}"
    else { return nil }
    let item = line.dropFirst(2).drop { $0 == " " || $0 == "\t" || $0 == "\u{A0}" }
    return item.isEmpty ? nil : item
  }
}
