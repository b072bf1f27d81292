import ContentModel
import Markdown

/// A description of blocks as lines of text, to compare two origins of them.
struct TreeDescription {
  /// The attributes of a text.
  struct Style {
    var strong = false
    var emphasis = false
    var code = false
    var strike = false
    var link: String?
    var image: String?

    var signs: String {
      let flags = [(strong, "S"), (emphasis, "E"), (code, "C"), (strike, "D")]
      return flags.map { $0.0 ? $0.1 : "" }.joined() + (link.map { " link \($0)" } ?? "")
        + (image.map { " image \($0)" } ?? "")
    }
  }

  private(set) var lines: [String] = []
  private var runs: [(signs: String, text: String, isImage: Bool)] = []
  private var links = 0
  private(set) var problems: [MarkdownProblem.Rule: Int] = [:]

  // MARK: - Blocks of the module

  init(_ blocks: [MarkdownText.Block]) { add(blocks, indent: "") }

  private mutating func add(_ blocks: [MarkdownText.Block], indent: String) {
    for block in blocks {
      switch block {
      case .paragraph(let runs): add(runs, as: "\(indent)paragraph")
      case .heading(let level, let runs): add(runs, as: "\(indent)heading \(level)")
      case .quote(let inner):
        lines.append("\(indent)quote")
        add(inner, indent: indent + " ")
      case .list(let start, let items):
        lines.append("\(indent)list \(start.map(String.init) ?? "-")")
        for item in items {
          lines.append("\(indent) item")
          add(item, indent: indent + "  ")
        }
      case .code(let code):
        lines.append("\(indent)code \(code.language ?? "-") \(code.text.debugDescription)")
      case .rule: lines.append("\(indent)rule")
      case .table(let table):
        let alignments = table.alignments.map { $0?.rawValue ?? "-" }.joined(separator: " ")
        lines.append("\(indent)table \(alignments)")
        for row in [table.header] + table.rows {
          lines.append("\(indent) row")
          for cell in row { add(cell, as: "\(indent)  cell") }
        }
      }
    }
  }

  private mutating func add(_ runs: [MarkdownText.Run], as name: String) {
    for run in runs {
      let link: String? =
        switch run.link {
        case .address(let address)?: address
        case .entry(let id)?: id.text
        case nil: nil
        }
      let style = Style(
        strong: run.style.contains(.strong), emphasis: run.style.contains(.emphasis),
        code: run.style.contains(.code), strike: run.style.contains(.strikethrough), link: link,
        image: run.image?.text)
      self.runs.append((style.signs, run.text, run.image != nil))
    }
    endRuns(as: name)
  }

  /// Ends a block without joining: the module must have joined equal runs itself.
  private mutating func endRuns(as name: String) {
    lines.append(name)
    for run in runs { lines.append("  [\(run.signs)] \(run.text.debugDescription)") }
    runs = []
  }

  // MARK: - libcmark-gfm's own tree

  init(_ tree: CommonMarkTree) { add(tree.root.children, indent: "") }

  private mutating func add(_ nodes: [CommonMarkTree.Node], indent: String) {
    for node in nodes {
      switch node.name {
      case "paragraph":
        addInlines(of: node)
        if !runs.isEmpty { endRuns(as: "\(indent)paragraph") }
      case "heading":
        let level = Int(node.attributes["level"] ?? "") ?? 0
        if level > 4 { problems[.heading, default: 0] += 1 }
        addInlines(of: node)
        endRuns(as: "\(indent)heading \(min(level, 4))")
      case "block_quote":
        lines.append("\(indent)quote")
        add(node.children, indent: indent + " ")
      case "list":
        lines.append("\(indent)list \(node.attributes["start"] ?? "-")")
        for item in node.children {
          lines.append("\(indent) item")
          add(item.children, indent: indent + "  ")
        }
      case "code_block":
        let language = node.attributes["info"]?.unicodeScalars
          .split { " \t\n\r\u{C}".unicodeScalars.contains($0) }.first.map(String.init)
        lines.append("\(indent)code \(language ?? "-") \(node.text.debugDescription)")
      case "html_block": problems[.html, default: 0] += 1
      case "thematic_break": lines.append("\(indent)rule")
      case "table": addTable(node, indent: indent)
      default: lines.append("unknown \(node.name)")
      }
    }
  }

  private mutating func addTable(_ node: CommonMarkTree.Node, indent: String) {
    // cmark's XML writes the alignments only into the cells of the header.
    let alignments = node.children.first?.children.map { $0.attributes["align"] ?? "-" } ?? []
    lines.append("\(indent)table \(alignments.joined(separator: " "))")
    for row in node.children {
      lines.append("\(indent) row")
      for cell in row.children {
        addInlines(of: cell)
        endRuns(as: "\(indent)  cell")
      }
    }
  }

  private mutating func addInlines(of node: CommonMarkTree.Node) {
    addInlines(node.children, style: Style(), alternative: nil)
    runs.removeAll { $0.text.isEmpty && !$0.isImage }
    var joined: [(signs: String, text: String, isImage: Bool)] = []
    for run in runs {
      if let last = joined.last, last.signs == run.signs, !last.isImage, !run.isImage {
        joined[joined.count - 1].text += run.text
      } else {
        joined.append(run)
      }
    }
    runs = joined
  }

  private mutating func addInlines(
    _ nodes: [CommonMarkTree.Node], style: Style, alternative: Int?
  ) {
    for node in nodes {
      var inner = style
      switch node.name {
      case "text":
        // A line feed of a character reference is no hard line break.
        let text = String(node.text.map { $0 == "\n" ? " " : $0 })
        add(text, style: style, alternative: alternative)
      case "softbreak": add(" ", style: style, alternative: alternative)
      case "linebreak":
        add(alternative == nil ? "\n" : " ", style: style, alternative: alternative)
      case "code":
        inner.code = true
        add(node.text, style: inner, alternative: alternative)
      case "html_inline": problems[.html, default: 0] += 1
      case "emph":
        inner.emphasis = true
        addInlines(node.children, style: inner, alternative: alternative)
      case "strong":
        inner.strong = true
        addInlines(node.children, style: inner, alternative: alternative)
      case "strikethrough":
        inner.strike = true
        addInlines(node.children, style: inner, alternative: alternative)
      case "link":
        let destination = node.attributes["destination"] ?? ""
        inner.link = ExpectedDestination.link(destination)
        if inner.link == nil { problems[.link, default: 0] += 1 }
        if alternative == nil, !hasText(node) { problems[.link, default: 0] += 1 }
        if alternative == nil, links > 0 { problems[.link, default: 0] += 1 }
        links += 1
        defer { links -= 1 }
        addInlines(node.children, style: inner, alternative: alternative)
      case "image": addImage(node, style: style, alternative: alternative)
      default: lines.append("unknown \(node.name)")
      }
    }
  }

  private func hasText(_ node: CommonMarkTree.Node) -> Bool {
    node.children.contains {
      switch $0.name {
      case "text", "code": !$0.text.isEmpty
      case "softbreak", "linebreak": true
      case "image":
        ExpectedDestination.asset($0.attributes["destination"] ?? "") != nil || hasText($0)
      case "html_inline": false
      default: hasText($0)
      }
    }
  }

  private mutating func addImage(
    _ node: CommonMarkTree.Node, style: Style, alternative: Int?
  ) {
    let path = ExpectedDestination.asset(node.attributes["destination"] ?? "")
    if path == nil { problems[.image, default: 0] += 1 }
    var inner = style
    if alternative == nil { inner.image = path }
    let index = alternative ?? runs.count
    if alternative == nil { runs.append((inner.signs, "", path != nil)) }
    addInlines(node.children, style: inner, alternative: index)
  }

  private mutating func add(_ text: String, style: Style, alternative: Int?) {
    if let alternative {
      runs[alternative].text += text
    } else {
      runs.append((style.signs, text, false))
    }
  }
}

/// The rules for destinations, written a second time.
enum ExpectedDestination {
  static func link(_ text: String) -> String? {
    if text.wholeMatch(of: /[a-z0-9-]+(\/[a-z0-9-]+)+/) != nil { return text }
    guard text.unicodeScalars.allSatisfy({ $0.value > 32 && $0 != "\\" && $0 != "\u{FFFD}" }),
      !text.contains("\u{A0}"), text.firstMatch(of: /%(?![0-9A-Fa-f]{2})/) == nil
    else { return nil }
    if let match = text.wholeMatch(of: /((?i)https:)(\/\/[A-Za-z0-9._-]+(:[0-9]+)?([\/?#].*)?)/) {
      return "https:" + encoded(String(match.2))
    }
    if let match = text.wholeMatch(of: /((?i)mailto:)(.*@.*)/) {
      return "mailto:" + encoded(String(match.2))
    }
    if let match = text.wholeMatch(
      of: /((?i)tel:)([0-9A-Za-z+.()*;=,%-]*[0-9][0-9A-Za-z+.()*;=,%-]*)/)
    {
      return "tel:" + String(match.2)
    }
    return nil
  }

  static func asset(_ text: String) -> String? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isPath =
      text.firstMatch(of: /[\\\x00-\x1F\x7F\u{FFFD}\p{Cf}]/) == nil && parts.first != "assets"
      && parts.allSatisfy { !["", ".", ".."].contains($0) }
    return isPath && text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:/) == nil ? text : nil
  }

  private static func encoded(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if scalar.isASCII, !"\"<>[]^`{|}".unicodeScalars.contains(scalar) {
        return String(Character(scalar))
      }
      return String(Character(scalar)).utf8
        .map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }.joined()
  }
}
