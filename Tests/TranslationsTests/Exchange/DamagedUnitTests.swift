import ContentModel
import Diagnostics
import TestInputs
import Testing
import Translations

/// A translator's file in which one unit is damaged: all others are imported, and a message names
/// the damaged one.
@Suite struct DamagedUnitTests {
  /// The parts of a file that belong together: the units of a plural or a list, or a single one.
  private struct Part {
    var ids: [ExactString]
    /// The lines of the part, from 1.
    var lines: ClosedRange<Int>
    var bytes: Range<Int>
  }

  /// The locale has no translation of its own before the import.
  private static let locale = "fr-CA"

  private static func text(_ unit: TranslationUnit, _ number: Int) -> String {
    // Many characters beyond ASCII, so that one damaged byte does not look like another encoding.
    unit.source.replacing("Cut", with: "Coupez") + " traduit à \(number) été déjà"
  }

  private func file(
    as format: TranslationFormat
  ) throws -> (bytes: [UInt8], wanted: [ExactString: String]) {
    var fixture = Fixture.shop
    fixture["datatypes/product.yaml"].replace("maxLength: 30", with: "maxLength: 60")
    var wanted: [ExactString: String] = [:]
    var number = 0
    let bytes = try fixture.export(Self.locale, as: format) { unit in
      number += 1
      let text = Self.text(unit, number)
      wanted[unit.id] = text
      unit = unit.translated(text)
    }
    return (bytes, wanted)
  }

  private var empty: Fixture {
    var fixture = Fixture.shop
    fixture["datatypes/product.yaml"].replace("maxLength: 30", with: "maxLength: 60")
    return fixture
  }

  /// The parts of a file, in their order.
  private func parts(of bytes: [UInt8], in format: TranslationFormat, ids: [ExactString]) throws
    -> [Part]
  {
    let marks = try UnitMarks.of(format)
    let starts = try ids.map { id in
      let line = "\n" + marks.line(of: id)
      return (id: id, start: try #require(bytes.firstIndex(of: Array(line.utf8)), "\(line)"))
    }.sorted { $0.start < $1.start }
    let end = try marks.end.map { try #require(bytes.firstIndex(of: Array($0.utf8))) }
    var parts: [Part] = []
    for (id, start) in starts {
      // The line break before a unit belongs to the part before it.
      let first = start + 1
      if parts.last?.bytes.lowerBound == first {
        parts[parts.count - 1].ids.append(id)
        continue
      }
      if !parts.isEmpty {
        parts[parts.count - 1].bytes = parts[parts.count - 1].bytes.lowerBound..<first
      }
      parts.append(Part(ids: [id], lines: 1...1, bytes: first..<(end ?? bytes.count)))
    }
    for index in parts.indices {
      let bounds = [parts[index].bytes.lowerBound, parts[index].bytes.upperBound - 1].map { end in
        1 + bytes[..<end].count { $0 == 0x0A }
      }
      parts[index].lines = bounds[0]...bounds[1]
    }
    return parts
  }

  private static func damage(
    _ bytes: inout [UInt8], in part: Range<Int>, by random: inout SeededGenerator
  ) -> String {
    let offset = part.lowerBound + random.below(part.count)
    switch random.below(5) {
    case 0:
      return "deletes \(UnicodeScalar(bytes.remove(at: offset)))"
    case 1:
      let byte = random.one(of: Array("<>&\"'{}[],:;\\/ x".utf8))
      defer { bytes[offset] = byte }
      return "replaces \(UnicodeScalar(bytes[offset])) with \(UnicodeScalar(byte))"
    case 2:
      let byte = random.one(of: Array("<>&\"'{}[],:;\\/ x".utf8))
      bytes.insert(byte, at: offset)
      return "inserts \(UnicodeScalar(byte))"
    case 3:
      bytes[offset] = 0xFF
      return "breaks a character"
    default:
      let end = min(part.upperBound, offset + 1 + random.below(24))
      bytes.removeSubrange(offset..<end)
      return "deletes \(end - offset) bytes"
    }
  }

  @Test(arguments: TranslationFormat.allCases, 0..<60)
  func importsAllOtherUnits(format: TranslationFormat, seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let (whole, wanted) = try file(as: format)
    let part = random.one(of: try parts(of: whole, in: format, ids: wanted.keys.sorted()))
    var bytes = whole
    let name =
      "\(Self.damage(&bytes, in: part.bytes, by: &random)) of \(part.ids) in \(format), seed \(seed)"
    var fixture = empty
    let plan = try fixture.take(bytes)
    let messages = plan.diagnostics.map {
      "\($0.location?.description ?? ""): \($0.id): \($0.message) \($0.notes.map(\.message))"
    }
    let output = try #require(plan.output, "\(name): \(messages)")

    // The parts of a plural or a list are imported as a whole.
    let project = try empty.project()
    let located = project.units(into: try #require(LocaleTag(Self.locale)))
    let groups = Set(located.filter { part.ids.contains($0.unit.id) }.compactMap(\.group))
    let damaged = Set(
      part.ids + located.filter { $0.group.map(groups.contains) ?? false }.map(\.unit.id))
    let found = try fixture.translations(Self.locale)
    for (id, text) in wanted where !damaged.contains(id) {
      #expect(found[id]?.hasSameBytes(as: text) == true, "\(name): \(id) is lost: \(messages)")
    }
    // The damaged unit is named, counted as missing, or has another text now.
    let isTaken = part.ids.contains { found[$0] != nil }
    let isNamed = plan.diagnostics.contains { diagnostic in
      let texts = [diagnostic.message] + diagnostic.notes.map(\.message)
      let lines = [diagnostic.location?.range?.start.line ?? 0]
      return part.ids.contains { id in texts.contains { $0.contains("'\(id)'") } }
        || lines.contains { part.lines.contains($0) }
    }
    #expect(isTaken || isNamed || output.missing > 0, "\(name): \(messages)")
    #expect(!plan.hasErrors || output.refused > 0, "\(name): \(messages)")
  }

  @Test(arguments: TranslationFormat.allCases)
  func importsAllUnitsOfAWholeFile(format: TranslationFormat) throws {
    let (whole, wanted) = try file(as: format)
    #expect(try parts(of: whole, in: format, ids: wanted.keys.sorted()).count > 10)
    var fixture = empty
    let plan = try fixture.take(whole)
    #expect(plan.diagnostics == [])
    #expect(try fixture.translations(Self.locale) == wanted)
  }

  @Test func readsAStringCatalogWithATrailingComma() throws {
    let (whole, wanted) = try file(as: .xcstrings)
    let end = "\n  },\n  \"version\""
    let text = String(decoding: whole, as: UTF8.self).replacing(end, with: "," + end)
    var fixture = empty
    let plan = try fixture.take(Array(text.utf8))
    #expect(plan.diagnostics.map(\.id) == ["translation-file"])
    #expect(try fixture.translations(Self.locale) == wanted)
  }

  /// Each of several units has its own mistake, also if they follow each other.
  @Test(
    arguments: TranslationFormat.allCases,
    [
      ["product/rose#title", "strings/app#a%2Eb"], ["store/lyon#name", "store/paris#name"],
      ["product/rose@ipad#title", "store/lyon#name", "store/paris#name", "strings/app#a%2Eb"],
    ])
  func leavesOutSeveralUnits(format: TranslationFormat, broken: [ExactString]) throws {
    let (whole, wanted) = try file(as: format)
    let parts = try parts(of: whole, in: format, ids: wanted.keys.sorted())
    var bytes = whole
    for part in parts.reversed() where broken.contains(part.ids[0]) {
      let place = part.bytes.upperBound - 12
      bytes.removeSubrange(place..<place + 4)
      bytes.insert(contentsOf: Array("<\"{".utf8), at: place)
    }
    var fixture = empty
    let plan = try fixture.take(bytes)
    let found = try fixture.translations(Self.locale)
    for (id, text) in wanted where !broken.contains(id) {
      #expect(found[id]?.hasSameBytes(as: text) == true, "\(id) is lost: \(plan.diagnostics)")
    }
    for id in broken {
      #expect(
        plan.diagnostics.contains { problem in
          ([problem.message] + problem.notes.map(\.message)).contains { $0.contains("'\(id)'") }
        }, "\(id): \(plan.diagnostics)")
    }
  }
}
