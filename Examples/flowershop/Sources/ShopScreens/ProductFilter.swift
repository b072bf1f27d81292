package import ContentClient

/// A choice of products, such as `roses under 50 by price top 3`.
package struct ProductFilter: Hashable, Sendable {
  /// An order of products.
  package enum Order: String, Hashable, Sendable {
    case price
    case highestPrice = "-price"
    case title

    var sort: EntrySort {
      switch self {
      case .price: .ascending("price")
      case .highestPrice: .descending("price")
      case .title: .ascending("title")
      }
    }
  }

  /// The category; `nil` for all of them.
  package var category: EntryID?
  /// The highest price in the product's own currency; `nil` for any price.
  package var highestPrice: Double?
  /// The order; `nil` for that of the bundle.
  package var order: Order?
  /// The largest number of products; `nil` for all of them.
  package var limit: Int?

  /// Creates a choice of all products, or those of a category.
  package init(category: EntryID? = nil) { self.category = category }

  /// Reads a choice from the words of a command; `nil` if they are none.
  package init?(words: [String]) {
    self.init()
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "under":
        guard let price = rest.popFirst().flatMap({ Double($0) }), price >= 0 else { return nil }
        highestPrice = price
      case "by":
        guard let known = rest.popFirst().flatMap({ Order(rawValue: $0) }) else { return nil }
        order = known
      case "top":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        limit = number
      default:
        guard category == nil, let id = EntryID("category/\(word)") else { return nil }
        category = id
      }
    }
  }

  /// Returns whether an entry is chosen; it reads two fields and decodes nothing else.
  func matches(_ product: Entry) -> Bool {
    if let category, product["category"]?.text != category.text { return false }
    if let highestPrice, product["price"]?.real ?? .infinity > highestPrice { return false }
    return true
  }
}
