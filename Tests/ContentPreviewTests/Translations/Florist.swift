import ContentModel
import Testing
import Translations

@testable import ContentPreview

/// The translations of a small shop into French and Arabic.
enum Florist {
  /// The unit of a title that is translated into French.
  static let title: ExactString = "product/rose#title"
  /// The unit of a text that is missing in French.
  static let care: ExactString = "product/rose#care"

  static func translations() throws -> MemoryTranslations {
    let rose = try #require(EntryID("product/rose"))
    let tag = { (name: String) in try #require(LocaleTag(name)) }
    let (english, french, arabic) = (try tag("en"), try tag("fr"), try tag("ar"))
    let care = PreviewTranslations.Unit(
      id: care, entry: rose, source: "Water {count} times", state: .new,
      inherited: .init(text: "Water {count} times", locale: english), maximumLength: 30,
      whereUsed: ["screen/home"])
    let known = PreviewTranslations.Unit(
      id: title, entry: rose, source: "Rose", target: "Rose rouge", state: .needsReview,
      isOutdated: true, note: "The name of a flower", isMarkdown: true,
      location: "content/entries/product/rose.fr.yaml:1:8")
    return MemoryTranslations(
      source: english, units: [(french, [known, care]), (arabic, [care])])
  }
}
