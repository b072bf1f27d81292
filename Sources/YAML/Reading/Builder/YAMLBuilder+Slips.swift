import CYAML
import ContentModel
import Diagnostics

// Syntax errors by common slips, whose messages name the text to type.
extension YAMLBuilder {
  /// Returns the error for the slip that causes an error of libyaml; `nil` if it is unknown.
  mutating func slip(behind problem: YAMLProblem) -> Diagnostic? {
    if let slip = conflictMarker() ?? splittingComment(near: problem) { return slip }
    let at = cursor.offset(of: problem.mark)
    switch problem.problem {
    case "did not find expected key", "did not find expected '-' indicator":
      return oddIndentation(near: problem) ?? textBehindValue(at: at) ?? hiddenBracket()
        ?? missingSpace(near: problem)
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      return textBehindValue(at: at) ?? hiddenBracket() ?? missingSpace(near: problem)
        ?? missingBracket(before: at)
    case "did not find expected node content":
      return hiddenBracket() ?? unquotedIndicator(at: at)
    case "mapping values are not allowed in this context":
      return textBehindValue(at: at) ?? longKey(before: at) ?? missingSpace(near: problem)
        ?? colonInText(at: at)
        ?? keyBelowText(at: at) ?? missingSign(above: at)
    case "could not find expected ':'":
      return oddIndentation(near: problem) ?? longKey(
        before: endOfLine(from: cursor.offset(of: problem.contextMark)).upperBound)
        ?? otherBullets(in: line(around: cursor.offset(of: problem.contextMark)))
        ?? missingSpace(near: problem)
        ?? missingDashSpace(in: line(around: cursor.offset(of: problem.contextMark)))
        ?? unindentedText(in: line(around: cursor.offset(of: problem.contextMark)))
    case "block sequence entries are not allowed in this context": return unquotedIndicator(at: at)
    case "did not find expected comment or line break", "found an indentation indicator equal to 0":
      guard problem.context.contains("block scalar") else { return nil }
      return unquotedIndicator(at: cursor.offset(of: problem.contextMark))
    case "did not find expected alphabetic or numeric character":
      return unquotedIndicator(at: cursor.offset(of: problem.contextMark))
    case "found character that cannot start any token":
      return cursor.byte(at: at) == 0x09 ? nil : unquotedIndicator(at: at)
    default: return nil
    }
  }

  private func error(
    at span: YAMLSpan, message: String, rule: Rule = .yamlSyntax, fix: String? = nil,
    replacing fixed: YAMLSpan? = nil
  ) -> Diagnostic {
    let fixIt = fix.map { Diagnostic.FixIt((fixed ?? span).range, replacement: $0) }
    return Diagnostic(.error, rule: rule, at: location(span), message: message, fixIt: fixIt)
  }

  // MARK: Conflicts

  /// Returns the error for the first marker of a merge conflict.
  private mutating func conflictMarker() -> Diagnostic? {
    var at = 0
    while at < cursor.bytes.count {
      if isConflictMarker(at: at) {
        return error(
          at: span(endOfLine(from: at)),
          message:
            "a merge conflict is not resolved; keep one of the two versions, and delete the lines of '<', '=' and '>'",
          rule: .mergeConflict)
      }
      at = cursor.end(from: at) { !$0.isLineBreak } + 1
    }
    return nil
  }

  private func isConflictMarker(at start: Int) -> Bool {
    guard let byte = cursor.byte(at: start), "<>=".utf8.contains(byte) else { return false }
    let end = cursor.end(from: start) { $0 == byte }
    return end - start == 7 && (cursor.byte(at: end).map(\.isWhitespace) ?? true)
  }

  // MARK: Comments

  /// Returns the error for a comment between the lines of a text, which ends the text too early.
  private mutating func splittingComment(near problem: YAMLProblem) -> Diagnostic? {
    guard frames.last?.isFlow != true else { return nil }
    let marks = [problem.contextMark, problem.mark].map { line(around: cursor.offset(of: $0)) }
    let above = lineWithText(before: marks[1].lowerBound)
    for line in marks + [above].compactMap(\.self) {
      guard let comment = comment(splitting: line) else { continue }
      let span = span(comment)
      removeDiagnostics(at: location(span))
      return error(
        at: span,
        message:
          "'\(shortened(comment))' is read as a comment, which ends the text above it; to keep it, put the text in quotes",
        rule: .commentInText)
    }
    return nil
  }

  private mutating func removeDiagnostics(at place: SourceLocation) {
    diagnostics = diagnostics.filter { $0.location != place }
  }

  /// The first of the comments between a line and the text that the line continues.
  private func comment(splitting line: Range<Int>) -> Range<Int>? {
    var first: Range<Int>?
    var above = line
    while above.lowerBound > 0 {
      above = self.line(around: endOfLine(before: above.lowerBound))
      let text = cursor.end(from: above.lowerBound) { $0 == 0x20 }
      guard text < above.upperBound, cursor.bytes[text] == UInt8(ascii: "#") else { break }
      first = text..<above.upperBound
    }
    guard let first, let end = above.last, !":|>\"'}]".utf8.contains(cursor.bytes[end]),
      keyColon(in: line) == nil, endsInPlainText(above)
    else { return nil }
    let columns = [line, above].map { line in
      cursor.end(from: line.lowerBound) { $0 == 0x20 } - line.lowerBound
    }
    return columns[0] > columns[1] ? first : nil
  }

  /// Returns `false` for a line that ends in a comment, the header of a block text, an anchor or a
  /// tag.
  private func endsInPlainText(_ line: Range<Int>) -> Bool {
    let words = cursor.bytes[line].split(separator: 0x20)
    guard let mark = words.last?.first, !"|>&!".utf8.contains(mark) else { return false }
    return !words.contains { $0.first == UInt8(ascii: "#") }
  }

  /// The end of the line before the one that begins at an offset.
  private func endOfLine(before start: Int) -> Int {
    let isPair = start > 1 && cursor.bytes[start - 1] == 0x0A && cursor.bytes[start - 2] == 0x0D
    return start - (isPair ? 2 : 1)
  }

  // MARK: Texts without quotes

  /// Returns the error for text after a closing quote or bracket: a quote inside quotes, or a text
  /// that begins with a bracket.
  private mutating func textBehindValue(at offset: Int) -> Diagnostic? {
    guard last.kind == .quoted || last.kind == .flowEnd, last.end <= offset,
      cursor.byte(at: offset) != UInt8(ascii: "]"),
      cursor.byte(at: offset) != UInt8(ascii: "}"),
      !cursor.bytes[last.start..<offset].contains(where: \.isLineBreak)
    else { return nil }
    let isInFlow = frames.last?.isFlow == true
    let first = UnicodeScalar(cursor.bytes[last.start])
    let whole = textToEndOfLine(from: last.start)
    let advice = isInFlow ? "" : "; write \(requoted(whole))"
    let fix = isInFlow ? nil : requoted(whole)
    if last.kind == .flowEnd {
      guard !isInFlow else { return nil }
      return error(
        at: span(whole),
        message: "a text that begins with '\(first)' must be quoted as a whole\(advice)",
        fix: fix)
    }
    guard last.end == offset, cursor.byte(at: offset) != UInt8(ascii: ":") else {
      guard !isInFlow else { return nil }
      return error(
        at: span(whole),
        message: "a text that begins with a quote must be quoted as a whole\(advice)", fix: fix)
    }
    let rule =
      first == "'"
      ? "an apostrophe in single quotes ends the text"
      : "a double quote in double quotes ends the text"
    let other = isInFlow ? (first == "'" ? "; write '' for it" : "; write \\\" for it") : advice
    return error(
      at: span(isInFlow ? last.start..<last.end : whole), message: rule + other, fix: fix)
  }

  /// Returns a text with an unfinished quote, in suitable quotes.
  private func requoted(_ bytes: Range<Int>) -> String {
    let source = written(bytes)
    guard let quote = source.utf8.first, quote.isQuote, source.utf8.last == quote,
      source.utf8.count > 2
    else {
      return source.quotedAsYAML
    }
    let inner = String(Substring(source.utf8.dropFirst().dropLast()))
    return
      (quote == UInt8(ascii: "'")
      ? inner.replacing("''", with: "'") : inner.replacing("\\\"", with: "\""))
      .quotedAsYAML
  }

  /// Returns the error for a text that begins with an indicator of YAML.
  private mutating func unquotedIndicator(at start: Int) -> Diagnostic? {
    guard let byte = cursor.byte(at: start), byte < 0x80, !byte.isWhitespace else { return nil }
    let rule = "a text that begins with '\(UnicodeScalar(byte))' must be quoted"
    guard !isInBrackets(start) else {
      let end = cursor.end(from: start) { !$0.isLineBreak && !",]}".utf8.contains($0) }
      let word = start..<cursor.trimmed(end, notBefore: start)
      if word.isEmpty { return nil }
      return error(at: span(word), message: "\(rule); write \(quoted(word))", fix: quoted(word))
    }
    if let list = otherBullets(in: line(around: start)) { return list }
    let whole = textToEndOfLine(from: start)
    guard let last = furtherLines(of: whole).last else {
      return error(at: span(whole), message: "\(rule); write \(quoted(whole))", fix: quoted(whole))
    }
    let all = whole.lowerBound..<last.upperBound
    return error(
      at: span(whole), message: "\(rule), with its further lines", fix: quoted(all),
      replacing: span(all))
  }

  /// Returns `true` if a bracket is open before an offset.
  ///
  /// Searches the line, too, because libyaml may not have reported a bracket in it yet.
  private func isInBrackets(_ offset: Int) -> Bool {
    if frames.last?.isFlow == true { return true }
    var depth = 0
    var quote: UInt8?
    for byte in cursor.bytes[line(around: offset).lowerBound..<offset] {
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte.isQuote {
        quote = byte
      } else if "[{".utf8.contains(byte) {
        depth += 1
      } else if "]}".utf8.contains(byte) {
        depth -= 1
      }
    }
    return depth > 0
  }

  /// Returns the lines that continue a text without quotes.
  ///
  /// They are indented deeper than the text's key, and end before a line that looks like a key or
  /// has a comment.
  private func furtherLines(of text: Range<Int>) -> [Range<Int>] {
    let column = max(0, blockColumn)
    var further: [Range<Int>] = []
    var end = cursor.end(from: text.upperBound) { !$0.isLineBreak }
    while end < cursor.bytes.count {
      let start = end + (cursor.bytes[end...].starts(with: "\r\n".utf8) ? 2 : 1)
      let line = endOfLine(from: start)
      let first = cursor.end(from: start) { $0 == 0x20 }
      guard first < line.upperBound, first - start > column, !isKey(first..<line.upperBound),
        textToEndOfLine(from: first).upperBound == line.upperBound,
        cursor.bytes[first] != UInt8(ascii: "#")
      else { break }
      further.append(line)
      end = cursor.end(from: start) { !$0.isLineBreak }
    }
    return further
  }

  /// Returns the error for a list whose items begin with another sign than `-`.
  private mutating func otherBullets(in line: Range<Int>) -> Diagnostic? {
    let start = cursor.end(from: line.lowerBound) { $0 == 0x20 }
    guard frames.last?.isFlow != true, start < line.upperBound,
      BulletList.item(Substring(written(start..<line.upperBound))) != nil
    else { return nil }
    let indentation = start - line.lowerBound
    var last = line
    while let below = self.line(after: last) {
      let first = cursor.end(from: below.lowerBound) { $0 == 0x20 }
      guard first < below.upperBound, first - below.lowerBound >= indentation,
        first - below.lowerBound > indentation
          || BulletList.item(Substring(written(first..<below.upperBound))) != nil
      else { break }
      last = below
    }
    let all = start..<last.upperBound
    guard let list = BulletList(written(all)) else { return nil }
    return error(
      at: span(start..<line.upperBound),
      message:
        "an item of a list must begin with '-' and a space, not with '\(list.bullet)', as in - \(list.example())",
      fix: list.written(below: true), replacing: span(all))
  }

  /// Reports text after an undefined alias; returns `false` if there is none.
  mutating func refuseTextLikeAlias(at alias: Range<Int>) -> Bool {
    let rest = cursor.end(from: alias.upperBound) { $0 == 0x20 }
    guard frames.last?.isFlow != true, rest > alias.upperBound, let byte = cursor.byte(at: rest),
      !byte.isWhitespace,
      byte != UInt8(ascii: "#"), byte != UInt8(ascii: ":"),
      let slip = unquotedIndicator(at: alias.lowerBound)
    else { return false }
    diagnostics.append(slip)
    return true
  }

  /// Returns the error for a second colon, as in `title: Sale: half price`.
  private mutating func colonInText(at colon: Int) -> Diagnostic? {
    let line = line(around: colon)
    guard let first = keyColon(in: line), first < colon else { return nil }
    let text = textToEndOfLine(from: cursor.end(from: first + 1) { $0 == 0x20 })
    guard text.contains(colon), frames.last?.isFlow != true else { return nil }
    return error(
      at: span(colon..<colon + 1),
      message: "a text that holds ': ' must be quoted; write \(quoted(text))",
      fix: quoted(text), replacing: span(text))
  }

  /// Returns the error for a key that is indented below another key's text.
  private mutating func keyBelowText(at colon: Int) -> Diagnostic? {
    let line = line(around: colon)
    guard let above = lineWithText(before: line.lowerBound), let first = keyColon(in: above),
      !textToEndOfLine(from: first + 1).isEmpty, keyColon(in: line) == colon,
      last.kind == .plain || last.end <= first
    else { return nil }
    let (key, outer) = (indent(of: line)..<colon, indent(of: above)..<first)
    guard key.lowerBound - line.lowerBound > outer.lowerBound - above.lowerBound else { return nil }
    return error(
      at: span(key),
      message:
        "'\(shortened(key))' is indented below '\(shortened(outer))', which has a text; indent both keys alike"
    )
  }

  // MARK: Keys

  /// Returns the error for a colon without a space after it, in the lines of libyaml's error.
  private mutating func missingSpace(near problem: YAMLProblem) -> Diagnostic? {
    let marks = [cursor.offset(of: problem.contextMark), cursor.offset(of: problem.mark)]
    var lines = marks.map { line(around: $0) }
    if let above = lineWithText(before: lines[1].lowerBound) { lines.append(above) }
    for line in lines.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let start = indent(of: line)
      guard let found = MissingSpace(written(start..<line.upperBound)) else { continue }
      return error(
        at: span(start..<line.upperBound), message: found.message, fix: found.replacement)
    }
    return nil
  }

  /// Returns the error for a line without a key that libyaml joins with the line of an offset.
  private mutating func missingSign(above offset: Int) -> Diagnostic? {
    let below = line(around: offset)
    guard frames.last?.isFlow != true, let line = lineWithText(before: below.lowerBound),
      keyColon(in: line) == nil
    else { return nil }
    let start = indent(of: line)
    guard last.end <= line.lowerBound || (last.kind == .plain && last.start == start) else {
      return nil
    }
    if let slip = missingDashSpace(in: line) { return slip }
    let words = written(start..<line.upperBound).split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].unicodeScalars.allSatisfy(MissingSpace.isOfKey) else {
      return nil
    }
    let fix = "\(words[0]): \(words[1])"
    return error(
      at: span(start..<line.upperBound),
      message: "':' must follow the key '\(words[0])'; write \(fix)",
      fix: fix)
  }

  /// Returns the error for an item of a list without a space after its dash.
  private mutating func missingDashSpace(in line: Range<Int>) -> Diagnostic? {
    let dash = cursor.end(from: line.lowerBound) { $0 == 0x20 }
    guard dash + 1 < line.upperBound, cursor.bytes[dash] == UInt8(ascii: "-"),
      cursor.bytes[dash + 1] != UInt8(ascii: "-"), !cursor.bytes[dash + 1].isWhitespace
    else { return nil }
    let fix = "- " + written(dash + 1..<line.upperBound)
    // The fix includes the items below, which have the same slip.
    var (last, fixes) = (line, [fix])
    while let below = self.line(after: last),
      case let start = cursor.end(from: below.lowerBound, while: { $0 == 0x20 }),
      start - below.lowerBound == dash - line.lowerBound, start + 1 < below.upperBound,
      cursor.bytes[start] == UInt8(ascii: "-"),
      cursor.bytes[start + 1] != UInt8(ascii: "-"), !cursor.bytes[start + 1].isWhitespace
    {
      fixes.append(written(last.upperBound..<start) + "- " + written(start + 1..<below.upperBound))
      last = below
    }
    return error(
      at: span(dash..<line.upperBound), message: "a space must follow '-'; write \(fix)",
      fix: fixes.joined(), replacing: span(dash..<last.upperBound))
  }

  /// Returns the error for a key of more than 1,024 characters, the limit of YAML 1.2 and libyaml.
  private mutating func longKey(before offset: Int) -> Diagnostic? {
    let line = line(around: min(offset, cursor.bytes.count))
    let start = indent(of: line)
    guard line.upperBound - start > 1_024,
      let colon = (start..<line.upperBound).first(where: {
        cursor.bytes[$0] == UInt8(ascii: ":")
          && (cursor.byte(at: $0 + 1).map(\.isWhitespace) ?? true)
      }), cursor.bytes[start..<colon].count(where: { !$0.isContinuation }) > 1_024
    else { return nil }
    return error(
      at: span(start..<colon), message: "a key must have at most 1,024 characters; shorten it")
  }

  // MARK: Brackets

  /// Returns the error for a comment that hides a closing bracket.
  private mutating func hiddenBracket() -> Diagnostic? {
    guard let frame = frames.last(where: \.isFlow) else { return nil }
    let line = endOfLine(from: frame.start)
    let comment = line.dropFirst().first {
      cursor.bytes[$0] == UInt8(ascii: "#")
        && (cursor.bytes[$0 - 1].isWhitespace || ",[{".utf8.contains(cursor.bytes[$0 - 1]))
    }
    guard let comment, comment + 1 < line.upperBound, !cursor.bytes[comment + 1].isWhitespace else {
      return nil
    }
    let end = cursor.end(from: comment) { !$0.isWhitespace && !",]}".utf8.contains($0) }
    diagnostics.removeAll { $0.rule == .commentInText }
    return error(
      at: span(comment..<end),
      message:
        "'#' begins a comment, which hides the rest of the line; write \(quoted(comment..<end))",
      fix: quoted(comment..<end))
  }

  /// Returns the error for brackets that are not closed before the next key of the mapping around
  /// them.
  private mutating func missingBracket(before offset: Int) -> Diagnostic? {
    let line = line(around: offset)
    let text = indent(of: line)
    let open = frames.reversed().prefix(while: \.isFlow)
    guard let outermost = open.last, outermost.start < line.lowerBound, text < line.upperBound,
      text - line.lowerBound <= max(0, blockColumn), isKey(text..<line.upperBound),
      let above = lineWithText(before: line.lowerBound)
    else { return nil }
    let start = max(indent(of: above), outermost.start)
    let whole = textToEndOfLine(from: start)
    let brackets = open.map { $0.kind == .mapping ? "}" : "]" }.joined()
    let closed = written(whole) + brackets
    let first = UnicodeScalar(cursor.bytes[outermost.start])
    return error(
      at: span(whole),
      message: "'\(first)' is not closed before the next key; close it here: \(closed)",
      fix: closed)
  }

  // MARK: Escapes

  /// Returns the error for a character that JSON escapes as two surrogates.
  mutating func surrogates(at offset: Int) -> Diagnostic? {
    let start = offset - 2
    guard start >= 0 else { return nil }
    let line = endOfLine(from: start)
    var (at, end) = (start, start)
    var text: [UInt8] = []
    while at < line.upperBound {
      if let character = surrogatePair(at: at) {
        text += cursor.bytes[end..<at]
        text += String(character).utf8
        at += 12
        end = at
      } else if cursor.bytes[at] == UInt8(ascii: "\"") {
        break
      } else {
        at += cursor.bytes[at] == UInt8(ascii: "\\") ? 2 : 1
      }
    }
    guard end > start else { return nil }
    let written = String(decoding: text, as: UTF8.self)
    return error(
      at: span(start..<end),
      message: "a character past U+FFFF is no pair of '\\u'; write \(written)", fix: written)
  }

  /// Returns the character of a high and a low surrogate at an offset.
  private func surrogatePair(at offset: Int) -> Character? {
    guard let high = escapedUnit(at: offset), let low = escapedUnit(at: offset + 6),
      UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low)
    else { return nil }
    return String(decoding: [high, low], as: UTF16.self).first
  }

  /// Returns the number of an escape `\uXXXX`.
  private func escapedUnit(at offset: Int) -> UInt16? {
    guard offset + 6 <= cursor.bytes.count,
      cursor.bytes[offset..<offset + 2].elementsEqual("\\u".utf8)
    else { return nil }
    return UInt16(written(offset + 2..<offset + 6), radix: 16)
  }

  // MARK: Lines

  /// Returns the error for a line that begins with a look-alike of a space.
  private mutating func oddIndentation(near problem: YAMLProblem) -> Diagnostic? {
    guard frames.last?.isFlow != true else { return nil }
    for mark in [problem.contextMark, problem.mark] {
      let line = line(around: cursor.offset(of: mark))
      let start = cursor.end(from: line.lowerBound) { $0 == 0x20 }
      let text = written(line.lowerBound..<line.upperBound)
      let margin = text.unicodeScalars.prefix { $0.properties.isWhitespace }
      guard start < line.upperBound, let odd = margin.first(where: { !$0.isASCII }) else {
        continue
      }
      let fix =
        String(repeating: " ", count: margin.count)
        + String(text.unicodeScalars[margin.endIndex...])
      return error(
        at: span(line),
        message: "a line must be indented with ordinary spaces, not with \(odd.codeName)",
        fix: fix)
    }
    return nil
  }

  /// Returns the error for a line of a text that is not indented below the text's key.
  private mutating func unindentedText(in line: Range<Int>) -> Diagnostic? {
    guard let above = lineWithText(before: line.lowerBound), let colon = keyColon(in: above) else {
      return nil
    }
    let start = indent(of: above)
    let (key, value) = (written(start..<colon), written(textToEndOfLine(from: colon + 1)))
    let needed = start - above.lowerBound + 2
    let sign = value.filter { $0 != " " }
    if [">", ">-", ">+", "|", "|-", "|+"].contains(sign) {
      return error(
        at: span(line),
        message:
          "the text below '\(key): \(sign)' must be indented deeper than its key; put \(needed) spaces before each line"
      )
    }
    return error(
      at: span(line),
      message:
        "a key must be followed by ':' in the same line; a line of the text of '\(key)' must begin with \(needed) spaces"
    )
  }

  /// Returns the line of an offset, without trailing white space.
  func line(around offset: Int) -> Range<Int> {
    let start = cursor.bytes[..<offset].lastIndex(where: \.isLineBreak).map { $0 + 1 } ?? 0
    return endOfLine(from: start)
  }

  /// Returns the line after another, without trailing white space; `nil` after the last line.
  private func line(after line: Range<Int>) -> Range<Int>? {
    let end = cursor.end(from: line.upperBound) { !$0.isLineBreak }
    guard end < cursor.bytes.count else { return nil }
    return endOfLine(from: end + (cursor.bytes[end...].starts(with: "\r\n".utf8) ? 2 : 1))
  }

  /// Returns the last line before an offset that is neither blank nor a comment.
  func lineWithText(before start: Int) -> Range<Int>? {
    var start = start
    while start > 0 {
      let line = line(around: start - 1)
      let first = cursor.bytes[line].first { $0 != 0x20 }
      if let first, first != UInt8(ascii: "#") { return line }
      start = line.lowerBound
    }
    return nil
  }

  /// Returns the start of a line's key, after spaces and the dashes of lists.
  func indent(of line: Range<Int>) -> Int {
    var at = line.lowerBound
    while at < line.upperBound {
      if cursor.bytes[at] == 0x20 {
        at += 1
      } else if cursor.bytes[at] == UInt8(ascii: "-"), cursor.byte(at: at + 1) == 0x20 {
        at += 2
      } else {
        break
      }
    }
    // A dash at the end of a line was followed by white space, which is no part of it.
    return min(at, line.upperBound)
  }

  /// Returns the first colon of a line that ends a key.
  func keyColon(in line: Range<Int>) -> Int? {
    line.first {
      cursor.bytes[$0] == UInt8(ascii: ":") && (cursor.byte(at: $0 + 1).map(\.isWhitespace) ?? true)
    }
  }
}
