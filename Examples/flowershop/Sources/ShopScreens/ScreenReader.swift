import ContentClient

/// A snapshot and the reader for whom it is shown: the input of all pages.
struct ScreenReader: Sendable {
  let snapshot: ContentSnapshot
  let reader: ReaderContext

  /// Returns a text of the catalog `strings/app`, or its key, so that a missing one is noticed.
  func text(_ key: String, count: Int? = nil, _ arguments: KeyValuePairs<String, String> = [:])
    -> String
  {
    snapshot.text(key, count: count, arguments) ?? key
  }

  func price(of product: Product) -> String { product.price(for: reader, in: snapshot.locale) }

  /// Returns a line that leads to an entry, with the entry's title.
  func line(to entry: Entry) -> Page.Line {
    let product = try? entry.decode(Product.self)
    return Page.Line(
      entry["title"]?.text ?? entry.id.text, detail: product.map { price(of: $0) } ?? "",
      link: .place(Place(entry.id)))
  }
}
