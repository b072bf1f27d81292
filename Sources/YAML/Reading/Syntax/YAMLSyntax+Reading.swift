import CYAML
import ContentModel

extension YAMLSyntax {
  /// Adds the nodes of a text; returns `false` after a syntax error.
  mutating func read(_ text: YAMLText, bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var builder = YAMLSyntaxBuilder(cursor: YAMLCursor(bytes, isASCII: text.isASCII))
    var parser = YAMLEventParser(bytes)
    while !builder.isDone {
      guard parser.next({ builder.take($0) }) else { return false }
    }
    nodes = builder.nodes
    texts = builder.texts
    return true
  }
}

/// The construction of written nodes from libyaml's events.
private struct YAMLSyntaxBuilder {
  var cursor: YAMLCursor
  var nodes: [YAMLSyntax.Node] = []
  var texts: [UInt8] = []
  var isDone = false
  /// The indices of the collections that are open.
  private var open: [Int] = []
  private var flowDepth = 0
  private var anchors: [ExactString: Int] = [:]

  init(cursor: YAMLCursor) { self.cursor = cursor }

  mutating func take(_ event: borrowing yaml_event_t) {
    switch event.type {
    case YAML_SCALAR_EVENT: takeScalar(event)
    case YAML_ALIAS_EVENT:
      let name = name(event.data.alias.anchor)
      add(event, as: .alias, anchor: name, tag: nil)
      nodes[nodes.count - 1].target = name.flatMap { anchors[$0] }
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      let isFlow = start.style == YAML_FLOW_SEQUENCE_STYLE
      begin(
        event, as: isFlow ? .flowSequence : .blockSequence, anchor: start.anchor, tag: start.tag)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      let isFlow = start.style == YAML_FLOW_MAPPING_STYLE
      begin(event, as: isFlow ? .flowMapping : .blockMapping, anchor: start.anchor, tag: start.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: end(event)
    case YAML_STREAM_END_EVENT: isDone = true
    default: break
    }
  }

  private func name(_ text: UnsafeMutablePointer<UInt8>?) -> String? {
    text.map { String(cString: $0) }
  }

  private mutating func takeScalar(_ event: borrowing yaml_event_t) {
    let scalar = event.data.scalar
    let form: YAMLSyntax.Form =
      switch scalar.style {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
      case YAML_LITERAL_SCALAR_STYLE: .literal
      case YAML_FOLDED_SCALAR_STYLE: .folded
      default: .plain
      }
    add(event, as: form, anchor: name(scalar.anchor), tag: name(scalar.tag))
    let first = texts.count
    texts.append(contentsOf: UnsafeBufferPointer(start: scalar.value, count: scalar.length))
    nodes[nodes.count - 1].text = first..<texts.count
  }

  private mutating func begin(
    _ event: borrowing yaml_event_t, as form: YAMLSyntax.Form,
    anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?
  ) {
    add(event, as: form, anchor: name(anchor), tag: name(tag))
    open.append(nodes.count - 1)
    if form.isFlow { flowDepth += 1 }
  }

  private mutating func end(_ event: borrowing yaml_event_t) {
    guard let index = open.popLast() else { return }
    var end = offset(of: event.end_mark)
    if nodes[index].form.isFlow {
      flowDepth -= 1
    } else {
      // libyaml ends a block collection before the token that follows it.
      end = nodes[index].children.last.map { nodes[$0].outer.upperBound } ?? end
    }
    nodes[index].inner = nodes[index].inner.lowerBound..<max(nodes[index].inner.lowerBound, end)
    nodes[index].outer = nodes[index].outer.lowerBound..<nodes[index].inner.upperBound
  }

  private mutating func offset(of mark: yaml_mark_t) -> Int { cursor.offset(of: mark) }

  private mutating func add(
    _ event: borrowing yaml_event_t, as form: YAMLSyntax.Form, anchor: String?, tag: String?
  ) {
    var start = offset(of: event.start_mark)
    var end = max(start, offset(of: event.end_mark))
    let parent = open.last
    if form == .plain, start == end, let parent, nodes[parent].form == .blockMapping,
      !nodes[parent].children.count.isMultiple(of: 2), let key = nodes[parent].children.last,
      start == 0 || cursor.bytes[start - 1] != UInt8(ascii: ":")
    {
      // libyaml has the missing value of a key without a colon at the next token, maybe lines
      // below.
      start = nodes[key].outer.upperBound
      end = start
    }
    // libyaml drops the tag `!` of a scalar.
    let mayHaveTag = tag != nil || (form.isScalar && cursor.byte(at: start) == UInt8(ascii: "!"))
    let properties =
      form == .alias
      ? (end: start, tag: nil)
      : skipProperties(from: start, hasAnchor: anchor != nil, hasTag: mayHaveTag)
    var inner = properties.end
    // The properties of an empty text end with its last property.
    if form.isScalar, inner > end { inner = end }
    let isCollection = !form.isScalar && form != .alias
    let last = isCollection ? inner : end
    if let parent { nodes[parent].children.append(nodes.count) }
    nodes.append(
      YAMLSyntax.Node(
        form: form, outer: start..<last, inner: inner..<last, anchor: anchor,
        tag: tag ?? properties.tag, parent: parent, isInFlow: flowDepth > 0))
    if form != .alias, let anchor { anchors[anchor] = nodes.count - 1 }
  }

  /// Returns the beginning of a node after its properties, and `!` if that is one of them.
  private func skipProperties(from first: Int, hasAnchor: Bool, hasTag: Bool) -> (
    end: Int, tag: String?
  ) {
    var (hasAnchor, hasTag) = (hasAnchor, hasTag)
    var offset = first
    var tag: String?
    while let byte = cursor.byte(at: offset) {
      var end = offset
      if byte == UInt8(ascii: "&"), hasAnchor {
        hasAnchor = false
        end = cursor.end(from: offset + 1, while: \.isAnchorCharacter)
      } else if byte == UInt8(ascii: "!"), hasTag {
        hasTag = false
        if cursor.byte(at: offset + 1) == UInt8(ascii: "<") {
          end = min(cursor.bytes.count, cursor.end(from: offset) { $0 != UInt8(ascii: ">") } + 1)
        } else {
          end = cursor.end(from: offset) { !$0.isWhitespace && !",[]{}".utf8.contains($0) }
        }
        if end == offset + 1 { tag = "!" }
      } else {
        break
      }
      offset = cursor.endOfSpace(from: end)
    }
    return (offset, tag)
  }
}
