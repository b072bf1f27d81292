import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import TestCommands

/// `contentc coverage` for people and for CI.
@Suite("contentc coverage") struct CoverageCommandTests {
  @Test func showsATableAndTheMissingTexts() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let all = try sandbox.run("coverage")
    #expect(all.status == 0)
    #expect(
      all.output == """
        Texts in the reader's language; each entry once per locale, as the device 'any' sees it

        locale     all  product
        en       100 %    100 %
        en-GB    100 %    100 %
        fr      66.6 %   66.6 %
        fr-CA   66.6 %   66.6 %

        Outdated translations are unknown: 'contentc translations lock' makes translations.lock

        """)
    let french = try sandbox.run("coverage", "--locale", "fr", "--datatype", "product")
    #expect(
      french.output.hasSuffix(
        """
        fr: of 3 texts, 1 falls back, in 1 entry
          product/country-charm
            care  en at content/entries/product/country-charm.yaml:3:7

        """), "\(french.output)")
    let canadian = try sandbox.run("coverage", "--locale", "fr-CA").output
    #expect(
      canadian.contains("    care  missing; en at content/entries/product/country-charm.yaml:3:7\n")
    )
    #expect(
      try sandbox.run("coverage", "--locale", "en").output.hasSuffix(
        "en: nothing is left to translate\n"))
  }

  @Test func failsForEachLocaleUnderTheLimit() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    #expect(try sandbox.run("coverage", "--fail-under", "66").status == 0)
    let failed = try sandbox.run("coverage", "--fail-under", "67")
    #expect(failed.status == 2)
    #expect(failed.output.hasPrefix("Texts"))
    #expect(
      failed.errors.hasPrefix(
        """
        error: 'fr' covers 66.6 %, but must cover 67 % [coverage]
          = note: of 3 texts, 1 falls back; 'contentc coverage --locale fr' lists them

        error: 'fr-CA' covers 66.6 %, but must cover 67 % [coverage]

        """), "\(failed.errors)")
    #expect(try sandbox.run("coverage", "--fail-under", "67", "--locale", "en-GB").status == 0)
    #expect(try sandbox.run("coverage", "--fail-under", "101").status == 64)
  }

  /// Both numbers would be 66.6 if the limit were rounded down.
  @Test func namesTheLimitAsItWasTyped() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let failed = try sandbox.run("coverage", "--fail-under", "66.67")
    #expect(failed.status == 2)
    #expect(
      failed.errors.hasPrefix("error: 'fr' covers 66.6 %, but must cover 66.67 % [coverage]\n"),
      "\(failed.errors)")
  }

  @Test func printsTheSameAsJSON() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let reported = try sandbox.run("coverage", "--locale", "fr-CA", "--json")
    let value = try PropertyList.decode(Array(reported.output.utf8), as: .json).value
    #expect(
      value["sourceLocale"] == "en" && value["datatypes"] == ["product"] && value["ok"] == true)
    let row = value["locales"][0]
    #expect(
      row["locale"] == "fr-CA" && row["inherited"] == 2 && row["missing"] == 1
        && row["fallback"] == 0)
    #expect(row["datatypes"]["product"]["translated"] == 0)
    let file = "content/entries/product/country-charm.fr.yaml"
    #expect(
      value["entries"] == [
        [
          "entry": "product/country-charm",
          "fields": [
            [
              "path": "badges[new].label", "state": "inherited", "from": "fr",
              "location": .string("\(file):3:22"),
            ],
            ["path": "care", "state": "missing"],
            [
              "path": "title", "state": "inherited", "from": "fr",
              "location": .string("\(file):1:8"),
            ],
          ],
        ]
      ], "\(reported.output)")
    #expect(
      try PropertyList.decode(Array(sandbox.run("coverage", "--json").output.utf8), as: .json)
        .value["entries"] == nil)
  }

  @Test(arguments: [
    (["--locale", "fr-CB"], "unknown locale 'fr-CB'; did you mean 'fr-CA'?"),
    (["--locale", "en-XA"], "pseudo-locales are for the preview"),
    (["--datatype", "produkt"], "unknown datatype 'produkt'; did you mean 'product'?"),
  ])
  func suggestsTheNearestName(arguments: [String], message: String) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, ["coverage"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message))
  }

  @Test func doesNotCountContentWithMistakes() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.write("content/entries/product/rose.yaml", "title: [")
    let outcome = try sandbox.run("coverage")
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("rose.yaml:"))
  }
}
