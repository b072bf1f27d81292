import ContentClient

extension Page {
  /// Lists the products that a filter chooses.
  init(products filter: ProductFilter, for reader: ScreenReader) {
    let category = filter.category.flatMap { reader.snapshot.entry($0, in: "categories") }
    self.init(title: category?["title"]?.text ?? reader.text("actions.search"))
    if let blurb = category?["blurb"]?.text { lines += [Line(blurb, style: .footnote), .space] }
    let products = reader.snapshot.entries(
      Product.self, in: "catalog", where: filter.matches,
      sort: [filter.order?.sort].compactMap(\.self), limit: filter.limit)
    for product in products { lines += Self.rows(of: product, for: reader) }
  }

  private static func rows(of product: Product, for reader: ScreenReader) -> [Line] {
    var title = product.title
    for badge in product.badges ?? [] { title += badge.label.map { " · \($0)" } ?? "" }
    let price = product.available ? reader.price(of: product) : reader.text("labels.sold_out")
    let row = Line(
      title, detail: price, color: product.accent, link: .place(.entry(product.id)))
    guard let subtitle = product.subtitle else { return [row] }
    return [row, Line(subtitle, style: .footnote)]
  }

  /// Lays the page of a product out, whose bundle has more fields than lists show.
  init(product entry: Entry, for reader: ScreenReader) throws {
    let product = try entry.decode(Product.self)
    self.init(title: product.title)
    let price = product.available ? reader.price(of: product) : reader.text("labels.sold_out")
    lines.append(
      Line(product.title, detail: price, style: .largeTitle, color: product.accent))
    if let subtitle = product.subtitle { lines.append(Line(subtitle, style: .headline)) }
    // A field is read by itself; nothing else is decoded.
    if let description = entry["description"]?.text { lines += [.space, Line(description)] }
    for highlight in entry["highlights"]?.items ?? [] {
      lines.append(Line("• \(highlight.text ?? "")"))
    }
    if let stems = entry["stems"]?.number {
      lines.append(Line("• \(reader.text("stems", count: stems))"))
    }
    if let height = entry["size.height"]?.number, let width = entry["size.width"]?.number {
      lines.append(Line("• \(height) × \(width) cm"))
    }
    if let care = entry["care"]?.text {
      lines += [.space, Line(reader.text("labels.care"), style: .headline), Line(care)]
    }
    lines.append(.space)
    if let picture = product.image { lines.append(Self.line(for: picture)) }
    if let category = entry.reference("category") { lines.append(reader.line(to: category)) }
    let partners = entry.references("pairsWith").map { reader.line(to: $0) }
    if !partners.isEmpty {
      lines += [.space, Line(reader.text("labels.pairs_with"), style: .headline)] + partners
    }
  }

  private static func line(for picture: AssetValue) -> Line {
    let size = [picture.width, picture.height].compactMap(\.self).map(String.init)
    return Line(
      "❀ \(picture.type)", detail: size.joined(separator: " × "), link: .picture(picture))
  }
}
