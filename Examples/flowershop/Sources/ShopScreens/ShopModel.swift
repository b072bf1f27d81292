package import ContentClient

/// The shop as a person uses it: a place, the way back, and the answer to each command.
///
/// It has no clock, no terminal and no network: an app gives it what they say.
package struct ShopModel: Sendable {
  /// The work that a command asks the app for.
  package enum Work: Hashable, Sendable {
    /// The page is drawn again; nothing else.
    case draw
    case refresh
    case select(ReaderContext)
    case load(AssetValue)
    case say([String])
    case quit
  }

  /// The places on the way here.
  private var way: [Place] = []
  /// The place whose page is shown.
  package private(set) var place = Place.home
  /// The reader for whom content is chosen.
  package private(set) var reader: ReaderContext

  package init(reader: ReaderContext) { self.reader = reader }

  /// Obeys a command; `page` has the links that numbers name.
  package mutating func obey(_ command: Command, on page: Page) -> Work {
    switch command {
    case .follow(let number):
      guard page.links.indices.contains(number - 1) else { return .say(["There is no \(number)."]) }
      switch page.links[number - 1] {
      case .place(let place): return go(to: place)
      case .picture(let picture): return .load(picture)
      }
    case .go(let place): return go(to: place)
    case .back:
      if let last = way.popLast() { place = last }
      return .draw
    case .show: return .draw
    case .languages(let tags): return select { $0.locales = tags }
    case .device(let name): return select { $0.device = name }
    case .country(let code): return select { $0.country = code?.uppercased() }
    case .appVersion(let version): return select { $0.appVersion = version }
    case .refresh: return .refresh
    case .help: return .say(Command.explanation)
    case .quit: return .quit
    }
  }

  private mutating func go(to next: Place) -> Work {
    if next != place { way.append(place) }
    place = next
    return .draw
  }

  private mutating func select(_ change: (inout ReaderContext) -> Void) -> Work {
    change(&reader)
    return .select(reader)
  }

  /// Returns the page of the place; `nil` if the snapshot does not have it.
  package func page(of snapshot: ContentSnapshot, at now: Instant) -> Page? {
    let reader = ScreenReader(snapshot: snapshot, reader: reader)
    switch place {
    case .home:
      // Settings name the first screen, so that a new app is not needed to change it.
      return snapshot.entry("settings/app")?.reference("home").flatMap {
        try? Page(screen: $0, for: reader)
      }
    case .products(let filter):
      return snapshot.isStored("catalog") ? Page(products: filter, for: reader) : nil
    case .stores:
      return snapshot.isStored("city-stores") ? Page(storesAt: now, for: reader) : nil
    case .changes: return nil
    case .entry(let id):
      guard let entry = snapshot.entry(id, in: place.bundle) else { return nil }
      return switch id.datatype {
      case "product": try? Page(product: entry, for: reader)
      case "article": Page(article: entry)
      case "step": try? Page(step: entry, for: reader)
      default: try? Page(screen: entry, for: reader)
      }
    }
  }
}
