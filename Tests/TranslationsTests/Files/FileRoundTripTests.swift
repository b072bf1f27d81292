import ContentModel
import Diagnostics
import TestInputs
import Testing
import Translations

@Suite struct FileRoundTripTests {
  @Test(arguments: TranslationFormat.allCases)
  func returnsTheSampleUnits(format: TranslationFormat) throws {
    try Self.expectReturn(of: Samples.units, in: format)
  }

  @Test(arguments: TranslationFormat.allCases, 0..<60)
  func returnsAnyTexts(format: TranslationFormat, seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    try Self.expectReturn(of: generator.units(20), in: format)
  }

  @Test(arguments: TranslationFormat.allCases)
  func writesEqualBytesForEqualUnits(format: TranslationFormat) throws {
    let file = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: Samples.units)
    #expect(file.encoded().output == file.encoded().output)
  }

  @Test(arguments: TranslationFormat.allCases)
  func readsWhatAToolHasSavedWithOtherLineEnds(format: TranslationFormat) throws {
    let units = Samples.units.filter { !$0.source.contains("\n") }
    let bytes = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: units
    ).encoded().output
    let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    for end in ["\n", "\r\n", "\r"] {
      let text = "\u{FEFF}" + lines.replacing("\u{FEFF}", with: "").replacing("\n", with: end)
      let read = Samples.decode(text)
      #expect(read.diagnostics == [])
      #expect(
        Samples.comparable(read.output.first?.units ?? [], in: format)
          == Samples.comparable(Samples.returned(units, by: format), in: format))
    }
  }

  @Test(arguments: TranslationFormat.allCases, [true, false])
  func readsUTF16(format: TranslationFormat, isBigEndian: Bool) throws {
    let bytes = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: Samples.units
    ).encoded().output
    let text = "\u{FEFF}" + String(decoding: bytes, as: UTF8.self).replacing("\u{FEFF}", with: "")
    let utf16 = text.utf16.flatMap { unit in
      let halves = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? halves : halves.reversed()
    }
    let read = TranslationFile.decode(utf16, path: "in", locales: Samples.locales)
    #expect(read.diagnostics == [])
    #expect(
      Samples.comparable(read.output.first?.units ?? [], in: format)
        == Samples.comparable(Samples.returned(Samples.units, by: format), in: format))
  }

  private static func expectReturn(of units: [TranslationUnit], in format: TranslationFormat) throws
  {
    let file = TranslationFile(format, from: Samples.english, to: Samples.arabic, units: units)
    let written = file.encoded()
    #expect(written.diagnostics == [])
    let read = TranslationFile.decode(written.output, path: "in", locales: Samples.locales)
    #expect(read.diagnostics == [])
    let returned = try #require(read.output.first)
    #expect(read.output.count == 1 && returned.format == format)
    #expect(returned.sourceLocale == Samples.english && returned.targetLocale == Samples.arabic)
    let expected = Samples.comparable(Samples.returned(units, by: format), in: format)
    let found = Samples.comparable(returned.units, in: format)
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("\(expected) is read as \(found)")
    }
  }
}
