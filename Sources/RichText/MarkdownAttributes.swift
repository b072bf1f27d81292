public import Foundation

/// The style of a stretch of attributed text.
///
/// ```swift
/// let isStrong = run.markdownStyle?.contains(.strong) ?? false
/// ```
public struct MarkdownStyle: OptionSet, Hashable, Sendable {
  /// The bits of the styles.
  public let rawValue: Int

  /// Creates styles from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Important text, usually bold.
  public static let strong = MarkdownStyle(rawValue: 1)
  /// Stressed text, usually italic.
  public static let emphasis = MarkdownStyle(rawValue: 2)
  /// Code, in a font whose characters have one width.
  public static let code = MarkdownStyle(rawValue: 4)
  /// Text that is struck through.
  public static let strikethrough = MarkdownStyle(rawValue: 8)
}

/// A block around a stretch of attributed text.
///
/// ```swift
/// let isInList = run.markdownBlocks?.contains { $0.kind == .unorderedList } ?? false
/// ```
public struct MarkdownBlock: Hashable, Sendable {
  /// The kinds of blocks, with the parts of lists and tables.
  public enum Kind: Hashable, Sendable {
    /// A paragraph.
    case paragraph
    /// A heading of a level.
    case heading(level: Int)
    /// A quotation.
    case quote
    /// A list with bullets.
    case unorderedList
    /// A list with numbers.
    case orderedList
    /// An item of a list, with its number.
    case listItem(ordinal: Int)
    /// Code, and the name of its language.
    case code(language: String?)
    /// A line between two parts.
    case rule
    /// A table with the alignment of its columns.
    case table(columns: [MarkdownValue.Table.Alignment])
    /// A row of a table; that of the header is 0.
    case tableRow(index: Int)
    /// A cell of a row, from 0.
    case tableCell(column: Int)
  }

  /// The kind of the block.
  public let kind: Kind
  /// The number of the block in its text: stretches with the same number are in the same block.
  public let identity: Int
}

/// The attribute with the style of a stretch.
public enum MarkdownStyleAttribute: AttributedStringKey {
  /// The type of the attribute.
  public typealias Value = MarkdownStyle
  /// The name of the attribute.
  public static let name = "contentc.markdownStyle"
}

/// The attribute with the blocks around a stretch, the innermost first.
public enum MarkdownBlocksAttribute: AttributedStringKey {
  /// The type of the attribute.
  public typealias Value = [MarkdownBlock]
  /// The name of the attribute.
  public static let name = "contentc.markdownBlocks"
}

extension AttributeScopes {
  /// The attributes of Markdown texts, which Foundation has on Apple systems only.
  public struct MarkdownAttributes: AttributeScope {
    /// The style of a stretch.
    public let markdownStyle: MarkdownStyleAttribute
    /// The blocks around a stretch, the innermost first.
    public let markdownBlocks: MarkdownBlocksAttribute
  }
}

extension AttributeDynamicLookup {
  /// Finds the attributes of Markdown texts by their names.
  public subscript<Key: AttributedStringKey>(
    dynamicMember keyPath: KeyPath<AttributeScopes.MarkdownAttributes, Key>
  ) -> Key { self[Key.self] }
}

#if canImport(Darwin)
  extension MarkdownStyle {
    /// The style as Foundation has it.
    var intent: InlinePresentationIntent {
      let pairs: [(MarkdownStyle, InlinePresentationIntent)] = [
        (.strong, .stronglyEmphasized), (.emphasis, .emphasized), (.code, .code),
        (.strikethrough, .strikethrough),
      ]
      return pairs.reduce(into: []) { if contains($1.0) { $0.insert($1.1) } }
    }
  }

  extension [MarkdownBlock] {
    /// The blocks as Foundation has them.
    var intent: PresentationIntent {
      PresentationIntent(
        types: map { PresentationIntent.IntentType(kind: $0.kind.intent, identity: $0.identity) })
    }
  }

  extension MarkdownBlock.Kind {
    fileprivate var intent: PresentationIntent.Kind {
      switch self {
      case .paragraph: .paragraph
      case .heading(let level): .header(level: level)
      case .quote: .blockQuote
      case .unorderedList: .unorderedList
      case .orderedList: .orderedList
      case .listItem(let ordinal): .listItem(ordinal: ordinal)
      case .code(let language): .codeBlock(languageHint: language)
      case .rule: .thematicBreak
      case .table(let columns):
        .table(columns: columns.map { PresentationIntent.TableColumn(alignment: $0.intent) })
      case .tableRow(0): .tableHeaderRow
      case .tableRow(let index): .tableRow(rowIndex: index)
      case .tableCell(let column): .tableCell(columnIndex: column)
      }
    }
  }

  extension MarkdownValue.Table.Alignment {
    fileprivate var intent: PresentationIntent.TableColumn.Alignment {
      switch self {
      case .natural, .left: .left
      case .center: .center
      case .right: .right
      }
    }
  }
#endif
