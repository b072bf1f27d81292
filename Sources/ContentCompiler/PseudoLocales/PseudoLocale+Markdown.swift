import ContentModel
package import Markdown

extension PseudoLocale {
  /// Returns a text with the same blocks, links and images, and with other texts in its runs.
  ///
  /// Code stays as it is. Each paragraph, heading and cell is a text of its own.
  package func markdown(_ source: MarkdownText, as form: Form = .full) -> MarkdownText {
    MarkdownText(blocks: blocks(source.blocks, as: form), references: source.references)
  }

  private func blocks(_ blocks: [MarkdownText.Block], as form: Form) -> [MarkdownText.Block] {
    blocks.map { block in
      switch block {
      case .paragraph(let text): .paragraph(runs(text, as: form))
      case .heading(let level, let text): .heading(level: level, runs: runs(text, as: form))
      case .quote(let parts): .quote(self.blocks(parts, as: form))
      case .list(let start, let items):
        .list(start: start, items: items.map { self.blocks($0, as: form) })
      case .code, .rule: block
      case .table(let table):
        .table(
          MarkdownText.Table(
            alignments: table.alignments, header: table.header.map { runs($0, as: form) },
            rows: table.rows.map { $0.map { runs($0, as: form) } }))
      }
    }
  }

  private func runs(_ source: [MarkdownText.Run], as form: Form) -> [MarkdownText.Run] {
    let places = source.indices.filter { !source[$0].style.contains(.code) }
    var runs = source
    for (place, text) in zip(places, changed(places.map { Array(source[$0].text.utf8) })) {
      runs[place].text = String(decoding: text, as: UTF8.self)
    }
    guard self == .accented, form != .plain else { return runs }
    // The alternative text of an image is not part of the line.
    let shown = places.filter { source[$0].image == nil }
    guard let first = shown.first, let last = shown.last else { return runs }
    let count = shown.reduce(0) { $0 + source[$1].text.unicodeScalars.count }
    runs[first].text = "[" + runs[first].text
    runs[last].text += (form == .full ? Self.words(lengthening: count) : "") + "]"
    return runs
  }
}
