import ContentModel
import Diagnostics
import Testing
import Translations

/// The lock of translations.
@Suite struct LockTests {
  private let title: ExactString = "product/rose#title"

  private func state(of id: ExactString, in fixture: Fixture) throws -> TranslationUnit.State {
    let units = try fixture.project().units(into: try #require(LocaleTag("fr")))
    return try #require(units.first { $0.unit.id == id }).unit.state
  }

  private func update(
    _ fixture: inout Fixture, accepting: Bool = false
  ) throws -> TranslationProject.LockUpdate {
    let update = try fixture.project().updatedLock { _, _ in accepting }
    fixture[TranslationLock.fileName] = String(decoding: update.lock.encoded, as: UTF8.self)
    return update
  }

  @Test func countsAllTranslationsAsCurrentWithoutALock() throws {
    #expect(try state(of: title, in: .shop) == .translated)
    #expect(try Fixture.shop.project().outdated.isEmpty)
  }

  @Test func marksATranslationWhoseSourceHasChanged() throws {
    var fixture = Fixture.shop
    #expect(try update(&fixture).added == 3)
    #expect(try state(of: title, in: fixture) == .translated)
    fixture["entries/product/rose.yaml"].replace("Red rose", with: "Crimson rose")
    #expect(try state(of: title, in: fixture) == .needsReview)
    let french = try #require(LocaleTag("fr"))
    #expect(try fixture.project().outdated[french]?.count == 1)

    // The lock keeps it outdated until the translation changes.
    var same = try update(&fixture)
    #expect((same.outdated, same.accepted) == (1, 0))
    fixture["entries/product/rose.fr.yaml"].replace("Rose rouge", with: "Rose cramoisie")
    #expect(try state(of: title, in: fixture) == .needsReview)
    same = try update(&fixture)
    #expect((same.outdated, same.accepted) == (0, 1))
    #expect(try state(of: title, in: fixture) == .translated)
  }

  @Test func marksATranslationWhoseSourceHasAnotherNormalization() throws {
    var fixture = Fixture.shop
    fixture["entries/product/rose.yaml"].replace("Red rose", with: "Ros\u{E9}")
    _ = try update(&fixture)
    #expect(try state(of: title, in: fixture) == .translated)
    fixture["entries/product/rose.yaml"].replace("Ros\u{E9}", with: "Rose\u{301}")
    #expect(try state(of: title, in: fixture) == .needsReview)
  }

  @Test func acceptsATranslationThatStillFits() throws {
    var fixture = Fixture.shop
    _ = try update(&fixture)
    fixture["entries/product/rose.yaml"].replace("Red rose", with: "Red Rose")
    #expect(try update(&fixture, accepting: true).accepted == 1)
    #expect(try state(of: title, in: fixture) == .translated)
  }

  @Test func removesRowsOfTextsThatDoNotExist() throws {
    var fixture = Fixture.shop
    _ = try update(&fixture)
    fixture["strings/app.fr.yml"] = ""
    let update = try update(&fixture)
    #expect(update.removed == 1)
    #expect(!fixture[TranslationLock.fileName].contains("cart.add"))
  }

  @Test func hasALinePerUnitAndLocaleInOrder() throws {
    var fixture = Fixture.shop
    fixture["strings/app.ar.yml"] = "ar: {cart: {add: \"%{name} +\"}}\n"
    _ = try update(&fixture)
    let lines = fixture[TranslationLock.fileName].split(separator: "\n").map {
      $0.split(separator: "\t").prefix(2).joined(separator: " ")
    }
    #expect(
      lines == [
        "product/rose#badges.new.label fr", "product/rose#title fr", "strings/app#cart.add ar",
        "strings/app#cart.add fr",
      ])
    let read = TranslationLock.read(in: fixture.folder)
    #expect(read.diagnostics.isEmpty)
    #expect(read.output?.encoded == Array(fixture[TranslationLock.fileName].utf8))
  }

  @Test(arguments: [
    "<<<<<<< HEAD", "a\tfr\t0123456789abcdef", "a\tfr\t0123456789abcdeg\t0123456789abcdef",
    "a\tfr\t-\t-", "a\tno locale\t-\t0123456789abcdef", "a fr - 0123456789abcdef",
  ])
  func reportsALineThatIsNotARow(line: String) {
    let text = "a#b\tfr\t-\t0123456789abcdef\n\(line)\n"
    let lock = TranslationLock.decode(Array(text.utf8), path: "translations.lock")
    #expect(lock.diagnostics.map(\.id) == ["translation-lock"])
    #expect(lock.diagnostics.first?.location?.range?.start.line == 2)
    #expect(lock.output.count == 1)
  }

  /// Each side of a merge translated the title from its own source text.
  ///
  /// The content has the translation of one side.
  @Test(arguments: [
    ("ours", ["<<<<<<< HEAD", "ours", "=======", "theirs", ">>>>>>> b"]),
    ("theirs", ["<<<<<<< HEAD", "ours", "=======", "theirs", ">>>>>>> b"]),
    ("ours", ["<<<<<<< HEAD", "ours", "||||||| a", "before", "=======", "theirs", ">>>>>>> b"]),
    ("theirs", ["theirs", "ours"]), ("ours", ["ours", "theirs"]),
  ])
  func mergesBothSides(kept: String, lines: [String]) throws {
    var fixture = Fixture.shop
    let french = try #require(LocaleTag("fr"))
    func row(_ source: String, _ target: String) -> String {
      var lock = TranslationLock()
      lock[title, french] = TranslationLock.Row(source: source, target: target)
      return String(decoding: lock.encoded, as: UTF8.self)
    }
    let rows: [ExactString: String] = [
      ExactString("ours"): row("Crimson rose", "Rose cramoisie"),
      ExactString("theirs"): row("Pink rose", "Rose rose"),
      ExactString("before"): row("Red rose", "Rose rouge"),
    ]
    fixture[TranslationLock.fileName] = lines.map { rows[$0] ?? "\($0)\n" }.joined()
    fixture["entries/product/rose.yaml"].replace("Red rose", with: "Crimson rose")
    let text = kept == "ours" ? "Rose cramoisie" : "Rose rose"
    fixture["entries/product/rose.fr.yaml"].replace("Rose rouge", with: text)

    let read = TranslationLock.read(in: fixture.folder, mergesSides: true)
    #expect(read.diagnostics == [])
    let project = TranslationProject(of: try fixture.tree(), lock: read.output)
    let update = project.updatedLock { _, _ in false }
    // The row of the kept translation counts. Theirs was made from another source text.
    #expect(update.outdated == (kept == "ours" ? 0 : 1))
    let encoded = String(decoding: update.lock.encoded, as: UTF8.self)
    #expect(encoded.contains(try #require(rows[kept])))
  }

  @Test func recordsTheSourceTextThatATranslationWasMadeFrom() throws {
    var fixture = Fixture.shop
    let old = try fixture.export("fr", as: .xliff) { unit in
      if unit.id == "product/rose#title" { unit = unit.translated("Rose pourpre") }
    }
    fixture["entries/product/rose.yaml"].replace("Red rose", with: "Crimson rose")
    let plan = try fixture.take(old)
    #expect(plan.diagnostics.map(\.id) == ["translation-source"])
    #expect(try fixture.translations("fr")[title] == "Rose pourpre")
    #expect(try state(of: title, in: fixture) == .needsReview)
  }

  @Test func keepsAReviewThatATranslatorAsksFor() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .xliff) { unit in
      if unit.id == "product/rose#title" { unit = unit.translated("Rose ?", .needsReview) }
    }
    try fixture.take(file)
    #expect(try state(of: title, in: fixture) == .needsReview)
    #expect(fixture[TranslationLock.fileName].contains("\(title)\tfr\t-\t"))
    let again = try fixture.take(try fixture.export("fr", as: .xliff))
    #expect(again.output?.files.isEmpty == true)
    let done = try fixture.export("fr", as: .xliff) { unit in
      if unit.id == "product/rose#title" { unit = unit.translated("Rose ?") }
    }
    try fixture.take(done)
    #expect(try state(of: title, in: fixture) == .translated)
  }
}

extension String {
  /// Replaces the first occurrence of a text, which must exist.
  mutating func replace(_ old: String, with new: String) {
    guard let range = firstRange(of: old) else {
      Issue.record("the text has no '\(old)'")
      return
    }
    replaceSubrange(range, with: new)
  }
}
