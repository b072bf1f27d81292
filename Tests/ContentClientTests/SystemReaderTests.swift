import Testing

@testable import ContentClient

@Suite("The reader whom the environment describes") struct SystemReaderTests {
  @Test(arguments: [
    (["LANG": "fr_CA.UTF-8"], ["fr-CA"], "CA"),
    (["LANG": "fr_CA.UTF-8", "LANGUAGE": "de:fr_CA:en_GB"], ["de", "fr-CA", "en-GB"], "CA"),
    (["LANG": "fr_CA.UTF-8", "LC_ALL": "pt_BR"], ["pt-BR"], "BR"),
    (["LANG": "de_AT", "LC_ALL": "", "LC_MESSAGES": "en_US"], ["en-US"], "US"),
    (["LANG": "sr_RS@latin"], ["sr-Latn-RS"], "RS"),
    (["LANG": "de_DE@euro"], ["de-DE"], "DE"),
    (["LANG": "es_419"], ["es-419"], nil),
    (["LANG": "C.UTF-8", "LANGUAGE": "de"], [], nil),
    (["LANG": "POSIX"], [], nil),
    (["LANG": "\u{1b}[31m"], [], nil),
    ([:], [], nil),
  ])
  func hasItsLanguagesAndCountry(environment: [String: String], locales: [String], country: String?)
  {
    let reader = ReaderContext { environment[$0] }
    #expect(reader == ReaderContext(locales: locales, country: country))
  }
}
