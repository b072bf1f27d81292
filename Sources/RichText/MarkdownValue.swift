public import ContentModel
import PropertyLists

/// A value of a field of type `markdown`: blocks of styled text, without markup.
///
/// ```swift
/// if let body = article.markdown("body") {
///   show(AttributedString(body))
///   index(words: body.plain)
/// }
/// ```
public struct MarkdownValue: Hashable, Sendable {
  /// The text without styles: blocks with blank lines between them, items of lists on lines.
  public let plain: String
  /// The blocks in order.
  public let blocks: [Block]

  /// A part of the text that begins on a line of its own.
  ///
  /// Later versions of the compiler may write other kinds; these are left out.
  public indirect enum Block: Hashable, Sendable {
    /// A paragraph.
    case paragraph([Run])
    /// A heading of a level from 1 to 4.
    case heading(level: Int, [Run])
    /// A quotation.
    case quote([Block])
    /// A list with the blocks of each item; `start` is the first number, or `nil` with bullets.
    case list(start: Int?, items: [[Block]])
    /// Lines of code, and the name of their language, if it is known.
    case code(String, language: String?)
    /// A line between two parts.
    case rule
    /// A table; each row has as many cells as the header.
    case table(Table)
  }

  /// A table, whose cells are runs of text.
  public struct Table: Hashable, Sendable {
    /// The alignment of a column's texts.
    public enum Alignment: String, Hashable, Sendable {
      /// The side at which lines begin in the text's language.
      case natural
      /// The left side.
      case left
      /// The middle.
      case center
      /// The right side.
      case right
    }

    /// The alignment of each column.
    public let alignments: [Alignment]
    /// The cells of the first row.
    public let header: [[Run]]
    /// The other rows, with the cells of each.
    public let rows: [[[Run]]]
  }

  /// A stretch of text with one style, or an image.
  public struct Run: Hashable, Sendable {
    /// The text, in which a line feed is a line break; of an image, the text in its place.
    public let text: String
    /// `true` if the text is important.
    public let isStrong: Bool
    /// `true` if the text is stressed.
    public let isEmphasized: Bool
    /// `true` if the text is code.
    public let isCode: Bool
    /// `true` if the text is struck through.
    public let isStruck: Bool
    /// The destination: an address with the scheme `https`, `mailto` or `tel`, or the id of an
    /// entry; `nil` for a text without a link.
    public let link: String?
    /// The value of the image's asset; `nil` for a text.
    public let image: Value?

    /// Compares texts byte by byte.
    public static func == (a: Run, b: Run) -> Bool {
      a.text.hasSameBytes(as: b.text) && a.link.hasSameBytes(as: b.link) && a.image == b.image
        && a.styles == b.styles
    }

    /// Hashes the text and the link.
    public func hash(into hasher: inout Hasher) {
      text.hashBytes(into: &hasher)
      link?.hashBytes(into: &hasher)
    }

    private var styles: [Bool] { [isStrong, isEmphasized, isCode, isStruck] }
  }

  /// Reads the value of a field of type `markdown`; `nil` for another value.
  public init?(_ value: Value) {
    guard let plain = value["plain"]?.text, let blocks = value["blocks"]?.items else { return nil }
    self.plain = plain
    self.blocks = Self.blocks(blocks, depth: 0)
  }

  /// Compares blocks.
  public static func == (a: MarkdownValue, b: MarkdownValue) -> Bool {
    a.plain.hasSameBytes(as: b.plain) && a.blocks == b.blocks
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { plain.hashBytes(into: &hasher) }
}

extension MarkdownValue: Decodable {
  /// Decodes the value of a field of type `markdown`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for another value.
  public init(from decoder: any Decoder) throws {
    guard let markdown = MarkdownValue(try Value(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "The value is no Markdown text."))
    }
    self = markdown
  }
}

// MARK: Reading

extension MarkdownValue {
  /// The compiler writes at most 32 levels; a foreign value may have any number.
  private static let mostLevels = 64

  private static func blocks(_ values: [Value], depth: Int) -> [Block] {
    depth > mostLevels ? [] : values.compactMap { block($0, depth: depth + 1) }
  }

  private static func block(_ value: Value, depth: Int) -> Block? {
    switch value["type"]?.text {
    case "paragraph"?: .paragraph(runs(value["runs"]))
    case "heading"?:
      .heading(level: min(max(1, value["level"]?.number ?? 1), 6), runs(value["runs"]))
    case "quote"?: .quote(blocks(value["blocks"]?.items ?? [], depth: depth))
    case "list"?:
      .list(
        start: value["start"]?.number,
        items: (value["items"]?.items ?? []).map { blocks($0.items ?? [], depth: depth) })
    case "code"?: .code(value["text"]?.text ?? "", language: value["language"]?.text)
    case "rule"?: .rule
    case "table"?: .table(Table(value))
    default: nil
    }
  }

  fileprivate static func runs(_ value: Value?) -> [Run] {
    (value?.items ?? []).map { Run($0) }
  }
}

extension MarkdownValue.Run {
  fileprivate init(_ value: Value) {
    func has(_ style: String) -> Bool { value[style]?.flag ?? false }
    text = value["text"]?.text ?? ""
    (isStrong, isEmphasized) = (has("strong"), has("emphasis"))
    (isCode, isStruck) = (has("code"), has("strikethrough"))
    (link, image) = (value["link"]?.text, value["image"])
  }
}

extension MarkdownValue.Table {
  fileprivate init(_ value: Value) {
    let header = (value["header"]?.items ?? []).map { MarkdownValue.runs($0) }
    func cells<Cell>(_ cells: [Cell], filledWith cell: Cell) -> [Cell] {
      Array((cells + Array(repeating: cell, count: header.count)).prefix(header.count))
    }
    self.header = header
    alignments = cells(
      (value["alignments"]?.items ?? []).map {
        $0.text.flatMap { Alignment(rawValue: $0) } ?? .natural
      }, filledWith: .natural)
    rows = (value["rows"]?.items ?? []).map { row in
      cells((row.items ?? []).map { MarkdownValue.runs($0) }, filledWith: [])
    }
  }
}
