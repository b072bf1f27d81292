import CYAML
import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// Checks the further lines of a scalar.
  ///
  /// YAML 1.2 requires that the further lines of a quoted text are indented more than its key.
  /// libyaml does not require this, so an unclosed quote would include the keys after it. Many
  /// catalogs of other tools continue a text in the column of its key. Such a text is accepted if
  /// none of its lines looks like a key.
  mutating func checkLines(of event: borrowing yaml_event_t, at span: Range<Int>) {
    switch event.data.scalar.style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE:
      if event.start_mark.line < event.end_mark.line { checkQuoted(span) }
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE:
      checkBlock(event, from: span.lowerBound)
    case YAML_PLAIN_SCALAR_STYLE:
      if event.start_mark.line < event.end_mark.line { checkPlain(span) }
    default: break
    }
  }

  /// Warns of a text whose further lines begin like items of a list.
  ///
  /// Below a key, one such line is often a dash between two words.
  private mutating func checkPlain(_ text: Range<Int>) {
    guard let frame = frames.last, !frame.isFlow else { return }
    let items = lines(of: text).compactMap { line -> (line: Range<Int>, text: Range<Int>)? in
      let start = cursor.end(from: line.text) { $0 == 0xC2 || $0 == 0xA0 || $0 == 0x20 }
      guard start + 1 < line.end, cursor.bytes[start] == UInt8(ascii: "-"),
        cursor.bytes[start + 1] == 0x20
      else { return nil }
      return (line.start..<line.end, start..<line.end)
    }
    let isInList = frame.kind == .sequence
    guard let first = items.first, isInList || items.count > 1 else { return }
    let column = blockColumn
    let advice =
      isInList
      ? "write it in the column of the other items, with \(column) spaces before '-'"
      : "if it is one, delete the text above; if not, put the whole text in quotes"
    let fix = String(repeating: " ", count: column) + written(first.text)
    diagnostics.append(
      Diagnostic(
        .warning, rule: .itemInText, at: location(span(first.text)),
        message:
          "'\(shortened(first.text))' continues the text above, and is no item of a list; \(advice)",
        fixIt: isInList && items.count == 1
          ? Diagnostic.FixIt(span(first.line).range, replacement: fix) : nil))
  }

  private mutating func checkQuoted(_ quoted: Range<Int>) {
    let column = blockColumn
    var looksLikeKeys = false
    var isUnindented = false
    /// The first line that begins left of the key, or whose indentation is a tab.
    var refused: Int?
    for line in lines(of: quoted) where line.text < line.end {
      let indentation = line.text - line.start
      if indentation <= column {
        isUnindented = true
        if indentation < column || cursor.bytes[line.text] == 0x09 {
          refused = refused ?? line.start
        }
      }
      looksLikeKeys = looksLikeKeys || isKey(line.text..<line.end)
    }
    if looksLikeKeys, isUnindented || frames.last?.isFlow == true {
      reportUnclosed(quoted, as: isUnindented ? .error : .warning)
      if isUnindented { stop() }
    } else if let refused {
      refuseIndentation(ofLineAt: refused, column)
    }
  }

  private mutating func refuseIndentation(ofLineAt start: Int, _ column: Int) {
    let text = cursor.end(from: start) { $0 == 0x20 }
    if cursor.byte(at: text) == 0x09 {
      return report(
        .tabIndentation, at: span(text..<text + 1),
        message: "lines must be indented with spaces, not tabs"
      )
    }
    report(
      .yamlSyntax, at: span(endOfLine(from: text)),
      message:
        "the further lines of a quoted text must not begin left of its key; put \(column + 2) spaces before this one"
    )
  }

  /// Reports a quote that is closed some lines further down, if the text between looks like keys.
  private mutating func reportUnclosed(_ quoted: Range<Int>, as severity: Diagnostic.Severity) {
    let first = endOfLine(from: quoted.lowerBound)
    let quote = String(UnicodeScalar(cursor.bytes[quoted.lowerBound]))
    let closed = written(first) + quote
    let line = mark(at: quoted.upperBound).line + 1
    let message =
      severity == .error
      ? "this quote is closed only in line \(line), so the keys between are lost; close it here: \(closed)"
      : "this quote is closed only in line \(line); if there are keys between, close it here: \(closed)"
    // Between brackets, a comma may belong to the text, and the closing quote may be correct.
    let fixIt =
      severity == .error ? Diagnostic.FixIt(span(first).range, replacement: closed) : nil
    diagnostics.append(
      Diagnostic(
        severity, rule: .unclosedQuote, at: location(span(first)), message: message, fixIt: fixIt))
  }

  /// Returns the error for a quote that is never closed.
  mutating func unclosed(at start: Int) -> Diagnostic {
    let first = textToEndOfLine(from: start)
    let closed = written(first) + String(UnicodeScalar(cursor.bytes[start]))
    return Diagnostic(
      .error, rule: .unclosedQuote, at: location(span(first)),
      message: "this quote is never closed; close it here: \(closed)",
      fixIt: Diagnostic.FixIt(span(first).range, replacement: closed))
  }

  /// The column of the current block collection; -1 if there is none.
  var blockColumn: Int {
    guard let frame = frames.last(where: { !$0.isFlow }) else { return -1 }
    let before = cursor.bytes[..<frame.start].lastIndex(where: \.isLineBreak)
    return frame.start - (before.map { $0 + 1 } ?? 0)
  }

  /// Returns the start, the start of the text and the end of each line that begins in a range.
  private func lines(of bytes: Range<Int>) -> [(start: Int, text: Int, end: Int)] {
    var lines: [(start: Int, text: Int, end: Int)] = []
    var at = cursor.end(from: bytes.lowerBound) { !$0.isLineBreak }
    while at < bytes.upperBound {
      at = at + 1
      let end = min(bytes.upperBound, cursor.end(from: at) { !$0.isLineBreak })
      let text = min(end, cursor.end(from: at) { $0 == 0x20 })
      // A line of white space is empty.
      let isBlank = cursor.bytes[text..<end].allSatisfy(\.isWhitespace)
      lines.append((at, isBlank ? end : text, end))
      at = end
    }
    return lines
  }

  /// `true` if a line looks like a key and its value, or like an item of a list.
  func isKey(_ line: Range<Int>) -> Bool {
    let bytes = cursor.bytes
    if bytes[line.lowerBound] == UInt8(ascii: "-"), line.count > 1 {
      return bytes[line.lowerBound + 1] == 0x20
    }
    guard let colon = line.first(where: { bytes[$0] == UInt8(ascii: ":") }), colon > line.lowerBound
    else {
      return false
    }
    let isEnd = cursor.byte(at: colon + 1).map(\.isWhitespace) ?? true
    return isEnd && !bytes[line.lowerBound..<colon].contains { $0 == 0x20 }
  }

  // MARK: Blocks

  private mutating func checkBlock(_ event: borrowing yaml_event_t, from start: Int) {
    let header = cursor.end(from: start + 1) {
      $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
    }
    let comment = cursor.end(from: header) { $0 == 0x20 || $0 == 0x09 }
    if cursor.byte(at: comment) == UInt8(ascii: "#") {
      checkHeader(from: start, end: header, comment: comment)
    }
    let value = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
    if header == start + 1 || !cursor.bytes[start + 1].isDigit,
      value.allSatisfy({ $0 == 0x0A })
    {
      checkBlankBlock(from: start)
    }
  }

  /// Reports text after `|` or `>` in the same line, which is lost as a comment.
  private mutating func checkHeader(from start: Int, end: Int, comment: Int) {
    guard comment == end else {
      guard let byte = cursor.byte(at: comment + 1), !byte.isWhitespace, byte != UInt8(ascii: "#")
      else { return }
      let lost = endOfLine(from: comment)
      return diagnostics.append(
        Diagnostic(
          .warning, rule: .commentInText, at: location(span(lost)),
          message:
            "'\(shortened(lost))' is read as a comment and lost; to keep it, begin the text in the next line"
        ))
    }
    let sign = String(UnicodeScalar(cursor.bytes[start]))
    report(
      .yamlSyntax, at: span(endOfLine(from: start)),
      message:
        "'#' must not directly follow '\(sign)'; write a space before a comment, or begin the text in the next line"
    )
  }

  /// Reports a block scalar whose text is indented less than the blank lines before it: libyaml
  /// ends the block before its text.
  private mutating func checkBlankBlock(from start: Int) {
    var widest = 0
    var at = cursor.end(from: start) { !$0.isLineBreak }
    while at < cursor.bytes.count {
      at = at + 1
      let text = cursor.end(from: at) { $0 == 0x20 }
      guard let byte = cursor.byte(at: text), !byte.isLineBreak else {
        widest = max(widest, text - at)
        at = text
        continue
      }
      guard text - at > max(0, blockColumn), text - at < widest else { return }
      report(
        .yamlSyntax, at: span(endOfLine(from: text)),
        message:
          "the first line of a block of text must not begin left of the blank lines before it; remove their spaces"
      )
      return stop()
    }
  }
}
