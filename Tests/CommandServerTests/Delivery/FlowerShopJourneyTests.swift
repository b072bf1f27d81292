import SystemC
import TestServers
import Testing

@testable import TestCommands

/// The example app with the real client, contentc, nginx and Varnish.
@Suite(.needsServers) struct FlowerShopJourneyTests {
  /// Compiles the program, whose libraries the tests contain.
  private func program(in sandbox: Sandbox) throws -> String {
    let main = "\(Sandbox.checkout)/Examples/flowershop/Sources/flowershop/main.swift"
    let compiled = try sandbox.shell(
      Sandbox.compiling("'\(main)'", to: "app", with: ["ShopTerminal", "ShopScreens"]))
    try #require(compiled.status == 0, "\(compiled.errors)")
    return "\(sandbox.root)/app"
  }

  @Test(.timeLimit(.minutes(3))) func showsWhatHappensToTheShop() throws {
    let shop = try ServedShop()
    let program = try program(in: shop.sandbox)
    let storage = "\(shop.sandbox.root)/stored"
    let arguments = ["--url", shop.address, "--storage", storage, "--country", "US"]
    let app = try RunningShop(program, arguments)
    try app.shows("Good to see you", "tel:+12025550143", "from $7.50", "release 1 · en · phone")
    try visit(app)
    try app.type("home")
    try app.shows("Good to see you")

    // A publication shows by itself. Its text must not control the terminal.
    try shop.edit(
      "entries/screen/home.yaml", "title: Good to see you", to: #"title: "Welcome \e[31mback""#)
    try shop.contentc("publish")
    try app.shows("Welcome \u{FFFD}[31mback", "Release 2: 1 updated (screen/home)")
    #expect(!app.answer.contains("\u{1B}"))

    // A purge reaches the page that is shown.
    try app.type("open product/country-charm")
    try app.shows("Handwoven willow")
    try shop.contentc("purge", "product/country-charm", "--reason", "A test")
    try app.shows("Not available")
    try app.type("list baskets")
    #expect(try !app.shows("Nordic Light").contains("Country Charm"))

    try shop.contentc("maintenance", "on")
    try app.shows("We are watering the flowers", "Please come back shortly.")
    try app.type("lang fr")
    try app.shows("Nous arrosons les fleurs")
    try shop.contentc("maintenance", "off")
    try app.shows("Paniers", "release 5 · fr")
    try app.type("lang en")
    try app.shows("Baskets")
    try app.type("changes")
    try app.shows("screen/home", "product/country-charm")

    try app.type("list roses")
    shop.disconnect()
    try app.shows("A Single Rose", "You are offline. Prices may have changed.", "· offline")
    #expect(try app.quit() == 0)
    try startWithoutAServer(program, arguments)
  }

  /// Goes through the shop while nothing changes.
  private func visit(_ app: RunningShop) throws {
    try app.type("list roses under 60 by price top 2")
    #expect(try !app.shows("A Single Rose", "Yellow Roses", "$47.00").contains("Blush"))
    try app.follow("A Single Rose")
    try app.shows("$7.50", "• 1 stem\n", "Roses")
    try app.follow("image/png")
    let lines = try app.shows("/stored/objects/").split(separator: "\n")
    let path = lines.last { $0.contains("/objects/") } ?? ""
    #expect(access(String(path), R_OK) == 0, "\(path)")
    // Languages with other plural forms, and countries with other currencies.
    try app.type("open product/twelve-red-roses")
    try app.shows("• 12 stems", "Goes well with", "Chocolate Truffles")
    try app.type("lang ar")
    try app.shows("• 12 ساقًا")
    try app.type("lang fr-CA en")
    try app.shows("12\u{A0}roses rouges", "• 12\u{A0}tiges", "fr-CA")
    try app.type("lang en")
    try app.shows("12 Red Roses", "12 stems")
    try app.type("country FR")
    try app.shows("€59.00")
    // The flow; the inputs of its form are those of France.
    try app.type("home")
    try app.shows("Good to see you")
    try app.follow("Send flowers")
    try app.shows("● ○ ○", "Who are they for?", "Spring Meadow")
    try app.follow("[ Continue ]")
    try app.shows("● ● ○", "Door code: ______")
    try app.follow("[ Continue ]")
    try app.shows("● ● ●", "Your message: ______")
    try app.follow("[ Order and pay ]")
    try app.shows("Thank you!")
    // Buyers in France have a right that others lack. A television shows less.
    try app.type("open screen/terms")
    try app.shows("5. Right of withdrawal")
    try app.type("country US")
    #expect(try !app.shows("Seven days fresh").contains("Right of withdrawal"))
    try app.type("stores")
    try app.shows("Montréal: Flowers on Saint-Denis")
    try app.type("home")
    try app.shows("Write to us")
    try app.type("device tv")
    #expect(try !app.shows("Good to see you", "· tv").contains("Write to us"))
    try app.type("device phone")
    try app.shows("Write to us")
  }

  private func startWithoutAServer(_ program: String, _ arguments: [String]) throws {
    let later = try RunningShop(program, arguments)
    try later.shows("back", "release 5", "· offline")
    #expect(try later.quit() == 0)
    let old = try RunningShop(program, arguments + ["--app-version", "1.0"])
    try old.shows("The shop needs version 1.5 or later of this app.")
    #expect(try old.quit() == 0)
    let first = try RunningShop(program, Array(arguments.prefix(2)))
    try first.shows("There is no connection, and nothing is stored yet.")
    #expect(try first.quit() == 0)
    let wrong = try RunningShop(program, ["--url", "http://flowers.example"])
    try wrong.shows("flowershop: 'http://flowers.example' is no address of a site")
    #expect(wrong.exitStatus() == 64)
  }

  /// `make demo`, with a pipe in place of a person, in a copy of the checkout's content.
  @Test(.timeLimit(.minutes(2))) func theDemoRunsToItsEnd() throws {
    let sandbox = try Sandbox()
    let program = try program(in: sandbox)
    let copied = try sandbox.shell(
      "mkdir Scripts && cp '\(Sandbox.checkout)/Scripts/demo.sh' Scripts"
        + " && cp -R '\(Sandbox.checkout)/content' content")
    try #require(copied.status == 0, "\(copied.errors)")
    let demo = try sandbox.shell(
      "printf '%s\\n' 'list roses under 60 by price top 2' 'lang fr' quit"
        + " | Scripts/demo.sh '\(Sandbox.binary)' '\(program)'")
    #expect(demo.status == 0, "\(demo.errors)")
    for text in [
      "The flower shop is published at http://127.0.0.1:", "Good to see you",
      "A Single Rose", "Yellow Roses", "release 1 · fr",
    ] {
      #expect(demo.output.contains(text), "\(text): \(demo.output)")
    }
    // The end of the app stops nginx.
    let left = try sandbox.shell("pgrep -f '\(sandbox.root)/demo/[n]ginx' || true")
    #expect(left.output.isEmpty, "\(left.output)")
  }

  @Test(.timeLimit(.minutes(1))) func obeysAtOnceWhileTheServerIsSilent() throws {
    let silent = try ScriptedServer { _ in .silence }
    defer { silent.stop() }
    let sandbox = try Sandbox()
    let app = try RunningShop(
      try program(in: sandbox), ["--url", silent.address], onTerminal: true)
    try app.shows("One moment", "\u{1B}[2J", "\u{1B}[1;7m", "> ")
    let start = ContinuousClock.now
    try app.type("help")
    try app.shows("list roses under 50 by price top 3")
    #expect(try app.quit() == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
  }
}
