import CMark
import ContentModel
import Synchronization
import SystemC

/// The tree of a text, made by libcmark-gfm.
struct SyntaxTree: ~Copyable {
  /// The document; `nil` if libcmark-gfm made none.
  let root: OpaquePointer?
  private let parser: OpaquePointer

  /// The lock for the part of libcmark-gfm that reads inline syntax.
  ///
  /// While a text with strikethrough is read, its `~` is in a table of special characters that all
  /// parsers of the process share.
  static let inlineLock = Mutex(())

  private static let registration: Void = cmark_gfm_core_extensions_ensure_registered()

  init(of bytes: [UInt8], options: MarkdownOptions) {
    Self.registration
    let parser: OpaquePointer = cmark_parser_new(CMARK_OPT_DEFAULT)
    for (name, isWanted) in [("table", options.tables), ("strikethrough", options.strikethrough)]
    where isWanted {
      if let found = cmark_find_syntax_extension(name) {
        cmark_parser_attach_syntax_extension(parser, found)
      }
    }
    bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        cmark_parser_feed(parser, $0, buffer.count)
      }
    }
    var root: OpaquePointer?
    Self.inlineLock.withLock { _ in root = cmark_parser_finish(parser) }
    (self.root, self.parser) = (root, parser)
  }

  deinit {
    if let root { cmark_node_free(root) }
    cmark_parser_free(parser)
  }
}

extension SyntaxTree {
  /// A kind of node.
  enum Kind {
    case document, quote, list, item, paragraph, heading, code, html, rule
    case table, row, headerRow, cell
    case text, softBreak, lineBreak, codeSpan, inlineHTML, emphasis, strong, link, image
    case strikethrough, other
  }

  static func kind(of node: OpaquePointer) -> Kind {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_TEXT: .text
    case CMARK_NODE_SOFTBREAK: .softBreak
    case CMARK_NODE_LINEBREAK: .lineBreak
    case CMARK_NODE_CODE: .codeSpan
    case CMARK_NODE_HTML_INLINE: .inlineHTML
    case CMARK_NODE_EMPH: .emphasis
    case CMARK_NODE_STRONG: .strong
    case CMARK_NODE_LINK: .link
    case CMARK_NODE_IMAGE: .image
    case CMARK_NODE_PARAGRAPH: .paragraph
    case CMARK_NODE_HEADING: .heading
    case CMARK_NODE_BLOCK_QUOTE: .quote
    case CMARK_NODE_LIST: .list
    case CMARK_NODE_ITEM: .item
    case CMARK_NODE_CODE_BLOCK: .code
    case CMARK_NODE_HTML_BLOCK: .html
    case CMARK_NODE_THEMATIC_BREAK: .rule
    case CMARK_NODE_DOCUMENT: .document
    default: extensionKind(of: node)
    }
  }

  /// Returns the kind of a node of an extension, whose types are numbered at run time.
  private static func extensionKind(of node: OpaquePointer) -> Kind {
    switch cmark_node_get_type_string(node).map({ String(cString: $0) }) ?? "" {
    case "table": .table
    case "table_header": .headerRow
    case "table_row": .row
    case "table_cell": .cell
    case "strikethrough": .strikethrough
    default: .other
    }
  }

  /// Calls `body` with a C string's bytes.
  static func withBytes<Result>(
    of text: UnsafePointer<CChar>?, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    guard let text else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    let count = strlen(text)
    return text.withMemoryRebound(to: UInt8.self, capacity: max(count, 1)) {
      body(UnsafeBufferPointer(start: $0, count: count))
    }
  }

  /// Calls `body` with the text of a block from which libcmark-gfm made the nodes in it.
  static func withContent<Result>(
    of block: OpaquePointer, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    // libcmark-gfm does not end the text of an empty block, such as an added cell, with a zero.
    guard cmark_node_first_child(block) != nil else { return withBytes(of: nil, body) }
    return withBytes(of: cmark_node_get_string_content(block), body)
  }

  /// Returns the text that libcmark-gfm makes of an entity such as `&amp;`; `nil` if it is none.
  static func decodedEntity(_ entity: [UInt8]) -> [UInt8]? {
    // Letters around it keep white space, which libcmark-gfm removes from the ends of a text.
    let tree = SyntaxTree(of: [UInt8(ascii: "x")] + entity + [UInt8(ascii: "x")], options: .init())
    let text = tree.root.flatMap(cmark_node_first_child).flatMap(cmark_node_first_child)
    let decoded = withBytes(of: text.flatMap(cmark_node_get_literal)) { Array($0) }
    guard decoded.count >= 2 else { return nil }
    let inner = Array(decoded[1..<decoded.count - 1])
    return inner == entity ? nil : inner
  }
}

/// A decoder of character references, which asks libcmark-gfm for each one once.
struct EntityDecoder {
  /// The most bytes of a reference; the longest name is `CounterClockwiseContourIntegral`.
  private static let longest = 40
  private var known: [[UInt8]: [UInt8]?] = [:]

  /// Returns the length and the text of a character reference in content; `nil` if there is none.
  mutating func entity(
    in content: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (length: Int, text: [UInt8])? {
    var end = start + 1
    while end < content.count, end - start < Self.longest,
      content[end].isAlphanumeric || content[end] == UInt8(ascii: "#")
    {
      end += 1
    }
    guard end < content.count, content[end] == UInt8(ascii: ";"), end > start + 1 else {
      return nil
    }
    let entity = Array(content[start...end])
    if let text = known[entity] { return text.map { (entity.count, $0) } }
    let text = SyntaxTree.decodedEntity(entity)
    known[entity] = .some(text)
    return text.map { (entity.count, $0) }
  }
}
