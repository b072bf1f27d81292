import ContentModel
public import Foundation

extension AttributedString {
  /// The form of an attributed text.
  ///
  /// ```swift
  /// let text = AttributedString(body, layout: .lines)
  /// ```
  public enum MarkdownLayout: Hashable, Sendable {
    /// Nothing is between blocks, whose attributes tell them apart: for views that lay out blocks.
    case blocks
    /// Blocks have blank lines between them, and items of lists have bullets or numbers: for views
    /// that show attributed text as it is, such as SwiftUI's `Text`.
    case lines
  }

  /// Creates an attributed text from a value of a field of type `markdown`.
  ///
  /// `markdownStyle` and `markdownBlocks` are its attributes; on Apple systems, so are
  /// `inlinePresentationIntent` and `presentationIntent`. Links to entries have addresses such as
  /// `entry:product/rose`, which the app opens itself. An image is the text in its place, with the
  /// path of its file below the site as `imageURL`.
  ///
  /// ```swift
  /// let text = AttributedString(body)
  /// ```
  public init(_ markdown: MarkdownValue, layout: MarkdownLayout = .blocks) {
    switch layout {
    case .blocks:
      var writer = BlockWriter()
      writer.append(markdown.blocks, in: [])
      self = writer.text
    case .lines:
      var writer = LineWriter()
      writer.append(markdown.blocks, indentation: "")
      self = writer.text
    }
  }

  fileprivate init(_ runs: [MarkdownValue.Run], with more: MarkdownStyle = []) {
    self.init()
    for run in runs {
      var text = AttributedString(run.text)
      text.setStyle(run.style.union(more))
      text.link = run.address
      text.imageURL = run.imagePath.flatMap { URL(string: $0) }
      append(text)
    }
  }

  fileprivate mutating func setStyle(_ style: MarkdownStyle) {
    guard !style.isEmpty else { return }
    self.markdownStyle = style
    #if canImport(Darwin)
      self.inlinePresentationIntent = style.intent
    #endif
  }
}

extension MarkdownValue.Run {
  fileprivate var style: MarkdownStyle {
    var style: MarkdownStyle = []
    if isStrong { style.insert(.strong) }
    if isEmphasized { style.insert(.emphasis) }
    if isCode { style.insert(.code) }
    if isStruck { style.insert(.strikethrough) }
    return style
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

  /// The path of the image's file at the least scale.
  fileprivate var imagePath: String? {
    image?["scales"]?.members?.first.flatMap { $0.value["path"]?.text }
  }
}

/// The writer of blocks with attributes.
private struct BlockWriter {
  var text = AttributedString()
  private var identity = 0

  /// Appends blocks inside others; `outer` is the innermost first.
  mutating func append(_ blocks: [MarkdownValue.Block], in outer: [MarkdownBlock]) {
    for block in blocks { append(block, in: outer) }
  }

  private mutating func append(_ block: MarkdownValue.Block, in outer: [MarkdownBlock]) {
    switch block {
    case .paragraph(let runs): append(AttributedString(runs), as: .paragraph, in: outer)
    case .heading(let level, let runs):
      append(AttributedString(runs), as: .heading(level: level), in: outer)
    case .quote(let blocks): append(blocks, in: [next(.quote)] + outer)
    case .list(let start, let items):
      let list = [next(start == nil ? .unorderedList : .orderedList)] + outer
      for (place, item) in items.enumerated() {
        let (ordinal, isTooLarge) = (start ?? 1).addingReportingOverflow(place)
        append(item, in: [next(.listItem(ordinal: isTooLarge ? .max : ordinal))] + list)
      }
    case .code(let code, let language):
      append(AttributedString(code), as: .code(language: language), in: outer)
    case .rule: append(AttributedString("\u{2E3B}"), as: .rule, in: outer)
    case .table(let table): append(table, in: outer)
    }
  }

  private mutating func append(_ table: MarkdownValue.Table, in outer: [MarkdownBlock]) {
    let parent = [next(.table(columns: table.alignments))] + outer
    for (index, row) in ([table.header] + table.rows).enumerated() {
      let line = [next(.tableRow(index: index))] + parent
      for (column, cell) in row.enumerated() {
        append(AttributedString(cell), as: .tableCell(column: column), in: line)
      }
    }
  }

  private mutating func append(
    _ part: AttributedString, as kind: MarkdownBlock.Kind, in outer: [MarkdownBlock]
  ) {
    let blocks = [next(kind)] + outer
    var part = part
    part.markdownBlocks = blocks
    #if canImport(Darwin)
      part.presentationIntent = blocks.intent
    #endif
    text.append(part)
  }

  private mutating func next(_ kind: MarkdownBlock.Kind) -> MarkdownBlock {
    identity += 1
    return MarkdownBlock(kind: kind, identity: identity)
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
    case .heading(_, let runs): text.append(AttributedString(runs, with: .strong))
    case .quote(let blocks): append(blocks, indentation: indentation)
    case .list(let start, let items):
      for (place, item) in items.enumerated() {
        let mark = start.map { "\($0.addingReportingOverflow(place).partialValue). " } ?? "• "
        text.append(AttributedString((place > 0 ? "\n\(indentation)" : "") + mark))
        append(item, indentation: indentation + "    ")
      }
    case .code(let code, _):
      var part = AttributedString(code)
      part.setStyle(.code)
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
