package import ContentModel

/// A CommonMark text as blocks of runs, without markup.
package struct MarkdownText: Hashable, Sendable {
  /// The blocks, in order.
  package var blocks: [Block]
  /// The entries that links lead to and the assets that images show, in order of position.
  package var references: [Reference]

  package init(blocks: [Block], references: [Reference] = []) {
    (self.blocks, self.references) = (blocks, references)
  }
}

extension MarkdownText {
  /// A part of a text that begins in a line of its own.
  package indirect enum Block: Hashable, Sendable {
    case paragraph([Run])
    /// A heading of level 1 to 4.
    case heading(level: Int, runs: [Run])
    case quote([Block])
    /// A list with the blocks of each item; `start` is the first number, or `nil` with bullets.
    case list(start: Int?, items: [[Block]])
    case code(CodeBlock)
    /// A thematic break.
    case rule
    case table(Table)
  }

  /// Lines of code.
  package struct CodeBlock: Hashable, Sendable {
    /// The first word after the opening fence; `nil` if there is none.
    package var language: ExactString?
    /// The lines, each with its line feed.
    package var text: String

    package init(language: ExactString? = nil, text: String) {
      (self.language, self.text) = (language, text)
    }

    package static func == (a: CodeBlock, b: CodeBlock) -> Bool {
      a.language == b.language && a.text.hasSameBytes(as: b.text)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(language)
      text.hashBytes(into: &hasher)
    }
  }

  /// A table; each row has as many cells as the header.
  package struct Table: Hashable, Sendable {
    /// The side of a column on which its texts are aligned.
    package enum Alignment: String, Hashable, Sendable {
      case left, center, right
    }

    /// The alignment of each column; `nil` for the language's own.
    package var alignments: [Alignment?]
    package var header: [[Run]]
    package var rows: [[[Run]]]

    package init(alignments: [Alignment?], header: [[Run]], rows: [[[Run]]]) {
      (self.alignments, self.header, self.rows) = (alignments, header, rows)
    }
  }

  /// A stretch of text with equal attributes, or an image.
  package struct Run: Hashable, Sendable {
    /// The attributes of a run's text.
    package struct Style: OptionSet, Hashable, Sendable {
      package let rawValue: UInt8

      package init(rawValue: UInt8) { self.rawValue = rawValue }

      package static let strong = Style(rawValue: 1)
      package static let emphasis = Style(rawValue: 2)
      package static let code = Style(rawValue: 4)
      package static let strikethrough = Style(rawValue: 8)
    }

    /// The text, in which a line feed is a hard line break; for an image, the alternative text,
    /// which may be empty.
    package var text: String
    package var style: Style
    package var link: Link?
    /// The path of an image's asset below `assets/`.
    package var image: ExactString?
    /// The position of the run's first character in the source.
    package var position: MarkdownPosition

    package init(
      text: String, style: Style = [], link: Link? = nil, image: ExactString? = nil,
      position: MarkdownPosition = MarkdownPosition(line: 1, column: 1)
    ) {
      (self.text, self.style, self.link) = (text, style, link)
      (self.image, self.position) = (image, position)
    }

    package static func == (a: Run, b: Run) -> Bool {
      a.text.hasSameBytes(as: b.text) && a.style == b.style && a.link == b.link
        && a.image == b.image && a.position == b.position
    }

    package func hash(into hasher: inout Hasher) {
      text.hashBytes(into: &hasher)
      hasher.combine(style)
      hasher.combine(link)
      hasher.combine(image)
      hasher.combine(position)
    }
  }

  /// The destination of a link.
  package enum Link: Hashable, Sendable {
    /// An address with the scheme `https`, `mailto` or `tel`, in small letters.
    ///
    /// It has only characters of RFC 3986; others of the source are percent-encoded.
    case address(String)
    case entry(EntryID)
  }

  /// A use of an entry or an asset, whose existence the caller checks.
  package struct Reference: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
      case entry(EntryID)
      /// The path of an asset below `assets/`.
      case asset(ExactString)
    }

    package var target: Target
    /// The place of the destination in the source; of a reference link, that of the whole link.
    package var place: MarkdownPlace

    package init(target: Target, place: MarkdownPlace) {
      (self.target, self.place) = (target, place)
    }
  }
}
