import ContentModel
import Diagnostics
import Testing

@testable import ContentCompiler

/// The moments at which content appears and ends.
@Suite struct ScheduleTests {
  /// The moments of a tree's entries of one open datatype, as in `2030 a x[p] appears
  /// fr/any,fr/phone @1:2`.
  private func moments(_ files: [String: String]) throws -> [String] {
    try schedule(of: smallTree(files)).map { moment in
      let year = moment.instant.rfc3339.prefix(4)
      let contexts = moment.contexts.map { $0.map(\.description).joined(separator: ",") } ?? "all"
      let location = "\(moment.location)".replacing("content/entries/item/", with: "")
      return
        "\(year) \(moment.entry.rest) \(moment.field ?? "-") \(moment.kind) \(contexts) \(location)"
    }
  }

  @Test func listsEntriesAndItemsInOrderOfTime() throws {
    let found = try moments([
      "b": "{when: {until: 2031-01-01T00:00:00Z, from: 2030-01-01T00:00:00Z}, x: 1}",
      "a": "{x: {y: [{id: p, when: {until: 2030-01-01T00:00:00Z}}, {id: q}]}}",
      "c":
        "{x: [{when: {locale: fr, from: 2029-01-01T00:00:00Z}}, {when: {from: 2040-01-01T00:00:00Z}}]}",
    ])
    #expect(
      found == [
        "2029 c x[0] appears fr/any,fr/phone c.yaml:1:32", "2030 a x.y[p] ends all a.yaml:1:32",
        "2030 b - appears all b.yaml:1:44", "2031 b - ends all b.yaml:1:16",
        "2040 c x[0] appears en/any,en/phone c.yaml:1:70",
        "2040 c x[1] appears fr/any,fr/phone c.yaml:1:70",
      ])
  }

  @Test func listsTheDatesOfEffectiveOverlays() throws {
    let found = try moments([
      "a":
        "{when: {from: 2030-01-01T00:00:00Z}, x: [{id: p, when: {until: 2032-01-01T00:00:00Z}}]}",
      "a.fr": "{when: {from: 2031-01-01T00:00:00Z}, x: [{id: p, v: 1}]}",
      "a@phone": "{x: [{id: p, when: null}]}",
      "b": "{when: false, x: 1}",
      "b.fr@phone": "when: {device: phone, until: 2033-01-01T00:00:00Z}",
    ])
    #expect(
      found == [
        "2030 a - appears en/any,en/phone a.yaml:1:15",
        "2031 a - appears fr/any,fr/phone a.fr.yaml:1:15",
        "2032 a x[p] ends en/any,fr/any a.yaml:1:64", "2033 b - ends fr/phone b.fr@phone.yaml:1:30",
      ])
  }

  @Test func ignoresKeysOfCatalogs() throws {
    #expect(try moments(["strings/app.en.yaml": "en: {when: {from: Since}, x: X}"]) == [])
    #expect(try moments(["a": "{x: {when: {from: 2030-01-01T00:00:00Z}}}"]) == [])
  }
}
