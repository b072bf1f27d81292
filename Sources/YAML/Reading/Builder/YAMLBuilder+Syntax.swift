import CYAML
import ContentModel
import Diagnostics

extension YAMLBuilder {
  /// Returns an error of libyaml as the rule that is broken, at the text that breaks it.
  mutating func diagnostic(for problem: YAMLProblem) -> Diagnostic {
    if let slip = slip(behind: problem) { return slip }
    let found = cursor.byte(at: problem.mark)
    switch problem.problem {
    case "found character that cannot start any token":
      return unexpectedStart(problem, found: found)
    case "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      return tab(problem)
    case "could not find expected ':'":
      return syntax(
        at: line(from: problem.contextMark),
        message: "a key must be followed by ':' in the same line",
        notes: [
          Diagnostic.Note("a line that continues a text must be indented deeper than its key")
        ])
    case "mapping values are not allowed in this context":
      let notes = [
        Diagnostic.Note("text that holds ': ' must be quoted"),
        Diagnostic.Note("nested keys begin a line of their own, indented alike"),
      ]
      return syntax(
        at: one(problem.mark), message: "':' must follow the key of a mapping", notes: notes)
    case "block sequence entries are not allowed in this context":
      return syntax(
        at: one(problem.mark), message: "an item's '-' must begin a line",
        notes: [Diagnostic.Note("text that begins with '- ' must be quoted")])
    case "mapping keys are not allowed in this context":
      return syntax(
        at: one(problem.mark), message: "a key's '?' must begin a line",
        notes: [Diagnostic.Note("text that begins with '? ' must be quoted")])
    case "found unexpected end of stream" where problem.context.contains("quoted"):
      return unclosed(at: cursor.offset(of: problem.contextMark))
    case "found unexpected document indicator":
      return syntax(
        at: line(from: problem.contextMark),
        message: "a quoted text must end before '---' or '...' begins a line")
    case "found unknown escape character": return escape(problem)
    case "did not find expected hexdecimal number":
      return syntax(
        at: one(problem.mark),
        message: "'\\x', '\\u' and '\\U' must be followed by 2, 4 and 8 hexadecimal digits")
    case "found invalid Unicode character escape code":
      if let slip = surrogates(at: cursor.offset(of: problem.mark)) { return slip }
      let note = Diagnostic.Note(
        "a character past U+FFFF is written as one '\\U' and 8 digits, not as two surrogates")
      return syntax(
        at: one(problem.mark), message: "an escape must name a Unicode character", notes: [note])
    case "found undefined tag handle":
      return syntax(
        at: word(from: problem.mark), message: "a tag's prefix must be declared by a '%TAG' line",
        rule: .unknownTag)
    case "did not find expected <document start>": return textAfterEnd(problem)
    default: return parserDiagnostic(for: problem, found: found)
    }
  }

  private mutating func parserDiagnostic(for problem: YAMLProblem, found: UInt8?) -> Diagnostic {
    switch problem.problem {
    case "did not find expected ',' or ']'":
      return unclosed(
        problem, found: found, message: "'[' must be closed by ']', and ',' must be between items")
    case "did not find expected ',' or '}'":
      return unclosed(
        problem, found: found, message: "'{' must be closed by '}', and ',' must be between members"
      )
    case "did not find expected key":
      let note = Diagnostic.Note("the mapping begins here", at: location(one(problem.contextMark)))
      return syntax(
        at: word(from: problem.mark),
        message:
          "a key must begin in the column of the other keys of its mapping, here column \(columns(above: problem))",
        notes: [note])
    case "did not find expected '-' indicator":
      let note = Diagnostic.Note("the list begins here", at: location(one(problem.contextMark)))
      if let columns = columnsOfKey(inListOf: problem) {
        return syntax(
          at: word(from: problem.mark),
          message:
            "a key must begin in the column of the other keys of its mapping, here column \(columns)",
          notes: [note])
      }
      return syntax(
        at: word(from: problem.mark),
        message: "an item must begin with '- ' in the column of the others",
        notes: [note])
    case "did not find expected node content" where found == nil && openBracket() != nil:
      let isList = frames.last.map { $0.kind == .sequence } ?? true
      return syntax(
        at: openBracket() ?? one(problem.mark),
        message: isList ? "'[' must be closed by ']'" : "'{' must be closed by '}'")
    case "did not find expected node content":
      return syntax(
        at: one(problem.mark), message: "a value must be here",
        notes: [Diagnostic.Note("text that begins with a special character must be quoted")])
    case "did not find expected alphabetic or numeric character":
      return syntax(
        at: one(problem.contextMark),
        message: "'&' and '*' must be followed by a name of ASCII letters, digits, '-' and '_'")
    case "found duplicate %YAML directive", "found duplicate %TAG directive":
      return syntax(at: line(from: problem.mark), message: "a directive must occur only once")
    case "found incompatible YAML document":
      return syntax(at: line(from: problem.mark), message: "a file must be of YAML 1.1 or 1.2")
    default:
      let words = [problem.problem, problem.context].filter { !$0.isEmpty }.joined(separator: " ")
      return syntax(at: one(problem.mark), message: words.isEmpty ? "a file must be YAML" : words)
    }
  }

  /// Returns the columns in which a misplaced key may begin.
  private mutating func columns(above problem: YAMLProblem) -> String {
    let line = line(around: cursor.offset(of: problem.mark))
    let outer = Int(problem.contextMark.column) + 1
    let inner = lineWithText(before: line.lowerBound).flatMap { columnOfKey(in: $0) } ?? outer
    return inner == outer ? "\(outer)" : "\(outer) or \(inner)"
  }

  /// Returns the columns in which a key of a list's last item may begin, if a key is where an item
  /// must be; `nil` for other text.
  private mutating func columnsOfKey(inListOf problem: YAMLProblem) -> String? {
    let line = line(around: cursor.offset(of: problem.mark))
    let list = self.line(around: cursor.offset(of: problem.contextMark))
    let dash = Int(problem.contextMark.column)
    let text = cursor.bytes[line]
    let isKey = text.indices.contains { index in
      text[index] == UInt8(ascii: ":") && (index + 1 == text.endIndex || text[index + 1] == 0x20)
    }
    guard isKey, cursor.byte(at: list.lowerBound + dash) == UInt8(ascii: "-") else { return nil }
    var (start, below): (Int, Range<Int>?) = (line.lowerBound, nil)
    while start > list.lowerBound, let above = lineWithText(before: start) {
      start = above.lowerBound
      let isItem =
        cursor.bytes[above].prefix(dash).allSatisfy { $0 == 0x20 }
        && cursor.byte(at: above.lowerBound + dash) == UInt8(ascii: "-")
      guard isItem || start == list.lowerBound else {
        below = above
        continue
      }
      let inner = (isDashAlone(above) ? below : above).flatMap { columnOfKey(in: $0) }
      let columns = [columnOfKey(around: list, at: dash, for: problem), inner].compactMap(\.self)
      return columns.isEmpty ? nil : columns.map(String.init).joined(separator: " or ")
    }
    return nil
  }

  /// Returns the column of the key that has a list, if a key in the column of the dashes may be one
  /// of its mapping.
  private func columnOfKey(around list: Range<Int>, at dash: Int, for problem: YAMLProblem) -> Int?
  {
    guard Int(problem.mark.column) == dash,
      cursor.bytes[list].prefix(dash).allSatisfy({ $0 == 0x20 }),
      let key = lineWithText(before: list.lowerBound), keyColon(in: key) == key.upperBound - 1,
      let column = columnOfKey(in: key), column != dash + 1
    else { return nil }
    return column
  }

  /// Returns the column of the key with which a line begins, after the dashes of lists.
  private func columnOfKey(in line: Range<Int>) -> Int? {
    let start = indent(of: line)
    guard let colon = keyColon(in: line), colon > start else { return nil }
    let key = cursor.bytes[start..<colon]
    let isQuoted = [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(cursor.bytes[start])
    let isKey =
      isQuoted
      ? key.count > 1 && key.last == key.first
      : !"[{#".utf8.contains(cursor.bytes[start]) && !key.contains(" #".utf8)
    return isKey ? start - line.lowerBound + 1 : nil
  }

  /// Returns `true` if the item of a dash begins in a line below.
  private func isDashAlone(_ line: Range<Int>) -> Bool {
    let start = indent(of: line)
    return start == line.upperBound || cursor.bytes[start] == UInt8(ascii: "#")
      || (cursor.bytes[start] == UInt8(ascii: "-") && start + 1 == line.upperBound)
  }

  private mutating func openBracket() -> YAMLSpan? {
    guard let frame = frames.last, frame.isFlow else { return nil }
    return mark(at: frame.start).span(1)
  }

  private mutating func unexpectedStart(_ problem: YAMLProblem, found: UInt8?) -> Diagnostic {
    guard let found, found != 0x09 else { return tab(problem) }
    let character = String(UnicodeScalar(found))
    return syntax(
      at: word(from: problem.mark), message: "text that begins with '\(character)' must be quoted")
  }

  private mutating func tab(_ problem: YAMLProblem) -> Diagnostic {
    syntax(
      at: one(problem.mark), message: "lines must be indented with spaces, not tabs",
      rule: .tabIndentation)
  }

  private mutating func escape(_ problem: YAMLProblem) -> Diagnostic {
    let start = cursor.offset(of: problem.mark)
    let isAtBackslash = cursor.byte(at: start) == UInt8(ascii: "\\")
    let mark = YAMLMark(problem.mark)
    let span =
      isAtBackslash
      ? mark.span(2) : YAMLMark(line: mark.line, column: max(1, mark.column) - 1).span(2)
    let note = Diagnostic.Note(
      "a backslash is written '\\\\' in double quotes, and stands for itself in single ones")
    return syntax(
      at: span, message: "a backslash in double quotes must begin an escape of YAML", notes: [note])
  }

  private mutating func textAfterEnd(_ problem: YAMLProblem) -> Diagnostic {
    if hasDocumentEnd(before: cursor.offset(of: problem.mark)) {
      let message = "a file must hold one document; '...' ends it"
      return syntax(at: line(from: problem.mark), message: message, rule: .multipleDocuments)
    }
    return syntax(
      at: line(from: problem.mark), message: "nothing must follow the end of the file's only value")
  }

  /// Returns `true` if the line before ends a document.
  private func hasDocumentEnd(before offset: Int) -> Bool {
    cursor.bytes[..<offset].reversed().drop(while: \.isWhitespace).starts(with: "...".utf8)
  }

  private mutating func unclosed(_ problem: YAMLProblem, found: UInt8?, message: String)
    -> Diagnostic
  {
    guard found != nil else { return syntax(at: one(problem.contextMark), message: message) }
    let note = Diagnostic.Note("the bracket is here", at: location(one(problem.contextMark)))
    return syntax(at: word(from: problem.mark), message: message, notes: [note])
  }

  private func syntax(
    at span: YAMLSpan, message: String, notes: [Diagnostic.Note] = [], rule: Rule = .yamlSyntax
  ) -> Diagnostic {
    Diagnostic(.error, rule: rule, at: location(span), message: message, notes: notes)
  }

  /// Returns the span of the character at a mark; empty at the end of the file.
  private mutating func one(_ mark: yaml_mark_t) -> YAMLSpan {
    YAMLMark(mark).span(cursor.byte(at: mark).map { $0 == 0x0A || $0 == 0x0D ? 0 : 1 } ?? 0)
  }

  /// Returns the span from a mark to the next space.
  private mutating func word(from mark: yaml_mark_t) -> YAMLSpan {
    span(from: mark, while: { !$0.isWhitespace })
  }

  /// Returns the span from a mark to the end of its line.
  private mutating func line(from mark: yaml_mark_t) -> YAMLSpan {
    span(from: mark, while: { $0 != 0x0A && $0 != 0x0D })
  }

  private mutating func span(from mark: yaml_mark_t, while condition: (UInt8) -> Bool) -> YAMLSpan {
    let start = cursor.offset(of: mark)
    var end = cursor.end(from: start, while: condition)
    while end > start, cursor.bytes[end - 1] == 0x20 || cursor.bytes[end - 1] == 0x09 { end -= 1 }
    return YAMLSpan(
      start: YAMLMark(mark), end: cursor.mark(at: end, from: start, at: YAMLMark(mark)))
  }
}
