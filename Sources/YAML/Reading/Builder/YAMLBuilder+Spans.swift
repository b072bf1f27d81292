import CYAML
import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// The tag and anchor before a node, and the place of the node's own text; the marks of libyaml
  /// enclose both.
  struct Properties {
    var span: Range<Int>
    var tag: Range<Int>?
  }

  mutating func scalarProperties(_ event: borrowing yaml_event_t) -> Properties {
    let style = event.data.scalar.style
    let first = cursor.place(of: event.start_mark)
    var end = cursor.place(of: event.end_mark)
    if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
      end = cursor.trimmed(end, notBefore: first)
    }
    guard event.start_mark.index < event.end_mark.index, let byte = cursor.byte(at: first),
      byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&")
    else { return Properties(span: first..<end) }
    let skipped = skipProperties(from: first, anchors: 1, tags: 1)
    return Properties(span: (skipped.start < end ? skipped.start : first)..<end, tag: skipped.tag)
  }

  /// Returns the beginning of a collection after its properties, and the place of its tag.
  mutating func collectionProperties(
    _ event: borrowing yaml_event_t, hasAnchor: Bool, hasTag: Bool
  ) -> (start: Int, tag: Range<Int>?) {
    let first = cursor.place(of: event.start_mark)
    guard hasAnchor || hasTag else { return (first, nil) }
    return skipProperties(from: first, anchors: hasAnchor ? 1 : 0, tags: hasTag ? 1 : 0)
  }

  private mutating func skipProperties(from first: Int, anchors: Int, tags: Int) -> (
    start: Int, tag: Range<Int>?
  ) {
    var (anchors, tags) = (anchors, tags)
    var offset = first
    var tag: Range<Int>?
    while let byte = cursor.byte(at: offset) {
      var end = offset
      if byte == UInt8(ascii: "&"), anchors > 0 {
        anchors -= 1
        end = cursor.end(from: offset + 1, while: \.isAnchorCharacter)
        checkEndOfName(at: end, from: offset)
      } else if byte == UInt8(ascii: "!"), tags > 0 {
        tags -= 1
        end = endOfTag(from: offset)
        tag = offset..<end
      } else {
        break
      }
      offset = skipSpace(from: end)
    }
    return (offset, tag)
  }

  private func endOfTag(from offset: Int) -> Int {
    if cursor.byte(at: offset + 1) == UInt8(ascii: "<") {
      return cursor.end(from: offset) { $0 != UInt8(ascii: ">") } + 1
    }
    return cursor.end(from: offset) { !$0.isWhitespace && $0 != UInt8(ascii: ",") }
  }

  private func skipSpace(from offset: Int) -> Int {
    var offset = cursor.end(from: offset, while: \.isWhitespace)
    while cursor.byte(at: offset) == UInt8(ascii: "#") {
      offset = cursor.end(from: offset) { $0 != 0x0A && $0 != 0x0D }
      offset = cursor.end(from: offset, while: \.isWhitespace)
    }
    return offset
  }

  /// Checks the end of a name, since libyaml silently ends it at `:`, `?`, `%`, `@` and a backtick,
  /// which are parts of it in YAML.
  mutating func checkEndOfName(at end: Int, from start: Int) {
    guard let byte = cursor.byte(at: end), !byte.isWhitespace, !",[]{}".utf8.contains(byte) else {
      return
    }
    report(
      .yamlSyntax, at: span(start..<end),
      message:
        "an anchor's name holds only ASCII letters, digits, '-' and '_', and a space follows it")
  }

  /// Reports a scalar's tag that is not known, or whose text is not what it demands.
  mutating func check(_ properties: Properties, of row: YAMLRow, uri: UnsafeMutablePointer<UInt8>?)
  {
    guard row.tag != .none else { return }
    if row.tag == .unknown { return refuseTag(at: properties.tag ?? properties.span, uri: uri) }
    guard row.tag.suits(.scalar) else { return refuseKind(row.tag, at: span(properties.span)) }
    let isResolved = withText(of: row) {
      YAMLScalar($0, isPlain: row.isPlainStyle, tag: row.tag) != nil
    }
    guard !isResolved else { return }
    let rule: Rule = row.tag == .binary ? .invalidBase64 : .wrongTag
    report(
      rule, at: span(properties.span), message: "'\(row.tag.name)' must be before \(row.tag.demand)"
    )
  }

  mutating func refuseKind(_ tag: YAMLTag, at span: YAMLSpan) {
    report(.wrongTag, at: span, message: "'\(tag.name)' must be before \(tag.demand)")
  }

  mutating func refuseTag(at bytes: Range<Int>, uri: UnsafeMutablePointer<UInt8>?) {
    let (span, start) = (span(bytes), bytes.lowerBound)
    let uri = uri.map { String(cString: $0) } ?? ""
    let name = uri.hasBytePrefix("tag:yaml.org,2002:") ? "!!" + uri.dropFirst(18) : uri
    let known = YAMLTag.known.map(\.name)
    let nearest = name.nearest(among: known)
    let isLocal = name.hasBytePrefix("!") && !name.hasBytePrefix("!!")
    let text =
      isLocal && frames.last?.isFlow != true
      ? "; if it is text, write \(quoted(textToEndOfLine(from: start)))" : ""
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? text
    report(
      .unknownTag, at: span, message: "'\(name)' is no known tag\(hint)",
      notes: [.init("the tags are \(known.joined(separator: ", "))")], fixIt: nearest)
  }
}
