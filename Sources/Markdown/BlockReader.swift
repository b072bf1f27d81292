import CMark
import ContentModel

/// A reader that turns the tree of libcmark-gfm into blocks.
///
/// It walks over the tree by the library's iterator and keeps the open blocks in an array, so that
/// no depth of nesting needs stack.
struct BlockReader {
  static let nestingMessage =
    "quotes and lists must be nested at most \(MarkdownText.deepestNesting) levels deep; "
    + "remove some of the signs before the text"

  static let htmlMessage =
    "a Markdown text must not hold HTML; write Markdown instead, or \\< for the sign '<'"

  /// The deepest level of headings.
  private static let deepestHeading = 4

  private enum Container {
    case document
    case quote
    case list(start: Int?, items: [[MarkdownText.Block]])
    case item
    case table(MarkdownText.Table)
    case row(isHeader: Bool, cells: [[MarkdownText.Run]])
  }

  private let source: SourceText
  private let options: MarkdownOptions
  private var open: [(container: Container, blocks: [MarkdownText.Block])] = []
  private var depth = 0
  private var blocks: [MarkdownText.Block] = []
  /// The ranges of the cells of the row that is read, in each way in which it can be divided.
  private var cellRanges: [[Range<Int>]] = []
  private var references: [MarkdownText.Reference] = []
  private var problems: [MarkdownProblem] = []
  private var entities = EntityDecoder()
  /// The number of blocks for whose runs no position was found.
  private(set) var lostPositions = 0

  init(_ source: SourceText, options: MarkdownOptions) {
    (self.source, self.options) = (source, options)
  }

  var text: MarkdownText {
    let sorted = references.enumerated().sorted {
      ($0.element.place.position, $0.offset) < ($1.element.place.position, $1.offset)
    }
    return MarkdownText(blocks: blocks, references: sorted.map(\.element))
  }

  var sortedProblems: [MarkdownProblem] {
    problems.enumerated()
      .sorted {
        ($0.element.place.position, $0.offset) < ($1.element.place.position, $1.offset)
      }
      .map(\.element)
  }

  private mutating func report(
    _ rule: MarkdownProblem.Rule, message: String, at range: Range<Int>
  ) {
    problems.append(MarkdownProblem(rule, message: message, at: source.place(of: range)))
  }

  mutating func read() {
    let tree = SyntaxTree(of: source.bytes, options: options)
    guard let root = tree.root, let iterator = cmark_iter_new(root) else { return }
    defer { cmark_iter_free(iterator) }
    while true {
      let event = cmark_iter_next(iterator)
      guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(iterator) else { return }
      if event == CMARK_EVENT_ENTER {
        enter(node, iterator: iterator)
      } else {
        leave(node)
      }
    }
  }
}

// Blocks that hold others.
extension BlockReader {
  private mutating func enter(_ node: OpaquePointer, iterator: OpaquePointer) {
    switch SyntaxTree.kind(of: node) {
    case .document: open.append((.document, []))
    case .quote: beginNesting(.quote, node: node, iterator: iterator)
    case .list:
      let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      let start = isOrdered ? Int(cmark_node_get_list_start(node)) : nil
      beginNesting(.list(start: start, items: []), node: node, iterator: iterator)
    case .item: open.append((.item, []))
    case .paragraph:
      reportTable(in: node)
      let runs = readRuns(of: node, map: paragraphMap(of: node), iterator: iterator)
      // Of raw HTML alone, nothing is left.
      if !runs.isEmpty { append(.paragraph(runs)) }
    case .heading: readHeading(node, iterator: iterator)
    case .code: append(.code(code(of: node)))
    case .html:
      report(.html, message: Self.htmlMessage, at: restOfLine(of: node))
    case .rule: append(.rule)
    case .table: beginTable(node)
    case .headerRow: beginRow(node, isHeader: true)
    case .row: beginRow(node, isHeader: false)
    case .cell: readCell(node, iterator: iterator)
    case .text, .softBreak, .lineBreak, .codeSpan, .inlineHTML, .emphasis, .strong, .link, .image,
      .strikethrough, .other:
      break
    }
  }

  private mutating func beginNesting(
    _ container: Container, node: OpaquePointer, iterator: OpaquePointer
  ) {
    guard depth < MarkdownText.deepestNesting else {
      report(.nesting, message: Self.nestingMessage, at: restOfLine(of: node))
      return cmark_iter_reset(iterator, node, CMARK_EVENT_EXIT)
    }
    depth += 1
    open.append((container, []))
  }

  private mutating func leave(_ node: OpaquePointer) {
    switch SyntaxTree.kind(of: node) {
    case .document, .quote, .list, .item, .table, .headerRow, .row: break
    default: return
    }
    guard let (container, inner) = open.popLast() else { return }
    switch container {
    case .document: blocks = inner
    case .quote:
      depth -= 1
      append(.quote(inner))
    case .list(let start, let items):
      depth -= 1
      append(.list(start: start, items: items))
    case .item:
      guard case .list(let start, var items) = open.last?.container else { return }
      // A list that is written in place is not copied for each item.
      open[open.count - 1].container = .item
      items.append(inner)
      open[open.count - 1].container = .list(start: start, items: items)
    case .table(let table): append(.table(table))
    case .row(let isHeader, let cells):
      guard case .table(var table) = open.last?.container else { return }
      open[open.count - 1].container = .item
      if isHeader { table.header = cells } else { table.rows.append(cells) }
      open[open.count - 1].container = .table(table)
    }
  }

  private mutating func append(_ block: MarkdownText.Block) {
    if !open.isEmpty { open[open.count - 1].blocks.append(block) }
  }
}

// Blocks that hold text.
extension BlockReader {
  private mutating func readHeading(_ node: OpaquePointer, iterator: OpaquePointer) {
    let level = Int(cmark_node_get_heading_level(node))
    if level > Self.deepestHeading {
      let start = offset(of: node)
      report(
        .heading,
        message: "a heading must have at most \(Self.deepestHeading) '#'; write "
          + String(repeating: "#", count: Self.deepestHeading),
        at: start..<start + level)
    }
    let map = headingMap(of: node) ?? paragraphMap(of: node)
    let runs = readRuns(of: node, map: map, iterator: iterator)
    append(.heading(level: min(level, Self.deepestHeading), runs: runs))
  }

  /// Reports the lines of a table in a paragraph, whose field has no tables.
  private mutating func reportTable(in node: OpaquePointer) {
    guard !options.tables else { return }
    let first = line(of: node)
    let last = min(Int(cmark_node_get_end_line(node)) - 1, source.lines.count - 1)
    guard first < last else { return }
    let pipe = UInt8(ascii: "|")
    let header = (first..<last).first { line in
      let (text, marks) = (source.lines[line], source.lines[line + 1])
      return source.bytes[text].contains(pipe) && source.bytes[marks].contains(pipe)
        && textStarts(in: marks).contains {
          TableRow.isMarkerRow($0..<marks.upperBound, of: source.bytes)
        }
    }
    guard let header else { return }
    report(
      .unparsed,
      message:
        "readers see the signs of this table; add 'tables: true' to its field, or write it as a list",
      at: (textStarts(in: source.lines[header]).first ?? 0)..<source.lines[header].upperBound)
  }

  private func code(of node: OpaquePointer) -> MarkdownText.CodeBlock {
    let info = SyntaxTree.withBytes(of: cmark_node_get_fence_info(node)) { bytes in
      String(decoding: bytes.prefix { !$0.isTrimmed }, as: UTF8.self)
    }
    let text = SyntaxTree.withBytes(of: cmark_node_get_literal(node)) {
      String(decoding: $0, as: UTF8.self)
    }
    return MarkdownText.CodeBlock(
      language: info.isEmpty ? nil : ExactString(info), text: text)
  }

  private mutating func beginTable(_ node: OpaquePointer) {
    let count = Int(cmark_gfm_extensions_get_table_columns(node))
    let signs = cmark_gfm_extensions_get_table_alignments(node)
    let alignments = (0..<count).map { index -> MarkdownText.Table.Alignment? in
      switch signs?[index] {
      case UInt8(ascii: "l"): .left
      case UInt8(ascii: "c"): .center
      case UInt8(ascii: "r"): .right
      default: nil
      }
    }
    open.append((.table(.init(alignments: alignments, header: [], rows: [])), []))
  }

  private mutating func beginRow(_ node: OpaquePointer, isHeader: Bool) {
    open.append((.row(isHeader: isHeader, cells: []), []))
    if isHeader {
      cellRanges = headerCells(of: node)
    } else {
      let line = source.lines[line(of: node)]
      cellRanges = textStarts(in: line).map {
        TableRow.cells(in: $0..<line.upperBound, of: source.bytes)
      }
    }
  }

  private mutating func readCell(_ node: OpaquePointer, iterator: OpaquePointer) {
    guard case .row(let isHeader, var cells) = open.last?.container else { return }
    open[open.count - 1].container = .item
    let map = SyntaxTree.withContent(of: node) { content -> ContentMap? in
      for ranges in cellRanges where cells.count < ranges.count {
        let range = ranges[cells.count]
        let map = ContentMap(
          of: Array(content)[...], in: source, at: range.lowerBound, end: range.upperBound,
          unescapesPipes: true)
        if let map { return map }
      }
      return nil
    }
    cells.append(readRuns(of: node, map: map, iterator: iterator))
    open[open.count - 1].container = .row(isHeader: isHeader, cells: cells)
  }

  private mutating func readRuns(
    of node: OpaquePointer, map: ContentMap?, iterator: OpaquePointer
  ) -> [MarkdownText.Run] {
    SyntaxTree.withContent(of: node) { content in
      let map = map ?? ContentMap(at: offset(of: node))
      var inlines = InlineReader(content, map: map, source: source)
      inlines.read(until: node, iterator: iterator, entities: &entities)
      inlines.reportUnparsedSigns(options)
      problems += inlines.problems
      references += inlines.references
      if !inlines.isAligned || !map.isExact, !inlines.isEmpty { lostPositions += 1 }
      return inlines.runs
    }
  }
}

// Places.
extension BlockReader {
  private func line(of node: OpaquePointer) -> Int {
    min(max(Int(cmark_node_get_start_line(node)) - 1, 0), source.lines.count - 1)
  }

  /// Returns the offset at which libcmark-gfm lets a block begin, which is right outside tables.
  private func offset(of node: OpaquePointer) -> Int {
    let line = source.lines[line(of: node)]
    let column = max(Int(cmark_node_get_start_column(node)) - 1, 0)
    return min(line.lowerBound + column, line.upperBound)
  }

  private func restOfLine(of node: OpaquePointer) -> Range<Int> {
    let start = offset(of: node)
    return start..<max(start, source.lines[line(of: node)].upperBound)
  }

  private func paragraphMap(of node: OpaquePointer) -> ContentMap? {
    SyntaxTree.withContent(of: node) { content in
      guard cmark_node_get_start_line(node) > 0 else {
        return mapBeforeTable(node, content: content)
      }
      return ContentMap(
        ofParagraph: content, in: source, from: line(of: node), start: offset(of: node),
        through: Int(cmark_node_get_end_line(node)) - 1)
    }
  }

  /// Returns the map of a heading that begins with `#`.
  private func headingMap(of node: OpaquePointer) -> ContentMap? {
    let line = source.lines[line(of: node)]
    var start = offset(of: node)
    guard start < line.upperBound, source.bytes[start] == UInt8(ascii: "#") else { return nil }
    while start < line.upperBound, source.bytes[start] == UInt8(ascii: "#") { start += 1 }
    while start < line.upperBound, source.bytes[start].isBlank { start += 1 }
    return SyntaxTree.withContent(of: node) { content in
      let text = Array(content)
      let trimmed = text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
      return ContentMap(of: trimmed, in: source, at: start, end: line.upperBound)
    }
  }

  /// Returns the map of the paragraph that libcmark-gfm makes of the lines before a table's header.
  ///
  /// It has no position; the table has the position of its first line, and `\|` is `|` in it.
  private func mapBeforeTable(
    _ node: OpaquePointer, content: UnsafeBufferPointer<UInt8>
  ) -> ContentMap? {
    guard let table = cmark_node_next(node) else { return nil }
    let ranges = ContentMap.lines(of: content)
    let first = line(of: table)
    // Definitions of references can precede the paragraph; more than these are not looked at.
    for start in first...first + 8 {
      var map: ContentMap?
      var matched = 0
      for (index, range) in ranges.enumerated() where start + index < source.lines.count {
        let line = source.lines[start + index]
        let starts = start + index == first ? [offset(of: table)] : textStarts(in: line)
        let part = starts.lazy.compactMap { begin in
          lineMap(of: content, range, at: begin, end: line.upperBound)
        }.first
        guard let part else { break }
        if map == nil { map = part } else { map?.append(part) }
        matched += 1
      }
      if matched == ranges.count { return map }
    }
    return nil
  }

  private func lineMap(
    of content: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, at start: Int, end: Int
  ) -> ContentMap? {
    let indentation = content[range].prefix(while: \.isBlank).count
    return ContentMap(
      of: Array(content[range].dropFirst(indentation))[...], in: source, at: start, end: end,
      unescapesPipes: true, contentStart: range.lowerBound + indentation)
  }

  /// Returns the offsets at which the text of a line can begin: behind the signs of quotes and the
  /// indentation; and behind the indentation alone, because `>` is text if it is indented deeply.
  private func textStarts(in line: Range<Int>) -> [Int] {
    let bytes = source.bytes
    let text = line.first { !bytes[$0].isBlank && bytes[$0] != UInt8(ascii: ">") }
    let sign = line.first { !bytes[$0].isBlank }
    return [text ?? line.upperBound, sign ?? line.upperBound]
  }

  /// Returns the ranges of the cells of a table's header.
  ///
  /// libcmark-gfm gives it the first line of the table, even if that is a line of text before it.
  private func headerCells(of node: OpaquePointer) -> [[Range<Int>]] {
    guard let table = cmark_node_parent(node) else { return [] }
    let first = line(of: table)
    let columns = Int(cmark_gfm_extensions_get_table_columns(table))
    let candidates: Range<Int>
    if let row = cmark_node_next(node) {
      let header = line(of: row) - 2
      candidates = header..<header + 1
    } else {
      candidates = first..<max(first, min(Int(cmark_node_get_end_line(table)), source.lines.count))
    }
    var found: [[Range<Int>]] = []
    for index in candidates where index >= first && index + 1 < source.lines.count {
      let (line, marks) = (source.lines[index], source.lines[index + 1])
      let isMarked = textStarts(in: marks).contains {
        TableRow.isMarkerRow($0..<marks.upperBound, of: source.bytes)
      }
      guard isMarked else { continue }
      let starts = index == first ? [offset(of: table)] : textStarts(in: line)
      found += starts.map { TableRow.cells(in: $0..<line.upperBound, of: source.bytes) }
        .filter { $0.count == columns }
    }
    return found
  }
}
