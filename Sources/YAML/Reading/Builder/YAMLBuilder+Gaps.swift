import CYAML
import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// The part of the file that the last event covered.
  struct Token {
    enum Kind {
      /// A scalar without quotes, empty or not.
      case plain
      case quoted
      case alias
      /// A closing bracket; `start` is the opening bracket.
      case flowEnd
      case other
    }

    var kind = Kind.other
    var start = 0
    var end = 0
  }

  /// Checks the white space, indicators and comments between the last event and the next one.
  ///
  /// libyaml accepts two forms that YAML 1.2 refuses, and both lose text: a `#` directly after a
  /// token begins a comment, and a `?` inside brackets is an indicator before any character.
  mutating func checkGap(upTo end: Int) {
    var at = last.end
    var lineBreaks = 0
    var isBehindLast = true
    while at < end {
      switch cursor.bytes[at] {
      case UInt8(ascii: "#"):
        checkComment(at: at, isBehindLast: isBehindLast && lineBreaks == 0)
        if isBehindLast, lineBreaks == 1 { checkCommentBelow(at: at) }
        // A comment ends the text before it, so that no later line can continue that text.
        if last.start < last.end { isBehindLast = false }
        at = cursor.end(from: at) { !$0.isLineBreak }
        continue
      case UInt8(ascii: "?"): checkQuestionMark(at: at)
      case UInt8(ascii: ":"), UInt8(ascii: "-"): isBehindLast = false
      case 0x0A: lineBreaks += 1
      case 0x0D where cursor.byte(at: at + 1) != 0x0A: lineBreaks += 1
      default: break
      }
      at += 1
    }
  }

  /// Remembers what an event covered; `closing` is the innermost collection before the event.
  mutating func noteToken(_ event: borrowing yaml_event_t, from start: Int, closing frame: Frame?) {
    switch event.type {
    case YAML_SCALAR_EVENT:
      switch event.data.scalar.style {
      case YAML_PLAIN_SCALAR_STYLE: note(.plain, of: event, from: start)
      case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        note(.quoted, of: event, from: start)
      default: note(.other, of: event, from: start)
      }
    case YAML_ALIAS_EVENT: note(.alias, of: event, from: start)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
      guard let frame, frame.isFlow else { return note(.other, of: event, from: start) }
      last = Token(kind: .flowEnd, start: frame.start, end: cursor.offset(of: event.end_mark))
    case YAML_MAPPING_START_EVENT:
      if event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE {
        checkQuestionMark(at: start)
      }
      note(.other, of: event, from: start)
    default: note(.other, of: event, from: start)
    }
  }

  private mutating func note(_ kind: Token.Kind, of event: borrowing yaml_event_t, from start: Int)
  {
    last = Token(kind: kind, start: start, end: max(cursor.offset(of: event.end_mark), last.end))
  }

  private mutating func checkComment(at start: Int, isBehindLast: Bool) {
    if start > 0, !cursor.bytes[start - 1].isWhitespace { return refuseAdjacentComment(at: start) }
    guard isBehindLast, beginsText(start + 1) else { return }
    let isItem =
      frames.last?.isFlow == true
      && cursor.bytes[max(0, last.end - 1)..<start].contains { ",[{".utf8.contains($0) }
    guard last.kind == .plain || isItem else { return }
    warnOfLostText(
      at: start, behindText: !isItem && last.start < last.end ? last.start..<last.end : nil)
    if !isItem { noteLostValue(at: start) }
  }

  /// Warns of a comment directly below a text, indented as the text's next line would be.
  ///
  /// There is no warning for a key or an item that was commented out.
  private mutating func checkCommentBelow(at start: Int) {
    guard last.kind == .plain, frames.last?.isFlow != true, let byte = cursor.byte(at: start + 1),
      byte.isDigit || byte.isLetter || byte >= 0x80,
      start - line(around: start).lowerBound > blockColumn,
      !isKey(start + 1..<endOfLine(from: start).upperBound)
    else { return }
    warnOfLostText(at: start, behindText: last.start < last.end ? last.start..<last.end : nil)
    noteLostValue(at: start)
  }

  /// Gives the empty value before a comment the place of the comment (`YAMLNode.isLostValue`).
  private mutating func noteLostValue(at start: Int) {
    guard last.start == last.end, let frame = frames.indices.last, !waiting.isEmpty else { return }
    let comment = endOfLine(from: start)
    waiting[waiting.count - 1] = detailed(
      .scalar, isPlainStyle: true, at: comment, content: 0..<0)
    frames[frame].lastEnd = comment.upperBound
  }

  /// `true` if a `#` before an offset is more likely a part of a text than the beginning of a
  /// comment.
  private func beginsText(_ offset: Int) -> Bool {
    guard let byte = cursor.byte(at: offset) else { return false }
    return !byte.isWhitespace && byte != UInt8(ascii: "#")
  }

  private mutating func refuseAdjacentComment(at start: Int) {
    // The end of an alias's name is already checked.
    guard last.kind != .alias else { return }
    if last.end == start, last.kind == .quoted {
      return report(
        .yamlSyntax, at: span(endOfLine(from: start)),
        message:
          "'#' must not directly follow a closing quote; write a space before a comment, or one pair of quotes around all"
      )
    }
    let end = cursor.end(from: start) { !$0.isWhitespace && !",[]{}".utf8.contains($0) }
    let isText = beginsText(start + 1) && !(last.end == start && last.kind == .flowEnd)
    let word = quoted(start..<end)
    report(
      .yamlSyntax, at: span(start..<end),
      message: isText
        ? "a text that begins with '#' must be quoted; write \(word)"
        : "a comment must begin with a space; write ' #'",
      fixIt: isText ? word : nil)
  }

  /// Warns of a comment that looks like the rest of a text, or like the whole of it.
  mutating func warnOfLostText(at start: Int, behindText text: Range<Int>?) {
    let comment = endOfLine(from: start)
    let whole = (text?.lowerBound ?? start)..<comment.upperBound
    let isOneLine = !cursor.bytes[whole].contains(where: \.isLineBreak)
    let lost = shortened(comment)
    let shouldWrite = isOneLine && frames.last?.isFlow != true
    let advice = shouldWrite ? "write \(quoted(whole))" : "put the text in quotes"
    let message =
      text == nil
      ? "'\(lost)' is read as a comment, so there is no value; to keep it, \(advice)"
      : "'\(lost)' is read as a comment and lost; to keep it, \(advice)"
    let fixIt = shouldWrite ? Diagnostic.FixIt(span(whole).range, replacement: quoted(whole)) : nil
    diagnostics.append(
      Diagnostic(
        .warning, rule: .commentInText, at: location(span(comment)), message: message,
        notes: [.init("a comment begins with '# ': with the space, nothing is reported")],
        fixIt: fixIt))
  }

  private mutating func checkQuestionMark(at start: Int) {
    guard frames.last?.isFlow == true, cursor.byte(at: start) == UInt8(ascii: "?"),
      let next = cursor.byte(at: start + 1), !next.isWhitespace
    else { return }
    let end = cursor.end(from: start) { !$0.isLineBreak && !",[]{}:".utf8.contains($0) }
    report(
      .yamlSyntax, at: span(start..<end),
      message:
        "a text that begins with '?' must be quoted between brackets; write \(quoted(start..<end))",
      fixIt: quoted(start..<end))
    stop()
  }

  // MARK: Texts of messages

  /// Returns the bytes from an offset to the end of the line, without trailing white space.
  func endOfLine(from start: Int) -> Range<Int> {
    start..<cursor.trimmed(cursor.end(from: start) { !$0.isLineBreak }, notBefore: start)
  }

  /// Returns the bytes from an offset to the end of the line, without a comment.
  func textToEndOfLine(from start: Int) -> Range<Int> {
    let line = endOfLine(from: start)
    let comment = line.dropFirst().first {
      cursor.bytes[$0] == UInt8(ascii: "#") && cursor.bytes[$0 - 1].isWhitespace
    }
    return start..<cursor.trimmed(comment ?? line.upperBound, notBefore: start)
  }

  /// Returns a range of the file as text.
  func written(_ bytes: Range<Int>) -> String {
    String(decoding: text.standIns.originals(in: Array(cursor.bytes[bytes])[...]), as: UTF8.self)
  }

  /// Returns a range of the file as a quoted text, shortened if it is long.
  func quoted(_ bytes: Range<Int>) -> String { written(bytes).quotedAsYAML }

  /// Returns a range of the file, shortened for a message.
  func shortened(_ bytes: Range<Int>) -> String {
    let scalars = written(bytes).unicodeScalars
    return scalars.count > 40
      ? String(String.UnicodeScalarView(scalars.prefix(39))) + "…" : String(scalars)
  }
}

extension UInt8 {
  var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}

extension String {
  /// The text in quotes without backslash escapes: double quotes, or single ones for a text with
  /// double quotes or a backslash.
  package var quotedAsYAML: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return "\"\(self)\""
    }
    return "'"
      + String(decoding: utf8.flatMap { $0 == UInt8(ascii: "'") ? [$0, $0] : [$0] }, as: UTF8.self)
      + "'"
  }
}
