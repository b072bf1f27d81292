/// The signs of Markdown in the texts of a block: readers see them, because they have no effect.
///
/// Emphasis has none between a letter and a sign of punctuation, so `これは**「重要」**です` is not bold. Most
/// signs are meant as text, for example `5 * 3` or a footnote `Price**`, and are not reported.
struct UnparsedSigns {
  /// A problem, and its range in the content of the block.
  struct Problem {
    var message: String
    var range: Range<Int>
  }

  /// Some equal signs, and their range in the content.
  private struct Run {
    var sign: UInt8
    var range: Range<Int>
  }

  private var runs: [Run] = []
  private var comment: Int?

  /// Adds a range of the content that is a text.
  mutating func add(_ range: Range<Int>, of content: UnsafeBufferPointer<UInt8>) {
    var index = range.lowerBound
    while index < range.upperBound {
      let sign = content[index]
      switch sign {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "*"), UInt8(ascii: "~"):
        let end = content[index..<range.upperBound].firstIndex { $0 != sign } ?? range.upperBound
        runs.append(Run(sign: sign, range: index..<end))
        index = end
      case UInt8(ascii: "<"):
        if comment == nil, content[index..<range.upperBound].starts(with: "<!--".utf8) {
          comment = index
        }
        index += 1
      default: index += 1
      }
    }
  }

  /// Returns at most one problem of each kind.
  func problems(
    in content: UnsafeBufferPointer<UInt8>, _ options: MarkdownOptions
  ) -> [Problem] {
    if runs.isEmpty, comment == nil { return [] }
    var problems: [Problem] = []
    if let comment {
      problems.append(
        Problem(
          message:
            "readers see this comment of HTML; delete it, or write it as a line '# …' above the key",
          range: comment..<comment + "<!--".utf8.count))
    }
    let stars = runs.filter { $0.sign == UInt8(ascii: "*") }
    if let problem = emphasis(stars.filter { (2...3).contains($0.range.count) }, in: content) {
      problems.append(problem)
    } else if let problem = emphasis(stars.filter { $0.range.count == 1 }, in: content) {
      problems.append(problem)
    }
    let tildes = runs.filter { $0.sign == UInt8(ascii: "~") && $0.range.count == 2 }
    if !options.strikethrough, let pair = Self.pair(among: tildes, in: content) {
      problems.append(
        Problem(
          message:
            "readers see '~~'; add 'strikethrough: true' to its field, or write \\~\\~ for the signs",
          range: pair.first.range))
    }
    return problems
  }

  /// Returns the problem of stars without an effect: two around a text, or one without a second.
  private func emphasis(_ runs: [Run], in content: UnsafeBufferPointer<UInt8>) -> Problem? {
    guard let first = runs.first(where: { Self.mayBegin($0, in: content) }) else { return nil }
    let signs = String(repeating: "*", count: first.range.count)
    guard let pair = Self.pair(among: runs, in: content) else {
      // A single star is often a text. Between two letters, two are a power.
      guard signs.utf8.count > 1, !Self.isBetweenLetters(first, in: content) else { return nil }
      let escaped = String(repeating: "\\*", count: signs.utf8.count)
      return Problem(
        message:
          "readers see '\(signs)', because no second one follows; write it behind the text, or \(escaped) for the signs",
        range: first.range)
    }
    let inner = String(
      decoding: content[pair.first.range.upperBound..<pair.second.range.lowerBound], as: UTF8.self)
    let advice =
      Self.emphasized(inner, signs: signs).map { "write \($0)" }
      ?? "put spaces around the emphasized text"
    return Problem(
      message:
        "readers see '\(signs)', because a letter and a sign of punctuation are beside it; \(advice)",
      range: pair.first.range)
  }

  /// Returns the first two runs that may begin and end an emphasis.
  private static func pair(
    among runs: [Run], in content: UnsafeBufferPointer<UInt8>
  ) -> (first: Run, second: Run)? {
    guard let place = runs.firstIndex(where: { mayBegin($0, in: content) }) else { return nil }
    let first = runs[place]
    let second = runs[(place + 1)...].first {
      $0.range.count == first.range.count && mayEnd($0, in: content)
    }
    return second.map { (first, $0) }
  }

  /// Returns the text with the signs inside of the punctuation at its ends; `nil` if it has other
  /// punctuation at both sides of no text.
  private static func emphasized(_ text: String, signs: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count <= 60, !scalars.contains("\n"),
      let first = scalars.firstIndex(where: { !$0.isPunctuation }),
      let last = scalars.lastIndex(where: { !$0.isPunctuation })
    else { return nil }
    func part(_ range: Range<Int>) -> String {
      String(String.UnicodeScalarView(scalars[range]))
    }
    return part(0..<first) + signs + part(first..<last + 1) + signs
      + part(last + 1..<scalars.count)
  }

  /// Returns `true` if a text follows signs immediately.
  private static func mayBegin(_ run: Run, in content: UnsafeBufferPointer<UInt8>) -> Bool {
    scalar(after: run, in: content).map { !$0.properties.isWhitespace } ?? false
  }

  /// Returns `true` if a text precedes signs immediately.
  private static func mayEnd(_ run: Run, in content: UnsafeBufferPointer<UInt8>) -> Bool {
    scalar(before: run, in: content).map { !$0.properties.isWhitespace } ?? false
  }

  private static func isBetweenLetters(_ run: Run, in content: UnsafeBufferPointer<UInt8>) -> Bool {
    [scalar(before: run, in: content), scalar(after: run, in: content)].allSatisfy { scalar in
      scalar.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    }
  }

  private static func scalar(
    after run: Run, in content: UnsafeBufferPointer<UInt8>
  ) -> Unicode.Scalar? {
    String(decoding: content[run.range.upperBound...].prefix(4), as: UTF8.self).unicodeScalars.first
  }

  private static func scalar(
    before run: Run, in content: UnsafeBufferPointer<UInt8>
  ) -> Unicode.Scalar? {
    String(decoding: content[..<run.range.lowerBound].suffix(4), as: UTF8.self).unicodeScalars.last
  }
}

extension Unicode.Scalar {
  /// `true` for punctuation in the sense of CommonMark.
  fileprivate var isPunctuation: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      true
    default: value < 0x80 && UInt8(value).isPunctuation
    }
  }
}
