import ContentModel
import Diagnostics
import Testing
import Translations

/// The units of a content tree.
@Suite struct UnitTests {
  private func ids(_ locale: String) throws -> [ExactString] {
    try Fixture.shop.project().units(into: try #require(LocaleTag(locale))).map(\.unit.id)
  }

  @Test func namesEachTextByEntryAndField() throws {
    #expect(
      try ids("fr") == [
        "product/rose#title", "product/rose#care", "product/rose#stock[one]",
        "product/rose#stock[many]", "product/rose#stock[other]", "product/rose#notes.0",
        "product/rose#notes.1", "product/rose#badges.new.label", "product/rose#badges.top.label",
        "product/rose#sizes.0.name", "product/rose#sizes.0.centimeters",
        "product/rose#sizes.1.name", "product/rose#sizes.1.centimeters",
        "product/rose@ipad#title", "store/lyon#name", "store/paris#name",
        "strings/app#cart.add", "strings/app#cart.empty", "strings/app#cart.again",
        "strings/app#items[zero]", "strings/app#items[one]", "strings/app#items[many]",
        "strings/app#items[other]", "strings/app#days.1", "strings/app#days.2",
        "strings/app#a%2Eb",
      ])
  }

  @Test func asksForThePluralCategoriesOfTheLocale() throws {
    let stock = try ids("ar").filter { $0.hasPrefix("product/rose#stock") }
    let categories = ["zero", "one", "two", "few", "many", "other"]
    #expect(stock == categories.map { ExactString("product/rose#stock[\($0)]") })
  }

  @Test func carriesTheDescriptionTheLengthAndTheBundles() throws {
    let units = try Fixture.shop.project().units(into: try #require(LocaleTag("fr")))
    let title = try #require(units.first).unit
    #expect(title.note == "The name")
    #expect(title.maximumLength == 30)
    #expect(title.whereUsed == ["bundle 'home'"])
    #expect(title.source == "Red rose")
    #expect(title.target == "Rose rouge")
  }

  @Test func unitsHaveAllCategoriesOfAPluralInSeveralFiles() throws {
    let fixture = Fixture([
      "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, de]\n",
      "strings/app/a.en.yml": "en: {n: {one: A rose}, gender: {other: O}}\n",
      "strings/app/b.en.yml": "en: {n: {other: '%{count} roses'}, gender: {female: F}}\n",
    ])
    let units = try fixture.project().units(into: try #require(LocaleTag("de"))).map(\.unit)
    #expect(
      units.map { "\($0.id) \($0.source)" } == [
        "strings/app#n[one] A rose", "strings/app#n[other] %{count} roses",
        "strings/app#gender.other O", "strings/app#gender.female F",
      ])
  }

  @Test func unitsHaveTheTranslationsOfAPluralInSeveralFiles() throws {
    var fixture = Fixture([
      "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr]\n",
      "strings/app/one.en.yml": "en: {n: {one: A rose, other: '%{count} roses'}}\n",
      "strings/app/one.fr.yml": "fr: {n: {one: Une rose, many: '%{count} de roses'}}\n",
      "strings/app/two.fr.yml": "fr: {n: {other: '%{count} roses'}}\n",
    ])
    let french = try fixture.translations("fr")
    #expect(french["strings/app#n[one]"] == "Une rose")
    #expect(french["strings/app#n[many]"] == "%{count} de roses")
    #expect(french["strings/app#n[other]"] == "%{count} roses")
    // A changed text stays in its file.
    let file = try fixture.export("fr", as: .csv) { unit in
      if unit.id == "strings/app#n[one]" { unit = unit.translated("Une fleur") }
    }
    let plan = try fixture.take(file)
    #expect(plan.output?.changed == 1)
    #expect(fixture["strings/app/one.fr.yml"].contains("Une fleur"))
    #expect(fixture["strings/app/two.fr.yml"] == "fr: {n: {other: '%{count} roses'}}\n")
  }

  @Test func leavesNothingOpenForReadersWhoGetAParentsText() throws {
    func open(_ locale: String) throws -> [ExactString] {
      try Fixture.shop.project().units(into: try #require(LocaleTag(locale))).filter(\.isOpen)
        .map(\.unit.id)
    }
    #expect(try open("en-GB").isEmpty)
    #expect(!(try open("fr-CA").contains("product/rose#title")))
    #expect(try open("fr-CA").contains("product/rose#care"))
    #expect(try open("ar").contains("product/rose#title"))
  }
}
