import ContentClient

/// A screen or a step: a title and elements from top to bottom.
struct Screen: Decodable, Sendable {
  /// An element; the client removes those outside their dates.
  struct Element: Decodable, Sendable {
    let type: String
    let title: String?
    let value: String?
    let action: String?
    let fontStyle: String?
    let fontColor: String?
    let align: String?
  }

  let title: String
  let elements: [Element]?
}

extension Page {
  /// Lays a screen out.
  init(screen: Entry, for reader: ScreenReader) throws {
    let content = try screen.decode(Screen.self)
    self.init(title: content.title)
    for element in content.elements ?? [] { lines += Self.lines(of: element, for: reader) }
  }

  static func lines(of element: Screen.Element, for reader: ScreenReader) -> [Line] {
    let title = element.title ?? ""
    switch element.type {
    case "space": return [.space]
    case "image": return [Line("❀", style: .title, alignment: .center)]
    case "row": return [row(element, for: reader)]
    case "input": return [line(of: element, text: "\(title): ______")] + value(element)
    case "toggle": return [line(of: element, text: "[ ] \(title)")] + value(element)
    default: return [line(of: element, text: title)] + value(element)
    }
  }

  /// A row may lead to a category: then it names the lowest price there.
  private static func row(_ element: Screen.Element, for reader: ScreenReader) -> Line {
    var row = line(of: element, text: element.title ?? "")
    row.detail = element.value ?? ""
    guard case .place(.products(let filter)) = row.link else { return row }
    let cheapest = reader.snapshot.entries(
      Product.self, in: "catalog", where: filter.matches, sort: [.ascending("price")], limit: 1)
    if let cheapest = cheapest.first {
      row.detail = reader.text("labels.from_price", ["price": reader.price(of: cheapest)])
    }
    return row
  }

  private static func line(of element: Screen.Element, text: String) -> Line {
    let place = element.action.flatMap { Place(action: $0) }
    let ownStyle = element.fontStyle.flatMap { Style(rawValue: $0) } ?? .body
    return Line(
      text,
      // A terminal cannot call or write: it shows the number or the address.
      detail: place == nil ? element.action ?? "" : "",
      style: element.type == "button" ? .button : ownStyle, alignment: alignment(of: element),
      color: element.fontColor, link: place.map { .place($0) })
  }

  private static func value(_ element: Screen.Element) -> [Line] {
    guard let value = element.value else { return [] }
    return [Line(value, alignment: alignment(of: element)), .space]
  }

  private static func alignment(of element: Screen.Element) -> Alignment {
    element.align.flatMap { Alignment(rawValue: $0) } ?? .start
  }
}
