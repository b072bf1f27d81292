import CYAML
import Diagnostics

extension YAMLBuilder {
  /// What stands before a node, and where the node's own text is, which libyaml's marks take together.
  struct Properties {
    var span: YAMLSpan
    var tag: YAMLSpan?
  }

  mutating func scalarProperties(_ event: borrowing yaml_event_t) -> Properties {
    let style = event.data.scalar.style
    var span = YAMLSpan(start: YAMLMark(event.start_mark), end: YAMLMark(event.end_mark))
    if style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE {
      span.end = cursor.trimmed(event.end_mark, notBefore: event.start_mark)
    }
    let first = cursor.offset(of: event.start_mark)
    guard event.start_mark.index < event.end_mark.index, let byte = cursor.byte(at: first),
      byte == UInt8(ascii: "!") || byte == UInt8(ascii: "&")
    else { return Properties(span: span) }
    let skipped = skipProperties(from: first, at: span.start, anchors: 1, tags: 1)
    if skipped.span.start < span.end { span.start = skipped.span.start }
    return Properties(span: span, tag: skipped.tag)
  }

  /// Where a collection begins; its end is not known yet.
  mutating func collectionProperties(
    _ event: borrowing yaml_event_t, hasAnchor: Bool, hasTag: Bool
  ) -> Properties {
    let start = YAMLMark(event.start_mark)
    guard hasAnchor || hasTag else { return Properties(span: start.span(1)) }
    let first = cursor.offset(of: event.start_mark)
    return skipProperties(from: first, at: start, anchors: hasAnchor ? 1 : 0, tags: hasTag ? 1 : 0)
  }

  private mutating func skipProperties(from first: Int, at mark: YAMLMark, anchors: Int, tags: Int) -> Properties {
    var (anchors, tags) = (anchors, tags)
    var (offset, mark) = (first, mark)
    var tag: YAMLSpan?
    while let byte = cursor.byte(at: offset) {
      var end = offset
      if byte == UInt8(ascii: "&"), anchors > 0 {
        anchors -= 1
        end = cursor.end(from: offset + 1, while: \.isAnchorCharacter)
        checkEndOfName(at: end, span: mark.span(end - offset))
      } else if byte == UInt8(ascii: "!"), tags > 0 {
        tags -= 1
        end = endOfTag(from: offset)
        tag = mark.span(end - offset)
      } else {
        break
      }
      end = skipSpace(from: end)
      mark = cursor.mark(at: end, from: offset, at: mark)
      offset = end
    }
    return Properties(span: mark.span(1), tag: tag)
  }

  private func endOfTag(from offset: Int) -> Int {
    if cursor.byte(at: offset + 1) == UInt8(ascii: "<") {
      return cursor.end(from: offset) { $0 != UInt8(ascii: ">") } + 1
    }
    return cursor.end(from: offset) { !$0.isYAMLSpace && $0 != UInt8(ascii: ",") }
  }

  private func skipSpace(from offset: Int) -> Int {
    var offset = cursor.end(from: offset, while: \.isYAMLSpace)
    while cursor.byte(at: offset) == UInt8(ascii: "#") {
      offset = cursor.end(from: offset) { $0 != 0x0A && $0 != 0x0D }
      offset = cursor.end(from: offset, while: \.isYAMLSpace)
    }
    return offset
  }

  /// libyaml ends a name silently at `:`, `?`, `%`, `@` and a backtick, which YAML takes as part of it.
  mutating func checkEndOfName(at offset: Int, span: YAMLSpan) {
    guard let byte = cursor.byte(at: offset), !byte.isYAMLSpace, !",[]{}".utf8.contains(byte) else { return }
    report(
      "yaml-syntax", at: span, "an anchor's name holds only ASCII letters, digits, '-' and '_', and a space follows it")
  }

  /// Reports a tag that is not known, or whose node is not what it demands.
  mutating func check(_ properties: Properties, of row: YAMLRow, uri: UnsafeMutablePointer<UInt8>?) {
    guard row.tag != .none else { return }
    if row.tag == .unknown { return refuseTag(at: properties.tag ?? row.span, uri: uri) }
    // How far a collection reaches is not known before its end.
    guard row.kind == .scalar else { return }
    checkKind(of: row)
    guard row.tag.suits(row.kind) else { return }
    let isResolved = texts[row.slots].withUnsafeBufferPointer {
      YAMLScalar($0, isPlain: row.isPlainStyle, tag: row.tag) != nil
    }
    guard !isResolved else { return }
    let id = row.tag == .binary ? "invalid-base64" : "wrong-tag"
    report(id, at: row.span, "'\(row.tag.name)' must stand before \(row.tag.demand)")
  }

  mutating func checkKind(of row: YAMLRow) {
    guard !row.tag.suits(row.kind) else { return }
    report("wrong-tag", at: row.span, "'\(row.tag.name)' must stand before \(row.tag.demand)")
  }

  private mutating func refuseTag(at span: YAMLSpan, uri: UnsafeMutablePointer<UInt8>?) {
    let text = uri.map { String(cString: $0) } ?? ""
    let name = text.hasPrefix("tag:yaml.org,2002:") ? "!!" + text.dropFirst(18) : text
    let known = YAMLTag.known.map(\.name)
    let nearest = name.nearest(among: known)
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    report(
      "unknown-tag", at: span, "'\(name)' is no known tag\(hint)",
      notes: [.init("the tags are \(known.joined(separator: ", "))")], fixIt: nearest)
  }
}

extension YAMLMark {
  /// So many scalars from here on, in one line.
  func span(_ length: Int) -> YAMLSpan {
    YAMLSpan(start: self, end: YAMLMark(line: line, column: column + UInt32(length)))
  }
}
