import ContentModel

/// A writer of HTML, in which every text and value of an attribute is escaped.
struct PageWriter {
  private(set) var html = ""
  let imageAddress: (String) -> String

  init(imageAddress: @escaping (String) -> String) { self.imageAddress = imageAddress }

  /// Adds markup of this module, which is not escaped.
  mutating func addMarkup(_ markup: StaticString) {
    html += markup.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds the start of an element, with attributes in the order given.
  mutating func begin(
    _ element: StaticString, with attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    addMarkup("<")
    addMarkup(element)
    for (name, value) in attributes {
      addMarkup(" ")
      addMarkup(name)
      addMarkup("=\"")
      addText(value)
      addMarkup("\"")
    }
    addMarkup(">")
  }

  mutating func end(_ element: StaticString) {
    addMarkup("</")
    addMarkup(element)
    addMarkup(">")
  }

  mutating func addMeta(_ attributes: KeyValuePairs<StaticString, String>) {
    begin("meta", with: attributes)
    addMarkup("\n")
  }

  /// Adds a style sheet, which has no signs to escape.
  mutating func addStyle(_ style: String) {
    html += "<style>\(style)</style>\n"
  }

  /// Adds text, escaped for the content of elements and for values in double quotes.
  mutating func addText(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
      case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
      case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
      case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
      case UInt8(ascii: "'"): bytes += Array("&#39;".utf8)
      default: bytes.append(byte)
      }
    }
    html += String(decoding: bytes, as: UTF8.self)
  }
}

// Blocks.
extension PageWriter {
  mutating func add(_ blocks: [MarkdownText.Block]) {
    for block in blocks {
      add(block)
      addMarkup("\n")
    }
  }

  private mutating func add(_ block: MarkdownText.Block) {
    switch block {
    case .paragraph(let runs): add(runs, in: "p")
    case .heading(let level, let runs):
      switch level {
      case 1: add(runs, in: "h1")
      case 2: add(runs, in: "h2")
      case 3: add(runs, in: "h3")
      default: add(runs, in: "h4")
      }
    case .quote(let blocks):
      addMarkup("<blockquote>\n")
      add(blocks)
      addMarkup("</blockquote>")
    case .list(let start, let items): addList(items, start: start)
    case .code(let code):
      addMarkup("<pre><code>")
      addText(code.text)
      addMarkup("</code></pre>")
    case .rule: addMarkup("<hr>")
    case .table(let table): add(table)
    }
  }

  private mutating func add(_ runs: [MarkdownText.Run], in element: StaticString) {
    begin(element)
    add(runs)
    end(element)
  }

  private mutating func addList(_ items: [[MarkdownText.Block]], start: Int?) {
    let element: StaticString = start == nil ? "ul" : "ol"
    if let start, start != 1 { begin(element, with: ["start": "\(start)"]) } else { begin(element) }
    addMarkup("\n")
    for item in items {
      addMarkup("<li>\n")
      add(item)
      addMarkup("</li>\n")
    }
    end(element)
  }

  private mutating func add(_ table: MarkdownText.Table) {
    addMarkup("<div class=\"table\"><table>\n<thead>\n")
    addRow(table.header, element: "th", alignments: table.alignments)
    addMarkup("</thead>\n<tbody>\n")
    for row in table.rows { addRow(row, element: "td", alignments: table.alignments) }
    addMarkup("</tbody>\n</table></div>")
  }

  private mutating func addRow(
    _ cells: [[MarkdownText.Run]], element: StaticString,
    alignments: [MarkdownText.Table.Alignment?]
  ) {
    addMarkup("<tr>")
    for (index, runs) in cells.enumerated() {
      let alignment = index < alignments.count ? alignments[index] : nil
      if let alignment {
        begin(element, with: ["class": alignment.rawValue])
      } else {
        begin(element)
      }
      add(runs)
      end(element)
    }
    addMarkup("</tr>\n")
  }
}

// Runs.
extension PageWriter {
  private mutating func add(_ runs: [MarkdownText.Run]) {
    var link: MarkdownText.Link?
    for run in runs {
      if run.link != link {
        if link != nil { end("a") }
        if let next = run.link { begin(next) }
        link = run.link
      }
      add(run)
    }
    if link != nil { end("a") }
  }

  private mutating func begin(_ link: MarkdownText.Link) {
    let address =
      switch link {
      case .address(let address): address
      case .entry(let id): "entry:\(id)"
      }
    begin("a", with: ["href": address, "rel": "noopener noreferrer"])
  }

  private mutating func add(_ run: MarkdownText.Run) {
    if let path = run.image {
      return begin("img", with: ["src": imageAddress(path.text), "alt": run.text])
    }
    let elements: [(style: MarkdownText.Run.Style, element: StaticString)] = [
      (.strong, "strong"), (.emphasis, "em"), (.strikethrough, "del"), (.code, "code"),
    ]
    let used = elements.filter { run.style.contains($0.style) }
    for (_, element) in used { begin(element) }
    for (index, line) in run.text.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { addMarkup("<br>\n") }
      addText(String(line))
    }
    for (_, element) in used.reversed() { end(element) }
  }
}
