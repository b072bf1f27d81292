import ContentModel
import Diagnostics
import Foundation
import TestInputs
import TestServers
import Testing
import Translations

/// Reads string catalogs that Xcode wrote, and writes each of their languages again.
///
/// `CONTENTC_CATALOGS` names a folder with such files, as public repositories of apps have them.
/// Without it, the test is skipped: no package of Debian is known to have one. `Scripts/xcode.py` compares each
/// written file with its original.
@Suite struct XcodeCatalogTests {
  private static let folder = ProcessInfo.processInfo.environment["CONTENTC_CATALOGS"]

  /// A catalog, and what contentc made of it.
  private struct Reading: Encodable {
    struct Problem: Encodable {
      var line: Int?
      var message: String
    }
    var path: String
    /// The names of the written files, by language.
    var files: [String: String] = [:]
    var problems: [Problem] = []
  }

  /// The languages of a catalog, as Foundation reads them.
  private struct Catalog: Decodable {
    struct Entry: Decodable { var localizations: [String: Localization]? }
    struct Localization: Decodable {}
    var sourceLanguage: String
    var strings: [String: Entry]

    var locales: TranslationLocales? {
      guard let source = LocaleTag(sourceLanguage) else { return nil }
      let tags = Set(strings.values.flatMap { $0.localizations.map { Array($0.keys) } ?? [] })
      return TranslationLocales(source: source, targets: tags.sorted().compactMap { LocaleTag($0) })
    }
  }

  @Test(.enabled(if: folder != nil, "CONTENTC_CATALOGS names no folder"))
  func writesWhatXcodeWrites() throws {
    let folder = try #require(Self.folder)
    let scratch = try ScratchFolder()
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".xcstrings") }
    var readings: [Reading] = []
    for name in names {
      let reading = try read("\(folder)/\(name)", number: readings.count, into: scratch)
      if let reading { readings.append(reading) }
    }
    try scratch.write("readings.json", Array(JSONEncoder().encode(readings)))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Scripts/xcode.py").path
    let output = scratch.path("output.txt")
    let status = try Program("/usr/bin/python3", [script, scratch.path("")], output: output).wait()
    let report = try scratch.read("output.txt")
    print(report)
    #expect(status == 0, "\(report)")
  }

  /// Writes each language of a catalog into the scratch folder; `nil` for a file that is no catalog.
  private func read(_ path: String, number: Int, into scratch: ScratchFolder) throws -> Reading? {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let catalog = try? JSONDecoder().decode(Catalog.self, from: data),
      let locales = catalog.locales
    else { return nil }
    let read = TranslationFile.decode([UInt8](data), path: path, locales: locales)
    var reading = Reading(path: path)
    for file in read.output {
      let tag = file.targetLocale.identifier
      reading.files[tag] = "\(number).\(tag).xcstrings"
      let written = file.encoded()
      try #require(written.diagnostics == [])
      try scratch.write("\(number).\(tag).xcstrings", written.output)
    }
    reading.problems = read.diagnostics.map {
      Reading.Problem(line: $0.location?.range?.start.line, message: $0.message)
    }
    return reading
  }
}
