package import ContentClient

/// The content of the screen: lines with their roles, and nothing about terminals.
package struct Page: Hashable, Sendable {
  /// The role of a line.
  package enum Style: String, Hashable, Sendable {
    case largeTitle
    case title
    case headline
    case body
    case footnote
    case button
  }

  /// The side at which a line begins.
  package enum Alignment: String, Hashable, Sendable {
    case start
    case center
    case end
  }

  /// The target of a line.
  package enum Link: Hashable, Sendable {
    case place(Place)
    /// A file of the picture, which is loaded on request.
    case picture(AssetValue)
  }

  /// A line, or a paragraph that is wrapped.
  package struct Line: Hashable, Sendable {
    package var text: String
    /// The text at the other end of the line, such as a price.
    package var detail = ""
    package var style = Style.body
    package var alignment = Alignment.start
    /// The color as content has it, such as `#B3162C`.
    package var color: String?
    package var link: Link?

    package init(
      _ text: String, detail: String = "", style: Style = .body, alignment: Alignment = .start,
      color: String? = nil, link: Link? = nil
    ) {
      (self.text, self.detail, self.style) = (text, detail, style)
      (self.alignment, self.color, self.link) = (alignment, color, link)
    }

    /// An empty line.
    package static let space = Line("")
  }

  package var title: String
  package var lines: [Line]

  package init(title: String, lines: [Line] = []) { (self.title, self.lines) = (title, lines) }

  /// The targets in the order of their lines: a person names them by their numbers from 1.
  package var links: [Link] { lines.compactMap(\.link) }
}
