import ContentModel

/// The runs of a block, in which adjacent texts with equal attributes are joined.
struct RunCollector {
  private(set) var runs: [MarkdownText.Run] = []
  /// The number of the link of the last run, so that long destinations are rarely compared.
  private var lastLink = 0

  /// Adds a text; `linkNumber` differs for each link, and is 0 outside.
  mutating func add(
    _ text: String, style: MarkdownText.Run.Style, link: MarkdownText.Link?, linkNumber: Int,
    position: MarkdownPosition
  ) {
    guard !text.isEmpty else { return }
    if let last = runs.last, last.style == style, last.image == nil,
      lastLink == linkNumber || last.link == link
    {
      runs[runs.count - 1].text += text
    } else {
      runs.append(MarkdownText.Run(text: text, style: style, link: link, position: position))
    }
    lastLink = linkNumber
  }

  mutating func addImage(
    _ path: ExactString, alternative: String, style: MarkdownText.Run.Style,
    link: MarkdownText.Link?,
    linkNumber: Int, position: MarkdownPosition
  ) {
    runs.append(
      MarkdownText.Run(
        text: alternative, style: style, link: link, image: path, position: position))
    lastLink = linkNumber
  }
}
