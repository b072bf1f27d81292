import ContentModel
import Foundation
import TestServers
import Testing

@testable import ContentPreview

@Suite struct LocaleNamesTests {
  @Test func namesALocaleInEnglishAndInItsOwnLanguage() {
    #expect(LocaleNames.english("fr-CA") == "French (Canada)")
    #expect(LocaleNames.native("fr-CA") == "français (Canada)")
    #expect(LocaleNames.native("de-AT") == "Deutsch (Österreich)")
    #expect(LocaleNames.native("nn-NO") == "norsk nynorsk (Noreg)")
    #expect(LocaleNames.english("es-419") == "Spanish (Latin America)")
  }

  @Test(arguments: [
    ("zh-Hant", "Traditional Chinese", "繁體中文"),
    ("zh-Hans-CN", "Simplified Chinese (China)", "简体中文（中国）"),
    ("zh-Hant-TW", "Traditional Chinese (Taiwan)", "繁體中文（台灣）"),
    ("zh-TW", "Chinese (Taiwan)", "中文（台灣）"),
    ("zh-Latn", "Chinese (Latin)", "中文（拉丁文）"),
    ("sr-Latn-RS", "Serbian (Latin, Serbia)", "srpski (latinica, Srbija)"),
    ("sr-ME", "Serbian (Montenegro)", "srpski (Crna Gora)"),
    ("hi-Latn-IN", "Hindi (Latin, India)", "Hindi (Latin, Bharat)"),
  ])
  func namesAScript(tag: String, english: String, native: String) {
    #expect(LocaleNames.english(tag) == english)
    #expect(LocaleNames.native(tag) == native)
  }

  /// CLDR has no locales `de-FR` and `en-JP`.
  @Test func namesTheRegionsWhereALanguageIsSpoken() {
    #expect(LocaleNames.native("de-FR") == "Deutsch (Frankreich)")
    #expect(LocaleNames.native("en-JP") == "English (Japan)")
  }

  @Test func usesTheEnglishNameOfARareRegionAndOfALanguageWithoutData() {
    #expect(LocaleNames.native("de-TH") == "Deutsch (Thailand)")
    #expect(LocaleNames.native("tlh") == "Klingon")
  }

  @Test func usesThePunctuationOfTheLanguage() {
    #expect(LocaleNames.native("ja-JP") == "日本語（日本）")
    #expect(LocaleNames.native("ko-KR") == "한국어(대한민국)")
    #expect(LocaleNames.native("ar-EG-abcde") == "العربية (مصر، abcde)")
  }

  @Test func replacesParenthesesInsideParentheses() {
    #expect(LocaleNames.english("my-MM") == "Burmese (Myanmar [Burma])")
  }

  @Test(arguments: [
    ("iw-IL", "Hebrew (Israel)", "עברית (ישראל)"), ("sh", "Serbian (Latin)", "srpski (latinica)"),
    ("tl", "Filipino", "Filipino"), ("de-DD", "German (Germany)", "Deutsch (Deutschland)"),
    ("no", "Norwegian", "norsk"), ("cmn-TW", "Chinese (Taiwan)", "中文（台灣）"),
  ])
  func namesTheCurrentLocaleOfADeprecatedTag(tag: String, english: String, native: String) {
    #expect(LocaleNames.english(tag) == english)
    #expect(LocaleNames.native(tag) == native)
  }

  @Test(arguments: [
    ("qaa", "qaa", "qaa"), ("qaa-DE", "qaa (Germany)", "qaa (Germany)"),
    ("en-XX", "English (XX)", "English (XX)"), ("de-Qaaa", "German (Qaaa)", "Deutsch (Qaaa)"),
    ("ca-ES-valencia", "Catalan (Spain, valencia)", "català (Espanya, valencia)"),
  ])
  func showsCodesThatHaveNoName(tag: String, english: String, native: String) {
    #expect(LocaleNames.english(tag) == english)
    #expect(LocaleNames.native(tag) == native)
  }

  @Test(arguments: ["", "-", "x-private", "und", "en-u-ca-buddhist", "en fr", "en=", "é", "en-\n"])
  func showsATextThatIsNotATagAsItIs(text: String) {
    #expect(LocaleNames.english(text) == text)
    #expect(LocaleNames.native(text) == text)
  }

  @Test(arguments: [
    "af", "am", "ar", "ar-AE", "ar-EG", "ar-SA", "az", "be", "bg", "bg-BG", "bn", "bn-IN", "bs",
    "ca", "ca-ES", "cs", "cs-CZ", "cy", "da", "da-DK", "de", "de-AT", "de-CH", "de-FR", "de-LI",
    "el", "el-GR", "en", "en-AU", "en-CA", "en-DE", "en-GB", "en-IE", "en-IN", "en-NZ", "en-US",
    "en-ZA", "es", "es-419", "es-AR", "es-ES", "es-MX", "es-US", "et", "eu", "fa", "fi", "fi-FI",
    "fil", "fr", "fr-BE", "fr-CA", "fr-CH", "fr-FR", "ga", "gl", "gu", "he", "he-IL", "hi", "hi-IN",
    "hr", "hu", "hu-HU", "hy", "id", "id-ID", "is", "it", "it-CH", "it-IT", "ja", "ja-JP", "ka",
    "kk", "km", "kn", "ko", "ko-KR", "lo", "lt", "lv", "mk", "ml", "mn", "mr", "my", "nb", "nb-NO",
    "ne", "nl", "nl-BE", "nl-NL", "nn", "no", "pa", "pl", "pl-PL", "pt", "pt-BR", "pt-PT", "ro",
    "ro-MD", "ru", "ru-RU", "ru-UA", "si", "sk", "sl", "sq", "sr", "sr-Latn", "sr-Latn-ME", "sv",
    "sv-FI", "sw", "ta", "te", "th", "th-TH", "tr", "tr-TR", "uk", "uk-UA", "ur", "uz", "uz-Cyrl",
    "vi", "vi-VN", "zh", "zh-TW", "zu",
  ])
  func agreesWithFoundation(tag: String) {
    #expect(LocaleNames.english(tag) == Self.name(of: tag, in: "en"))
    #expect(LocaleNames.native(tag) == Self.name(of: tag, in: tag))
  }

  /// Compares all names of the table.
  ///
  /// Foundation has older data of CLDR, which Apple edited.
  @Test(.nightly) func differsFromFoundationOnlyWhereDocumented() throws {
    // Regions that CLDR names in full or without a form of Apple's, such as “China mainland”.
    let regions: Set = ["BL", "CN", "GS", "HK", "HM", "IO", "MF", "MO", "PM", "SH", "TF"]
    // Scripts that Apple writes before the region (“Chinese, Simplified”), names otherwise, or
    // writes all names in English.
    let scripts: Set = ["Arab", "Dsrt", "Hans", "Hant", "Shaw"]
    let renamed: Set = [
      "ckb", "dv", "ii", "mic", "mus", "oka", "sah", "se", "sma", "syr", "yue", "zgh",
    ]
    // Newer names in the language itself, or other punctuation (`ff`, `ksh`).
    let renamedNatively = renamed.union([
      "ba", "brx", "co", "cv", "dz", "ff", "gn", "ht", "jv", "ki", "kl", "ksh", "ku", "ms", "scn",
      "shi", "su", "sw", "tok",
    ])
    // Serbian in Romania and Türkiye is written in Latin letters, says CLDR.
    let tagsRenamedNatively: Set = ["ru-US", "sr-RO", "sr-TR", "ur-GB", "zh-US"]

    let tags = Self.tags
    try #require(tags.count > 1_000)
    for text in tags {
      let tag = try #require(LocaleTag(text))
      if regions.contains(tag.region ?? "") || scripts.contains(tag.script ?? "") { continue }
      // Foundation has no name for a language that its CLDR lacks.
      guard let english = Self.name(of: text, in: "en") else { continue }
      if !renamed.contains(tag.language) {
        #expect(LocaleNames.english(text) == english, "\(text)")
      }
      let own = Locale(identifier: text).localizedString(forLanguageCode: tag.language)
      let isTranslated =
        tag.language == "en"
        || own != Locale(identifier: "en").localizedString(forLanguageCode: tag.language)
      if isTranslated, !renamedNatively.contains(tag.language), !tagsRenamedNatively.contains(text)
      {
        #expect(LocaleNames.native(text) == Self.name(of: text, in: text), "\(text)")
      }
    }
  }

  @Test func findsEachNameOfTheTable() {
    for line in LocaleNames.table.lines {
      let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
      #expect(LocaleNames.table[parts[0]] == parts.last)
      #expect(LocaleNames.table[parts[0] + "-"] == nil)
    }
    for key in ["", " ", "a", "zz zzz", "en", "en f", "en \n", "~"] {
      #expect(LocaleNames.table[key] == nil)
    }
  }

  @Test(.nightly) func isGeneratedFromCLDR() throws {
    let folder = try ScratchFolder()
    let script = URL(fileURLWithPath: #filePath)
      .appending(path: "../../../Scripts/generate-locale-names.py").standardized.path
    let output = folder.path("output.txt")
    let status = try Program(
      Program.tool("babel/bin/python3"), [script, "--check"], output: output
    )
    .wait()
    let report = try folder.read("output.txt")
    #expect(status == 0, "\(report)")
  }

  private static func name(of tag: String, in language: String) -> String? {
    Locale(identifier: language).localizedString(forIdentifier: tag)
  }

  /// The locales of the table, and each with the regions that it names.
  private static var tags: [String] {
    LocaleNames.table.lines.compactMap { line in
      let key = line.prefix { $0 != "=" }.split(separator: " ").map(String.init)
      guard let locale = LocaleTag(key[0]), locale.region == nil else { return nil }
      if key[1] == locale.language { return key[0] }
      return LocaleTag("xx-\(key[1])")?.region == key[1] ? "\(key[0])-\(key[1])" : nil
    }
  }
}
