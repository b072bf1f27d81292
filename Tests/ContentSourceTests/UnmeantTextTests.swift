import Diagnostics
import Testing

@testable import ContentSource

/// Texts that a build accepts, but that their author did not mean: each is a warning with the text to
/// type.
@Suite struct UnmeantTextTests {
  private static let path = "entries/note/one.yaml"
  private static let note = """
    fields:
      a: {type: string, localized: true}
      text: {type: text, localized: true}
      list: {type: list, of: string}
      body: {type: markdown, localized: true}
      page: {type: markdown, tables: true, strikethrough: true}
      more: any
      site: url
      sites: {type: list, of: {type: url, maxLength: 20}}

    """

  private static func warning(
    _ text: String, _ id: String, _ message: String, fix: String? = nil
  ) -> Mistake {
    Mistake(
      id, message, fix: fix, severity: .warning, at: path, text + "\n",
      with: ["datatypes/note.yaml": note])
  }

  static let texts: [Mistake] = [
    warning(
      "a: Text ⟦<!--⟧ todo -- ask Bob -->", "literal-markup",
      "readers see this comment of HTML; delete it, or write it as a line '# …' above the key"),
    warning(
      "a: Rose ⟦&amp;⟧ Co.", "literal-markup", "readers see '&amp;' as it is; write &", fix: "&"),
    warning(
      "a: Rose⟦&#8217;⟧s", "literal-markup", "readers see '&#8217;' as it is; write ’", fix: "’"),
    warning(
      "a: 3⟦&nbsp;⟧€", "literal-markup", "readers see '&nbsp;' as it is; write a no-break space",
      fix: "\u{A0}"),
    warning(
      "a: \"Say ⟦&quot;⟧hi\"", "literal-markup", "readers see '&quot;' as it is; write \""),
    warning(
      "a: 'It⟦&#39;⟧s'", "literal-markup", "readers see '&#39;' as it is; write '"),
    warning(
      "a: Rose ⟦&#35;⟧1", "literal-markup", "readers see '&#35;' as it is; write #"),
    warning(
      "a: '⟦&amp;⟧ Co.'", "literal-markup", "readers see '&amp;' as it is; write &"),
    warning(
      "a: One⟦\\n⟧two", "literal-markup",
      "readers see '\\n' as it is; write the text in double quotes, or in lines below '|'"),
    warning(
      "a: 'One⟦\\n⟧two'", "literal-markup",
      "readers see '\\n' as it is; write the text in double quotes, or in lines below '|'"),
    warning(
      "a: Ro⟦\u{200B}⟧se", "invisible-character", "the text has an invisible U+200B; delete it",
      fix: ""),
    warning(
      "list: [a, Ro⟦\u{FEFF}⟧se]", "invisible-character",
      "the text has an invisible U+FEFF; delete it", fix: ""),
    warning(
      "text: |\n  One\n  Ro⟦\u{200B}⟧se", "invisible-character",
      "the text has an invisible U+200B; delete it", fix: ""),
    warning(
      "a: ⟦\u{200B}⟧Rose", "invisible-character", "the text has an invisible U+200B; delete it",
      fix: ""),
    warning(
      "a: Rose⟦\u{200B}⟧#1", "invisible-character", "the text has an invisible U+200B; delete it",
      fix: ""),
    warning(
      "a: '⟦\u{200B}⟧#1'", "invisible-character", "the text has an invisible U+200B; delete it",
      fix: ""),
    warning(
      "text: |\n  ⟦\u{200B}⟧#1 rose", "invisible-character",
      "the text has an invisible U+200B; delete it", fix: ""),
    warning(
      "list:\n  - one\n     ⟦- two⟧", "item-in-text",
      "'- two' continues the text above, and is no item of a list; write it in the column of the other items, with 2 spaces before '-'",
      fix: "  - two (elsewhere)"),
    warning(
      "a: one\n  ⟦- two⟧\n  - three", "item-in-text",
      "'- two' continues the text above, and is no item of a list; if it is one, delete the text above; if not, put the whole text in quotes"
    ),
  ]

  @Test(arguments: texts) func warnsAboutTexts(_ mistake: Mistake) { expectOnly(mistake) }

  /// Without the character, YAML would read a comment, a list, a key, another value or another
  /// indentation.
  static let guardedSyntax = [
    "a: ⟦\u{200B}⟧#1 rose", "a: Rose ⟦\u{200B}⟧#1", "a: ⟦\u{200B}⟧- Rose", "a: -⟦\u{200B}⟧ Rose",
    "a: Open:⟦\u{200B}⟧", "a: Open:⟦\u{200B}⟧ 9 to 5", "a: tr⟦\u{200B}⟧ue", "a: 1⟦\u{200B}⟧2",
    "a: ⟦\u{200B}⟧[Rose]", "text: |\n  ⟦\u{200B}⟧  Rose\n  Tulip",
  ].map { text in
    warning(
      text, "invisible-character",
      "the text has an invisible U+200B; put the text in quotes, and delete it")
  }

  @Test(arguments: guardedSyntax)
  func offersNoFixThatChangesTheMeaningOfAText(_ mistake: Mistake) { expectOnly(mistake) }

  @Test(arguments: [
    "a: Rose & Co.", "a: AT&T; R&D", "a: 'A & B; C'", "a: '<b>Rose</b> &amp; Co.'",
    "a: 'a < b -- c'",
    "a: \"One\\ntwo\"", "a: \"\\\\n\"", "a: 'C:\\new'", "a: 'a \\d+\\n'", "a: '\\nabla \\mu'",
    "a: \"a\\u200Bb\"", "a: ไม่\u{200B}มี", "a: 私\u{200B}は", "a: 👩\u{200D}👩", "a: می\u{200C}خواهم",
    "a: soft\u{AD}hyphen",
    "a: one\n  two - three", "a: one\n  -two", "a: one\n  - two", "list:\n  - one\n  - two",
    "text: |\n  one\n  - two",
    "a: \"one\n  - two\"", "url: x", "more: 'yes'", "more: \"1_000\"", "more: yesterday",
    "more: [a_b, 1e3, 010, 18:30, '_1', x_1, 2026-01-01, 1_, 1,000]",
  ])
  func acceptsTextsThatAreMeant(_ text: String) {
    let definition = text.hasPrefix("url") ? "  url: string\n" : ""
    let mistake = Mistake(
      "", "", at: Self.path, text + "\n", with: ["datatypes/note.yaml": Self.note + definition])
    #expect(mistake.found == [])
  }

  // MARK: Untyped values

  static let untyped: [Mistake] = [
    ("1_000", "1000"), ("-1_000.5", "-1000.5"), ("yes", "true"), ("On", "true"), ("NO", "false"),
    ("off", "false"),
  ].map { text, value in
    warning(
      "more: {b: [⟦\(text)⟧]}", "untyped-text",
      "'\(text)' is a text here; write \(value), or \"\(text)\" for the text")
  }

  @Test(arguments: untyped) func warnsAboutUntypedTexts(_ mistake: Mistake) { expectOnly(mistake) }

  // MARK: Addresses

  private static let insecure = "must begin with https instead of http, which phones refuse to load"

  static let addresses: [Mistake] = [
    warning(
      "site: ⟦http⟧://a.example/http:a", "insecure-address", "'site' \(insecure)", fix: "https"),
    warning(
      "site: '⟦Http⟧://a.example'", "insecure-address", "'site' \(insecure)", fix: "https"),
    warning(
      "site: ⟦\"http\\x3A//a.example\"⟧", "insecure-address", "'site' \(insecure)"),
    warning(
      "sites: [https://a.example, ⟦http⟧://b.example]", "insecure-address", "'sites' \(insecure)",
      fix: "https"),
  ]

  @Test(arguments: addresses) func warnsAboutInsecureAddresses(_ mistake: Mistake) {
    expectOnly(mistake)
  }

  @Test(arguments: [
    "site: https://a.example", "site: httpx://a.example", "site: mailto:a@a.example",
    "more: http://a.example",
  ])
  func acceptsOtherAddresses(_ text: String) {
    #expect(Self.warning(text, "", "").found == [])
  }

  @Test(arguments: ["site: http://a b", "sites: [http://a.very-long.example]"])
  func reportsARefusedAddressOnce(_ text: String) {
    let found = Self.warning(text, "", "").found
    #expect(found.count == 1 && !found[0].contains("insecure-address"), "\(found)")
  }

  // MARK: Markdown

  private static let signs = "because a letter and a sign of punctuation are beside it"

  static let markdown: [Mistake] = [
    warning(
      "body: |\n  これは⟦**⟧「重要」**です。", "unparsed-markdown",
      "readers see '**', \(signs); write 「**重要**」"),
    warning(
      "body: |\n  זה ⟦**⟧חשוב!**מאוד", "unparsed-markdown",
      "readers see '**', \(signs); write **חשוב**!"),
    warning(
      "body: |\n  هذا ⟦**⟧مهم،**جدا", "unparsed-markdown",
      "readers see '**', \(signs); write **مهم**،"),
    warning(
      "body: |\n  これは⟦*⟧「重要」*です。", "unparsed-markdown",
      "readers see '*', \(signs); write 「*重要*」"),
    warning(
      "body: |\n  Our ⟦**⟧new roses\n\n  are here", "unparsed-markdown",
      "readers see '**', because no second one follows; write it behind the text, or \\*\\* for the signs"
    ),
    warning(
      "body: |\n  Old ~~price", "", ""),
    warning(
      "body: |\n  Old ⟦~~⟧price~~", "unparsed-markdown",
      "readers see '~~'; add 'strikethrough: true' to its field, or write \\~\\~ for the signs"),
    warning(
      "body: |\n  Sizes:\n  ⟦| a | b |⟧\n  |---|---|\n  | 1 | 2 |", "unparsed-markdown",
      "readers see the signs of this table; add 'tables: true' to its field, or write it as a list"),
    warning(
      "body: |\n  Text ⟦<!--⟧ todo -- ask Bob -->", "unparsed-markdown",
      "readers see this comment of HTML; delete it, or write it as a line '# …' above the key"),
  ].filter { !$0.id.isEmpty }

  @Test(arguments: markdown) func warnsAboutMarkdownWithoutEffect(_ mistake: Mistake) {
    expectOnly(mistake)
  }

  @Test(arguments: [
    "body: '**a** b'", "body: '5 * 3 * 2'", "body: 'Price** includes tax'",
    "body: '** without tax'",
    "body: '\\*\\*a\\*\\*'", "body: '`**a`'", "body: '2**10'", "body: '****'", "body: 'a *b* c*'",
    "body: 'PIN: \\****'", "body: これは「**重要**」です", "body: 'a | b'", "body: \"a | b\\n- - -\"",
    "page: \"| a | b |\\n|---|---|\\n| 1 | 2 |\"", "page: '~~old~~'", "body: 'a ~ b ~ c'",
    "body: '<https://a.b/**c>'", "body: '[a](https://a.b/**c)'", "body: 'x'", "body: '*****'",
  ])
  func acceptsMarkdownSignsThatAreMeant(_ text: String) {
    #expect(Self.warning(text, "", "").found == [])
  }

  // MARK: Files

  private static let french = "⟦fr⟧: {hello: Bonjour}\n"

  static let files: [Mistake] = [
    Mistake(
      "file-locale",
      "the file's name says 'de', but readers of 'fr' get these texts; write 'de:' here, or rename the file",
      fix: "de", severity: .warning, at: "strings/app.de.yml", french),
    Mistake(
      "file-locale",
      "the file's name says 'de', but readers of 'fr' get these texts; write 'de:' here, or rename the file",
      fix: "de", severity: .warning, at: "strings/app/de.yml", french),
    Mistake(
      "wrong-type",
      "the id 'product/rose_fr' must be of a-z, 0-9 and '-', parts joined by '/'; rename the file to 'rose.fr.yaml'",
      at: "entries/product/rose_fr.yaml", "⟦t⟧itle: Rosier\n"),
    Mistake(
      "wrong-type",
      "the id 'product/rose_fr_CA' must be of a-z, 0-9 and '-', parts joined by '/'; rename the file to 'rose.fr-CA.yml'",
      at: "entries/product/rose_fr_CA.yml", "⟦t⟧itle: Rosier\n"),
    Mistake(
      "wrong-type",
      "the id 'product/tulip_fr' must be of a-z, 0-9 and '-', parts joined by '/'; write the key 'tulip' in the file 'product.fr.yaml'",
      at: "entries/product.yaml", "⟦tulip_fr⟧: {title: Tulipe}\n"),
    Mistake(
      "unknown-datatype",
      "unknown datatype 'fr'; for texts in that language, a file is beside its entry: name it 'rose.fr.yaml' there",
      at: "entries/fr/rose.yaml", "title: Rosier\n"),
    Mistake(
      "unread-file", "nothing reads this file; rename it to 'rose.yaml'", severity: .warning,
      at: "entries/product/rose.yaml.txt", "title: Rose\n"),
  ]

  @Test(arguments: files) func advisesOnFileNames(_ mistake: Mistake) { expectOnly(mistake) }

  @Test(arguments: [
    ("strings/app.fr.yml", "{en: {a: x}, fr: {hello: Bonjour}}"),
    ("strings/app.new.yml", "fr: {hello: Bonjour}"), ("strings/fr_CA.yml", "fr-CA: {hello: x}"),
    ("strings/app.es.yml", "fr: {hello: Bonjour}"),
  ])
  func acceptsFileNamesThatFit(path: String, text: String) {
    let found = Mistake(
      "", "", at: path, text + "\n", with: ["strings/app.en.yml": "en: {hello: a, a: b}\n"]
    )
    .found
    #expect(found.filter { $0.contains("file-locale") } == [])
  }
}
