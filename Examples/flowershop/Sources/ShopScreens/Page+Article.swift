import ContentClient

extension Page {
  /// Shows an article: the headings, paragraphs and lists of its text, and its links below them.
  init(article entry: Entry) {
    self.init(title: entry["title"]?.text ?? "")
    for block in entry.markdown("body")?.blocks ?? [] {
      lines += Self.lines(of: block, after: "") + [.space]
    }
  }

  /// Returns the lines of a block; `mark` is a bullet, a number or a quotation mark before it.
  private static func lines(of block: MarkdownValue.Block, after mark: String) -> [Line] {
    switch block {
    case .paragraph(let runs): [Line(mark + text(of: runs))] + links(in: runs)
    case .heading(let level, let runs):
      [Line(mark + text(of: runs), style: level <= 2 ? .title : .headline)] + links(in: runs)
    case .quote(let blocks): blocks.flatMap { lines(of: $0, after: mark + "“ ") }
    case .list(let start, let items):
      items.enumerated().flatMap { place, blocks in
        let mark = mark + (start.map { "\($0 + place). " } ?? "• ")
        return blocks.enumerated().flatMap { number, block in
          lines(of: block, after: number == 0 ? mark : "  ")
        }
      }
    case .code(let code, _): code.split(separator: "\n").map { Line(mark + $0) }
    case .rule: [Line("———", alignment: .center)]
    case .table(let table):
      ([table.header] + table.rows).map { row in
        Line(mark + row.map { text(of: $0) }.joined(separator: " | "))
      }
    }
  }

  private static func text(of runs: [MarkdownValue.Run]) -> String {
    runs.map { $0.image == nil ? $0.text : "[\($0.text)]" }.joined()
  }

  /// The entries that a text leads to; a terminal opens no addresses.
  private static func links(in runs: [MarkdownValue.Run]) -> [Line] {
    runs.compactMap { run in
      run.link.flatMap { EntryID($0) }.map { id in
        Line(run.text, style: .button, link: .place(Place(id)))
      }
    }
  }
}
