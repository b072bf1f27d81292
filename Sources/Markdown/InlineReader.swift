import CMark
import ContentModel

/// A reader that turns the inline nodes of a block into runs.
struct InlineReader {
  private struct OpenLink {
    var link: MarkdownText.Link?
    /// The number of the link in its block, from 1 on.
    var number: Int
    /// The offset of the link's first sign in the content.
    var start: Int
    var isAutolink: Bool
    /// The destination, as libcmark-gfm decoded it.
    var destination: Result<MarkdownText.Link, Destination.Fault>
    /// A Boolean value that indicates whether the link has a text or an image.
    var hasText = false
  }

  private struct OpenImage {
    var start: Int
    var alternative = ""
    var path: Result<String, Destination.Fault>
  }

  private let content: UnsafeBufferPointer<UInt8>
  private let map: ContentMap
  private let source: SourceText
  private var cursor: InlineCursor
  private var collector = RunCollector()
  private(set) var problems: [MarkdownProblem] = []
  /// The signs of Markdown in the block's texts, which have no effect.
  private var unparsed = UnparsedSigns()
  private(set) var references: [MarkdownText.Reference] = []

  // The numbers of open nodes of each kind: nodes of the same kind can be nested.
  private var strong = 0
  private var emphasis = 0
  private var strikethrough = 0
  private var links: [OpenLink] = []
  private var images: [OpenImage] = []
  /// The number of links up to now.
  private var linkCount = 0

  init(_ content: UnsafeBufferPointer<UInt8>, map: ContentMap, source: SourceText) {
    (self.content, self.map, self.source) = (content, map, source)
    cursor = InlineCursor(content)
  }

  var runs: [MarkdownText.Run] { collector.runs }
  /// A Boolean value that indicates whether the block has neither runs nor problems.
  var isEmpty: Bool { runs.isEmpty && problems.isEmpty }
  var isAligned: Bool { cursor.isAligned }

  /// Reads the nodes from the iterator up to the end of a block.
  mutating func read(
    until block: OpaquePointer, iterator: OpaquePointer, entities: inout EntityDecoder
  ) {
    while true {
      let event = cmark_iter_next(iterator)
      guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(iterator), node != block
      else { return }
      if event == CMARK_EVENT_ENTER {
        enter(node, entities: &entities)
      } else {
        leave(node)
      }
    }
  }
}

extension InlineReader {
  private mutating func enter(_ node: OpaquePointer, entities: inout EntityDecoder) {
    let start = cursor.offset
    switch SyntaxTree.kind(of: node) {
    case .text:
      let text = SyntaxTree.withBytes(of: cmark_node_get_literal(node)) { bytes in
        cursor.passText(bytes, isAutolink: links.last?.isAutolink ?? false, entities: &entities)
        return Self.text(of: bytes)
      }
      if cursor.isAligned, links.last?.isAutolink != true {
        unparsed.add(start..<cursor.offset, of: content)
      }
      add(text, at: start)
    case .softBreak:
      cursor.passLineBreak()
      add(" ", at: start)
    case .lineBreak:
      cursor.passLineBreak()
      add(images.isEmpty ? "\n" : " ", at: start)
    case .codeSpan:
      let text = SyntaxTree.withBytes(of: cmark_node_get_literal(node)) {
        String(decoding: $0, as: UTF8.self)
      }
      cursor.passCode()
      add(text, at: start, isCode: true)
    case .inlineHTML: passHTML(node)
    case .emphasis:
      emphasis += 1
      cursor.passEmphasis(count: 1)
    case .strong:
      strong += 1
      cursor.passEmphasis(count: 2)
    case .strikethrough:
      strikethrough += 1
      cursor.beginStrikethrough()
    case .link: beginLink(node)
    case .image: beginImage(node)
    default: break
    }
  }

  private mutating func leave(_ node: OpaquePointer) {
    switch SyntaxTree.kind(of: node) {
    case .emphasis:
      emphasis -= 1
      cursor.passEmphasis(count: 1)
    case .strong:
      strong -= 1
      cursor.passEmphasis(count: 2)
    case .strikethrough:
      strikethrough -= 1
      cursor.endStrikethrough()
    case .link: endLink()
    case .image: endImage()
    default: break
    }
  }

  /// Returns the text of bytes, in which a line break of a character reference is a space, as in
  /// HTML: a line feed in a run is a hard line break.
  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    let breaks = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    guard bytes.contains(where: breaks.contains) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(decoding: bytes.map { breaks.contains($0) ? 0x20 : $0 }, as: UTF8.self)
  }

  private mutating func add(_ text: String, at start: Int, isCode: Bool = false) {
    if !images.isEmpty {
      images[images.count - 1].alternative += text
      return
    }
    if !text.isEmpty { markLinks() }
    collector.add(
      text, style: isCode ? style.union(.code) : style, link: links.last?.link,
      linkNumber: links.last?.number ?? 0, position: position(of: start))
  }

  /// Notes that the open links have a text; there is more than one only for an automatic link in
  /// the text of a link.
  private mutating func markLinks() {
    for index in links.indices { links[index].hasText = true }
  }

  private var style: MarkdownText.Run.Style {
    var style: MarkdownText.Run.Style = []
    if strong > 0 { style.insert(.strong) }
    if emphasis > 0 { style.insert(.emphasis) }
    if strikethrough > 0 { style.insert(.strikethrough) }
    return style
  }

  private func position(of content: Int) -> MarkdownPosition {
    source.position(ofByte: map.source(of: content))
  }

  /// Returns the place of a range of the content, up to the end of its first line.
  private func place(of content: Range<Int>) -> MarkdownPlace {
    // The last byte is in the same segment of the map as the others, unlike the byte after it.
    let start = map.source(of: content.lowerBound)
    guard !content.isEmpty else { return source.place(of: start..<start) }
    return source.place(of: start..<max(start, map.source(of: content.upperBound - 1) + 1))
  }

  private mutating func report(
    _ rule: MarkdownProblem.Rule, message: String, at content: Range<Int>
  ) {
    problems.append(MarkdownProblem(rule, message: message, at: place(of: content)))
  }
}

extension InlineReader {
  /// Reports signs in the texts of the block that were probably meant to have an effect.
  mutating func reportUnparsedSigns(_ options: MarkdownOptions) {
    for sign in unparsed.problems(in: content, options) {
      report(.unparsed, message: sign.message, at: sign.range)
    }
  }

  private mutating func passHTML(_ node: OpaquePointer) {
    let start = cursor.offset
    cursor.passHTML(
      count: SyntaxTree.withBytes(of: cmark_node_get_literal(node)) { $0.count })
    report(.html, message: BlockReader.htmlMessage, at: start..<cursor.offset)
  }

  private static func destination(of node: OpaquePointer) -> Destination {
    Destination(
      SyntaxTree.withBytes(of: cmark_node_get_url(node)) { String(decoding: $0, as: UTF8.self) })
  }

  private mutating func beginLink(_ node: OpaquePointer) {
    let destination = Self.destination(of: node)
    let result = Result { () throws(Destination.Fault) in try destination.link() }
    linkCount += 1
    links.append(
      OpenLink(
        link: try? result.get(), number: linkCount, start: cursor.offset,
        isAutolink: cursor.isAtAutolink,
        destination: result))
    if cursor.isAtAutolink { cursor.beginAutolink() } else { cursor.beginLink() }
  }

  private mutating func endLink() {
    guard let link = links.popLast() else { return }
    var destination: Range<Int>?
    if link.isAutolink {
      destination = link.start + 1..<max(link.start + 1, cursor.offset)
      cursor.endAutolink()
    } else {
      destination = cursor.endLink()
    }
    let whole = link.start..<max(link.start, cursor.offset)
    if destination?.isEmpty == true { destination = nil }
    switch link.destination {
    case .failure(let fault): report(.link, message: fault.message, at: destination ?? whole)
    case .success(.entry(let id)):
      references.append(.init(target: .entry(id), place: place(of: destination ?? whole)))
    case .success: break
    }
    // Without these rules, such links would be lost without a word.
    guard images.isEmpty else { return }
    if !links.isEmpty {
      report(
        .link, message: "a link must not hold another link; delete the signs '<' and '>'", at: whole
      )
    }
    if !link.hasText {
      report(
        .link,
        message: "a link must have a text in its brackets; write one, as in [Roses](product/rose)",
        at: whole)
    }
  }

  private mutating func beginImage(_ node: OpaquePointer) {
    let destination = Self.destination(of: node)
    let path = Result { () throws(Destination.Fault) in try destination.asset() }
    images.append(OpenImage(start: cursor.offset, path: path))
    cursor.beginImage()
  }

  private mutating func endImage() {
    guard let image = images.popLast() else { return }
    var destination = cursor.endLink()
    let whole = image.start..<max(image.start, cursor.offset)
    if destination?.isEmpty == true { destination = nil }
    switch image.path {
    case .failure(let fault):
      report(.image, message: fault.message, at: destination ?? whole)
      add(image.alternative, at: image.start)
    case .success(let text):
      let path = ExactString(text)
      // An image in the alternative text of another one is only its own alternative text.
      guard images.isEmpty else { return add(image.alternative, at: image.start) }
      references.append(.init(target: .asset(path), place: place(of: destination ?? whole)))
      markLinks()
      collector.addImage(
        path, alternative: image.alternative, style: style, link: links.last?.link,
        linkNumber: links.last?.number ?? 0, position: position(of: image.start))
    }
  }
}
