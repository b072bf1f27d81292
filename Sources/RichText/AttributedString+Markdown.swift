public import ContentModel
public import Foundation

extension AttributedString {
  /// The form of an attributed text.
  ///
  /// ```swift
  /// let text = AttributedString(body, layout: .lines)
  /// ```
  public enum MarkdownLayout: Hashable, Sendable {
    /// Blocks have the presentation intents of `AttributedString(markdown:)`, and nothing is
    /// between them: for views that lay out blocks.
    case blocks
    /// Blocks have blank lines between them, and items of lists have bullets or numbers: for views
    /// that show attributed text as it is, such as SwiftUI's `Text`.
    case lines
  }

  /// Creates an attributed text from a value of a field of type `markdown`.
  ///
  /// Strong, emphasized, struck and code are inline presentation intents. Links to entries have
  /// addresses such as `entry:product/rose`, which the app opens itself. An image is the text in its
  /// place.
  ///
  /// ```swift
  /// let text = AttributedString(body)
  /// ```
  public init(_ markdown: MarkdownValue, layout: MarkdownLayout = .blocks) {
    switch layout {
    case .blocks:
      var writer = IntentWriter()
      writer.append(markdown.blocks, in: [])
      self = writer.text
    case .lines:
      var writer = LineWriter()
      writer.append(markdown.blocks, indentation: "")
      self = writer.text
    }
  }

  fileprivate init(_ runs: [MarkdownValue.Run]) {
    self.init()
    for run in runs {
      var text = AttributedString(run.text)
      let intent = run.intent
      if !intent.isEmpty { text.inlinePresentationIntent = intent }
      text.link = run.address
      append(text)
    }
  }
}

extension MarkdownValue.Run {
  fileprivate var intent: InlinePresentationIntent {
    var intent: InlinePresentationIntent = []
    if isStrong { intent.insert(.stronglyEmphasized) }
    if isEmphasized { intent.insert(.emphasized) }
    if isCode { intent.insert(.code) }
    if isStruck { intent.insert(.strikethrough) }
    return intent
  }

  /// The address of the link; an entry's id has no colon.
  ///
  /// The schemes are checked here, too, since a value may be of any origin.
  fileprivate var address: URL? {
    guard let link else { return nil }
    if EntryID(link) != nil { return URL(string: "entry:\(link)") }
    let isKnown = ["https:", "mailto:", "tel:"].contains { link.utf8.starts(with: $0.utf8) }
    return isKnown ? URL(string: link) : nil
  }
}

/// The writer of blocks with presentation intents, each with a number of its own.
private struct IntentWriter {
  var text = AttributedString()
  private var identity = 0

  private typealias Kind = PresentationIntent.Kind

  /// Appends blocks inside others; `outer` is the innermost first.
  mutating func append(
    _ blocks: [MarkdownValue.Block], in outer: [PresentationIntent.IntentType]
  ) {
    for block in blocks { append(block, in: outer) }
  }

  private mutating func append(
    _ block: MarkdownValue.Block, in outer: [PresentationIntent.IntentType]
  ) {
    switch block {
    case .paragraph(let runs): append(AttributedString(runs), as: .paragraph, in: outer)
    case .heading(let level, let runs):
      append(AttributedString(runs), as: .header(level: level), in: outer)
    case .quote(let blocks): append(blocks, in: [next(.blockQuote)] + outer)
    case .list(let start, let items):
      let list = [next(start == nil ? .unorderedList : .orderedList)] + outer
      for (place, item) in items.enumerated() {
        let (ordinal, isTooLarge) = (start ?? 1).addingReportingOverflow(place)
        append(item, in: [next(.listItem(ordinal: isTooLarge ? .max : ordinal))] + list)
      }
    case .code(let code, let language):
      append(AttributedString(code), as: .codeBlock(languageHint: language), in: outer)
    case .rule: append(AttributedString("\u{2E3B}"), as: .thematicBreak, in: outer)
    case .table(let table): append(table, in: outer)
    }
  }

  private mutating func append(
    _ table: MarkdownValue.Table, in outer: [PresentationIntent.IntentType]
  ) {
    let columns = table.alignments.map { alignment in
      PresentationIntent.TableColumn(alignment: alignment.column)
    }
    let parent = [next(.table(columns: columns))] + outer
    for (place, row) in ([table.header] + table.rows).enumerated() {
      let kind: Kind = place == 0 ? .tableHeaderRow : .tableRow(rowIndex: place)
      let line = [next(kind)] + parent
      for (column, cell) in row.enumerated() {
        append(AttributedString(cell), as: .tableCell(columnIndex: column), in: line)
      }
    }
  }

  private mutating func append(
    _ part: AttributedString, as kind: Kind, in outer: [PresentationIntent.IntentType]
  ) {
    var part = part
    part.presentationIntent = PresentationIntent(types: [next(kind)] + outer)
    text.append(part)
  }

  private mutating func next(_ kind: Kind) -> PresentationIntent.IntentType {
    identity += 1
    return PresentationIntent.IntentType(kind: kind, identity: identity)
  }
}

extension MarkdownValue.Table.Alignment {
  fileprivate var column: PresentationIntent.TableColumn.Alignment {
    switch self {
    case .natural, .left: .left
    case .center: .center
    case .right: .right
    }
  }
}

/// The writer of blocks as lines.
private struct LineWriter {
  var text = AttributedString()

  mutating func append(_ blocks: [MarkdownValue.Block], indentation: String) {
    for (place, block) in blocks.enumerated() {
      if place > 0 { text.append(AttributedString("\n\n\(indentation)")) }
      append(block, indentation: indentation)
    }
  }

  private mutating func append(_ block: MarkdownValue.Block, indentation: String) {
    switch block {
    case .paragraph(let runs): text.append(AttributedString(runs))
    case .heading(_, let runs):
      var heading = AttributedString(runs)
      heading.inlinePresentationIntent = .stronglyEmphasized
      text.append(heading)
    case .quote(let blocks): append(blocks, indentation: indentation)
    case .list(let start, let items):
      for (place, item) in items.enumerated() {
        let mark = start.map { "\($0.addingReportingOverflow(place).partialValue). " } ?? "• "
        text.append(AttributedString((place > 0 ? "\n\(indentation)" : "") + mark))
        append(item, indentation: indentation + "    ")
      }
    case .code(let code, _):
      var part = AttributedString(code)
      part.inlinePresentationIntent = .code
      text.append(part)
    case .rule: text.append(AttributedString("\u{2E3B}"))
    case .table(let table):
      for (place, row) in ([table.header] + table.rows).enumerated() {
        if place > 0 { text.append(AttributedString("\n\(indentation)")) }
        for (column, cell) in row.enumerated() {
          if column > 0 { text.append(AttributedString("\t")) }
          text.append(AttributedString(cell))
        }
      }
    }
  }
}
