import ContentClient
import Testing

@testable import ShopScreens

/// The lines that a person types in the example app.
@Suite struct ShopCommandTests {
  @Test(
    arguments: [
      ("", Command.show), ("  3 ", .follow(3)), ("home", .go(.home)), ("back", .back),
      ("stores", .go(.stores)), ("changes", .go(.changes)), ("refresh", .refresh),
      ("open screen/home", .go(.home)), ("lang fr-CA en", .languages(["fr-CA", "en"])),
      ("device tv", .device("tv")), ("country FR", .country("FR")), ("country", .country(nil)),
      ("help", .help), ("quit", .quit),
    ] as [(String, Command)])
  func readsLines(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }

  @Test func readsFilters() throws {
    guard case .go(.products(let filter)) = try Command("list roses under 50 by -price top 3")
    else {
      Issue.record("no list")
      return
    }
    #expect(filter.category?.text == "category/roses" && filter.highestPrice == 50)
    #expect(filter.order == .highestPrice && filter.limit == 3)
  }

  @Test(arguments: [
    "roses", "list by weight", "list under", "list top 0", "list a b", "open", "open home", "lang",
    "device", "country A B", "version x", "quit now",
  ])
  func advisesAfterMistakes(line: String) {
    #expect(throws: CommandMistake.self) { try Command(line) }
  }

  /// Content may link to another place, or to something that only a phone can do.
  @Test(arguments: [
    ("category/roses", true), ("product/bonsai", true), ("flowershop:stores", true),
    ("tel:+12025550143", false), ("flowershop:camera", false), ("https://flowers.example", false),
  ])
  func followsActions(action: String, isPlace: Bool) {
    #expect((Place(action: action) != nil) == isPlace)
  }

  @Test func goesThereAndBack() throws {
    var model = ShopModel(reader: ReaderContext())
    let page = Page(
      title: "", lines: [Page.Line("Stores", link: .place(.stores)), Page.Line("Nothing")])
    #expect(model.obey(.follow(1), on: page) == .draw && model.place == .stores)
    #expect(model.obey(.follow(2), on: page) == .say(["There is no 2."]))
    #expect(model.obey(.back, on: page) == .draw && model.place == .home)
    #expect(model.obey(.back, on: page) == .draw && model.place == .home)
    let french = ReaderContext(locales: ["fr"])
    #expect(model.obey(.languages(["fr"]), on: page) == .select(french))
  }

  @Test func sumsChangesUp() throws {
    var changes = ChangeSummary()
    let text = { Notice.text(release: 2, reason: .release, changes: changes) }
    #expect(text() == "Release 2: nothing changed")
    changes.updated = Set(["a/a", "a/b", "a/c", "a/d"].compactMap { EntryID($0) })
    changes.others = ["product/rose"]
    #expect(text() == "Release 2: 4 updated (a/a, a/b, a/c, …), other bundles (product/rose)")
    #expect(Notice.text(release: 2, reason: .context, changes: changes) == nil)
  }
}
