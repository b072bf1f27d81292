import ContentModel
import Markdown

extension Evaluation {
  /// The value of a field of type `markdown`: blocks of runs, the text alone, and the page.
  func value(_ markdown: ResolvedMarkdown) -> Value {
    var members: Members = [
      "blocks": blocks(markdown.text.blocks), "plain": .string(markdown.text.plain),
    ]
    if markdown.hasPage { members["page"] = assets.pageValue(of: markdown, in: format) }
    return .dictionary(members)
  }

  private func blocks(_ blocks: [MarkdownText.Block]) -> Value { .array(blocks.map(block)) }

  private func block(_ block: MarkdownText.Block) -> Value {
    switch block {
    case .paragraph(let text): return ["type": "paragraph", "runs": runs(text)]
    case .heading(let level, let text):
      return ["type": "heading", "level": .integer(Int64(level)), "runs": runs(text)]
    case .quote(let parts): return ["type": "quote", "blocks": blocks(parts)]
    case .list(let start, let items):
      var members: Members = ["type": "list", "items": .array(items.map(blocks))]
      members["start"] = start.map { .integer(Int64($0)) }
      return .dictionary(members)
    case .code(let code):
      var members: Members = ["type": "code", "text": .string(code.text)]
      members["language"] = code.language.map { .string($0.text) }
      return .dictionary(members)
    case .rule: return ["type": "rule"]
    case .table(let table):
      return [
        "type": "table", "header": .array(table.header.map(runs)),
        "alignments": .array(table.alignments.map { .string($0?.rawValue ?? "natural") }),
        "rows": .array(table.rows.map { .array($0.map(runs)) }),
      ]
    }
  }

  private func runs(_ runs: [MarkdownText.Run]) -> Value { .array(runs.map(run)) }

  private func run(_ run: MarkdownText.Run) -> Value {
    var members: Members = ["text": .string(run.text)]
    for (key, style) in [
      ("strong", MarkdownText.Run.Style.strong), ("emphasis", .emphasis), ("code", .code),
      ("strikethrough", .strikethrough),
    ] where run.style.contains(style) {
      members[key] = true
    }
    switch run.link {
    case .address(let address): members["link"] = .string(address)
    case .entry(let id): members["link"] = .string(id.text)
    case nil: break
    }
    members["image"] = run.image.map { assets.value(of: $0.text, in: format) }
    return .dictionary(members)
  }
}
