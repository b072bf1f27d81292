import CMark
import Synchronization

@testable import Markdown

/// The tree that libcmark-gfm makes of a text, read from its XML, as an independent description.
struct CommonMarkTree {
  /// A node of the tree.
  struct Node {
    var name: String
    var attributes: [String: String] = [:]
    var children: [Node] = []
    var text = ""
  }

  let root: Node

  init(of text: String, usesExtensions: Bool) {
    cmark_gfm_core_extensions_ensure_registered()
    let parser: OpaquePointer = cmark_parser_new(CMARK_OPT_DEFAULT)
    if usesExtensions {
      for name in ["table", "strikethrough"] {
        if let found = cmark_find_syntax_extension(name) {
          cmark_parser_attach_syntax_extension(parser, found)
        }
      }
    }
    cmark_parser_feed(parser, text, text.utf8.count)
    var finished: OpaquePointer?
    SyntaxTree.inlineLock.withLock { _ in finished = cmark_parser_finish(parser) }
    guard let document = finished else { preconditionFailure("no document") }
    guard let xml = cmark_render_xml(document, CMARK_OPT_DEFAULT) else {
      preconditionFailure("no XML")
    }
    root = Self.parse(Array(String(cString: xml).utf8))
    cmark_get_default_mem_allocator().pointee.free(xml)
    cmark_node_free(document)
    cmark_parser_free(parser)
  }

  private static func parse(_ xml: [UInt8]) -> Node {
    var stack = [Node(name: "")]
    var index = 0
    while index < xml.count {
      guard xml[index] == UInt8(ascii: "<") else {
        let end = xml[index...].firstIndex(of: UInt8(ascii: "<")) ?? xml.count
        stack[stack.count - 1].text += unescaped(xml[index..<end])
        index = end
        continue
      }
      let end = xml[index...].firstIndex(of: UInt8(ascii: ">")) ?? xml.count - 1
      let tag = xml[index + 1..<end]
      index = end + 1
      if tag.first == UInt8(ascii: "?") || tag.first == UInt8(ascii: "!") { continue }
      if tag.first == UInt8(ascii: "/") {
        let node = stack.removeLast()
        stack[stack.count - 1].children.append(node)
        continue
      }
      let isEmpty = tag.last == UInt8(ascii: "/")
      let node = Self.node(of: isEmpty ? tag.dropLast() : tag)
      if isEmpty { stack[stack.count - 1].children.append(node) } else { stack.append(node) }
    }
    return stack[0].children[0]
  }

  private static func node(of tag: ArraySlice<UInt8>) -> Node {
    let end = tag.firstIndex(of: UInt8(ascii: " ")) ?? tag.endIndex
    var node = Node(name: String(decoding: tag[..<end], as: UTF8.self))
    var rest = tag[end...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = String(decoding: rest[..<equals].drop { $0 == 0x20 }, as: UTF8.self)
      let start = equals + 2
      guard let quote = rest[start...].firstIndex(of: UInt8(ascii: "\"")) else { break }
      node.attributes[name] = unescaped(rest[start..<quote])
      rest = rest[(quote + 1)...]
    }
    return node
  }

  /// Replaces entities, as bytes: a combining character can follow one.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      let found = byte == UInt8(ascii: "&") ? entities.first { rest.starts(with: $0.0.utf8) } : nil
      result += found.map { Array($0.1.utf8) } ?? [byte]
      rest = rest.dropFirst(found?.0.utf8.count ?? 1)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
