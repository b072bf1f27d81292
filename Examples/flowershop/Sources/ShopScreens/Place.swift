package import ContentClient

/// A place in the shop that a person can go to.
package enum Place: Hashable, Sendable {
  /// The screen that `settings/app` names as the first one.
  case home
  /// A screen, an article, a product or a step of a flow.
  case entry(EntryID)
  /// A list of products.
  case products(ProductFilter)
  /// The list of stores.
  case stores
  /// The list of changes since the start of the app.
  case changes

  /// The bundle with the place's content; `nil` if startup bundles have it.
  ///
  /// An id does not say which bundle has the entry, so an app knows it by the datatype.
  package var bundle: BundleName? {
    switch self {
    case .home, .changes: nil
    case .products: "catalog"
    case .stores: "city-stores"
    case .entry(let id):
      switch id.datatype {
      case "product": BundleName(id.text)
      case "article": "articles"
      case "screen": "screens"
      case "step": "send-flowers"
      default: nil
      }
    }
  }
}

extension Place {
  /// Returns the place of an entry.
  package init(_ id: EntryID) {
    switch id.datatype {
    case "category": self = .products(ProductFilter(category: id))
    case "screen" where id.rest == "home": self = .home
    default: self = .entry(id)
    }
  }

  /// Creates the place that an `action` of content leads to; `nil` for links that a terminal cannot
  /// open, such as `tel:` and `flowershop:camera`.
  init?(action: String) {
    if action == "flowershop:stores" {
      self = .stores
    } else if let id = EntryID(action) {
      self.init(id)
    } else {
      return nil
    }
  }
}
