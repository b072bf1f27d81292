/// The position of a character in a Markdown text.
package struct MarkdownPosition: Hashable, Comparable, Sendable {
  /// The line, from 1 on; lines end with a line feed, a carriage return, or both.
  package var line: Int
  /// The column in Unicode scalars, from 1 on.
  package var column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  package static func < (a: MarkdownPosition, b: MarkdownPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A stretch of a line of a Markdown text.
package struct MarkdownPlace: Hashable, Sendable {
  /// The position of the first character.
  package var position: MarkdownPosition
  /// The number of Unicode scalars, all in the same line; at least 1.
  package var length: Int

  package init(position: MarkdownPosition, length: Int) {
    (self.position, self.length) = (position, length)
  }
}

/// A violation of a rule for Markdown texts.
package struct MarkdownProblem: Hashable, Sendable {
  /// A rule that a text can break.
  package enum Rule: String, CaseIterable, Hashable, Sendable {
    /// A text has no raw HTML.
    case html
    /// A link has a text, and leads to `https`, `mailto`, `tel` or an entry's id.
    case link
    /// An image names an asset.
    case image
    /// A heading has a level of 1 to 4.
    case heading
    /// Quotes and lists are nested at most `MarkdownText.deepestNesting` levels.
    case nesting
    /// A text has at most `MarkdownText.longestText` bytes, and not too much markup between two
    /// blank lines.
    case size
    /// A sign of Markdown has an effect, or is escaped.
    case unparsed
  }

  package var rule: Rule
  /// A Boolean value that indicates whether the text can be published with the problem: readers see
  /// its signs.
  package var isWarning: Bool { rule == .unparsed }
  /// The rule and the text to type instead, without a full stop.
  package var message: String
  package var place: MarkdownPlace

  package init(_ rule: Rule, message: String, at place: MarkdownPlace) {
    (self.rule, self.message, self.place) = (rule, message, place)
  }
}
