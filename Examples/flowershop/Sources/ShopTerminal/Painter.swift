import ShopScreens

/// A page as lines of a terminal, with or without styles.
struct Painter: Hashable, Sendable {
  /// The number of columns.
  var width = 80
  /// `true` for bold, faint and colored text.
  var isStyled = false
  /// `true` for the colors of content, too, which most terminals show.
  var hasColors = false

  /// The columns before a text, with the number of its link.
  private static let margin = 5
  /// Longer lines are hard to read.
  private static let widest = 76

  private var columns: Int { max(20, min(width, Self.widest) - Self.margin) }

  /// Returns the lines of a page below its title.
  func lines(of page: Page) -> [String] {
    var lines = [styled(page.title.harmless, "1;7", padded: true), ""]
    var number = 0
    for line in page.lines {
      if line.link != nil { number += 1 }
      lines += self.lines(of: line, number: line.link == nil ? nil : number)
    }
    return lines
  }

  /// Returns a remark below a page.
  func remark(_ text: String) -> String { styled(text.harmless, "2") }

  /// Returns the bar of a load.
  func bar(received: Int, total: Int) -> String {
    let fraction = total == 0 ? 0 : min(1, Double(received) / Double(total))
    let full = Int(fraction * 30)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
    return "\(bar) \(Int(fraction * 100)) % of \((total + 999) / 1000) kB"
  }

  private func lines(of line: Page.Line, number: Int?) -> [String] {
    let mark = number.map(String.init) ?? ""
    let margin = String(repeating: " ", count: max(0, Self.margin - 2 - mark.count)) + mark + "  "
    let rest = String(repeating: " ", count: Self.margin)
    var text = line.style == .button ? "[ \(line.text) ]" : line.text
    text = text.replacing("\n", with: " ").harmless
    let detail = line.detail.harmless
    // A detail that does not fit beside the text is below it.
    let isBeside = !detail.isEmpty && text.count + detail.count + 2 <= columns
    var rows = isBeside ? [text] : wrapped(text)
    if !detail.isEmpty, !isBeside { rows += wrapped(detail) }
    return rows.enumerated().map { place, row in
      let gap = String(repeating: " ", count: isBeside ? columns - text.count - detail.count : 0)
      let painted = styled(row, code(of: line)) + (isBeside ? gap + detail : "")
      let indent = isBeside ? "" : indent(of: row, line.alignment)
      return (place == 0 ? margin : rest) + indent + painted
    }.map { $0.trimmingEnd }
  }

  private func indent(of row: String, _ alignment: Page.Alignment) -> String {
    let free = max(0, columns - row.count)
    switch alignment {
    case .start: return ""
    case .center: return String(repeating: " ", count: free / 2)
    case .end: return String(repeating: " ", count: free)
    }
  }

  /// Breaks a text between words; a longer word has a row of its own.
  private func wrapped(_ text: String) -> [String] {
    var rows: [String] = []
    for word in text.split(separator: " ") {
      if let last = rows.last, last.count + 1 + word.count <= columns {
        rows[rows.count - 1] += " \(word)"
      } else {
        rows.append(String(word))
      }
    }
    return rows.isEmpty ? [""] : rows
  }

  // MARK: Styles

  /// Returns the parameter of a line's style (ECMA-48, section 8.3.117).
  private func code(of line: Page.Line) -> String {
    let style =
      switch line.style {
      case .largeTitle, .title, .headline: "1"
      case .footnote: "2"
      case .button: "1"
      case .body: "0"
      }
    guard hasColors, let color = line.color.flatMap(Self.components) else { return style }
    return "\(style);38;2;\(color)"
  }

  /// Returns the red, green and blue parts of `#RRGGBB`; `nil` for white, which is the color of a
  /// text on a colored button, and for another form.
  private static func components(of color: String) -> String? {
    guard color.count == 7, color.first == "#", color != "#FFFFFF",
      let number = Int(color.dropFirst(), radix: 16)
    else { return nil }
    return "\(number >> 16 & 0xFF);\(number >> 8 & 0xFF);\(number & 0xFF)"
  }

  private func styled(_ text: String, _ code: String, padded: Bool = false) -> String {
    guard isStyled, !text.isEmpty, code != "0" else { return text }
    let row = padded ? " \(text) " : text
    return "\u{1B}[\(code)m\(row)\u{1B}[0m"
  }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var trimmingEnd: String {
    guard let end = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...end])
  }
}
