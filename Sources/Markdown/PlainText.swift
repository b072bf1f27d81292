import ContentModel

extension MarkdownText {
  /// The text without markup, for searches, previews and length limits.
  ///
  /// A blank line separates blocks. In a list, a line feed separates items and their blocks; there
  /// are no bullets or numbers. A table has a line for each row, with tabs between cells. An image
  /// is its alternative text, a thematic break is omitted.
  package var plain: String { Self.plain(blocks, separator: "\n\n") }

  private static func plain(_ blocks: [Block], separator: String) -> String {
    var result = ""
    var isFirst = true
    for block in blocks {
      guard let text = plain(block, separator: separator), !text.isEmpty else { continue }
      if !isFirst { result += separator }
      result += text
      isFirst = false
    }
    return result
  }

  private static func plain(_ block: Block, separator: String) -> String? {
    switch block {
    case .paragraph(let runs), .heading(_, let runs): plain(runs)
    case .quote(let blocks): plain(blocks, separator: separator)
    case .list(_, let items): items.map { plain($0, separator: "\n") }.joined(separator: "\n")
    case .code(let code):
      code.text.hasByteSuffix("\n") ? String(code.text.dropLast()) : code.text
    case .rule: nil
    case .table(let table):
      ([table.header] + table.rows).map { $0.map(plain(_:)).joined(separator: "\t") }
        .joined(separator: "\n")
    }
  }

  static func plain(_ runs: [Run]) -> String {
    var result = ""
    for run in runs { result += run.text }
    return result
  }
}
