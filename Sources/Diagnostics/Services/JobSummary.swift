/// A section of the job summary of GitHub Actions, in GitHub's dialect of Markdown.
package struct JobSummary: Sendable {
  /// The greatest number of bytes that GitHub accepts from one step; it shows nothing of a longer
  /// summary.
  package static let limit = 1 << 20

  /// The heading, in Markdown.
  package var title: String
  /// The paragraphs before the list, in Markdown.
  package var paragraphs: [String]
  /// The items of the list, in Markdown; further lines of an item are indented.
  package var items: [String]

  package init(title: String, paragraphs: [String] = [], items: [String] = []) {
    (self.title, self.paragraphs, self.items) = (title, paragraphs, items)
  }

  /// Returns the section with as many of its first items as fit, and a sentence that counts the
  /// others; empty if there is no room for the paragraphs.
  package func markdown(within room: Int) -> String {
    let head = "### \(title)\n\n" + paragraphs.map { $0 + "\n\n" }.joined()
    func rest(_ count: Int) -> String {
      "\nNo room is left in this job summary for \(count) more.\n\n"
    }
    var left = room - head.utf8.count - rest(items.count).utf8.count
    guard left >= 0 else { return "" }
    var text = head
    for (index, item) in items.enumerated() {
      let line = "- \(item)\n"
      left -= line.utf8.count
      guard left >= 0 else { return text + rest(items.count - index) }
      text += line
    }
    return text + (items.isEmpty ? "" : "\n")
  }
}

extension String {
  /// The text as a code span of Markdown, in which every character stands for itself.
  ///
  /// Foreign text in a code span is no markup, HTML, emoji code, address or mention of a user.
  package var markdownCode: String {
    let line = harmless
    guard !line.isEmpty else { return "" }
    var longest = 0
    var run = 0
    for byte in line.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    // Markdown removes one space at both ends, if there are both and there is other text.
    let ends = [line.utf8.first, line.utf8.last]
    let isPadded =
      ends.contains(UInt8(ascii: "`"))
      || ends.allSatisfy { $0 == UInt8(ascii: " ") }
        && line.utf8.contains { $0 != UInt8(ascii: " ") }
    return fence + (isPadded ? " \(line) " : line) + fence
  }
}
