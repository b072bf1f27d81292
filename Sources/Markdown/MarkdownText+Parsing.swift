/// The extensions of CommonMark that a text may use; without them, their signs are text.
package struct MarkdownOptions: Hashable, Sendable {
  /// Tables, as GitHub has them.
  package var tables: Bool
  /// Struck text between `~` or `~~`.
  package var strikethrough: Bool

  package init(tables: Bool = false, strikethrough: Bool = false) {
    (self.tables, self.strikethrough) = (tables, strikethrough)
  }
}

extension MarkdownText {
  /// The most bytes of a text; a longer one is a problem, and has no blocks.
  package static let longestText = 1_000_000

  /// The most quotes and lists around a block; deeper ones are a problem, and left out.
  package static let deepestNesting = 32

  /// Reads a text, and returns its blocks with all its problems, in order of position.
  ///
  /// Blocks have only parts that follow the rules: raw HTML is left out, a link or image with a
  /// wrong destination is its text, and a deep heading has level 4.
  ///
  /// ```swift
  /// let (text, problems) = MarkdownText.parse("See **our** [roses](product/rose).")
  /// ```
  package static func parse(
    _ text: String, options: MarkdownOptions = .init()
  ) -> (text: MarkdownText, problems: [MarkdownProblem]) {
    let result = read(text, options: options)
    return (result.text, result.problems)
  }

  /// Reads a text, and also returns the number of blocks for whose runs no position was found.
  static func read(
    _ text: String, options: MarkdownOptions
  ) -> (text: MarkdownText, problems: [MarkdownProblem], lostPositions: Int) {
    // A longer text is not even copied; only the position of its excess is looked for.
    if text.utf8.count > longestText {
      let end = text.utf8.index(text.startIndex, offsetBy: longestText)
      let source = SourceText(String(text.unicodeScalars[..<end]))
      let place = MarkdownPlace(position: source.position(ofByte: source.bytes.count), length: 1)
      let message =
        "a Markdown text must have at most 1,000,000 bytes; split it into several entries"
      return (MarkdownText(blocks: []), [MarkdownProblem(.size, message: message, at: place)], 0)
    }
    let source = SourceText(text)
    if let problem = WorkEstimate.problem(in: source, options: options) {
      return (MarkdownText(blocks: []), [problem], 0)
    }
    var reader = BlockReader(source, options: options)
    reader.read()
    return (reader.text, reader.sortedProblems, reader.lostPositions)
  }
}
