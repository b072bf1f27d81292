import ContentModel
import Testing

@testable import ContentReleases
@testable import TestDelivery

/// The changes for readers that a diff reports.
@Suite struct DiffTests {
  @Test func reportsAddedRemovedAndChangedEntries() throws {
    let old = Shelf(["rose": "Rose", "lily": "Lily", "iris": "Iris"])
    var new = Shelf(["rose": "Rosa", "lily": "Lily", "tulip": "Tulip"])
    new.texts["fr"]?["lily"] = "Lys"
    let diff = try ReleaseDiff(from: try old.content(), to: try new.content())
    #expect(
      diff.entries.map(\.id) == ["product/iris", "product/lily", "product/rose", "product/tulip"])
    #expect(diff.entries.map(\.kind) == [.removed, .changed, .changed, .added])
    #expect(
      diff.entries.map(\.contexts) == [
        ["en/any", "fr/any"], ["fr/any"], ["en/any", "fr/any"], ["en/any", "fr/any"],
      ])
    let rose = diff.entries[2].fields
    #expect(rose.map(\.path) == ["title", "title"])
    #expect(Set(rose.map(\.new)) == ["Rosa", "Rosa, en français"])
    #expect(
      diff.bytesByContext.map(\.context) == ["en/any", "fr/any"]
        && diff.bytesByContext.allSatisfy { $0.bytes > 0 })
  }

  @Test func isEmptyForEqualContent() throws {
    let shelf = Shelf(["rose": "Rose"])
    #expect(try ReleaseDiff(from: try shelf.content(), to: try shelf.content()).isEmpty)
  }

  @Test func reportsAllEntriesAsAddedWithoutALiveRelease() throws {
    let diff = try ReleaseDiff(from: nil, to: try Shelf(["rose": "Rose"]).content())
    #expect(diff.entries.map(\.kind) == [.added] && diff.newObjects.count == 5)
  }

  @Test(
    arguments: [
      (["title": "a"], ["title": "b"], ["title"]),
      (["a": ["b": 1, "c": 2]], ["a": ["b": 1, "c": 3]], ["a.c"]),
      (["l": [["id": "x", "t": 1]]], ["l": [["id": "x", "t": 2]]], ["l[x].t"]),
      (["l": [["id": "x"], ["id": "y"]]], ["l": [["id": "y"], ["id": "x"]]], ["l"]),
      (["l": [1, 2]], ["l": [1, 3]], ["l"]), (["a": 1], ["b": 1], ["a", "b"]),
      (["a": 1], ["a": 1.0], ["a"]),
      // The same name in two normalization forms is two names.
      (["caf\u{E9}": 1], ["cafe\u{301}": 1], ["cafe\u{301}", "caf\u{E9}"]),
      (["l": [["id": "caf\u{E9}"]]], ["l": [["id": "cafe\u{301}"]]], ["l"]),
      (
        ["caf\u{E9}": 1, "cafe\u{301}": 2], ["caf\u{E9}": 3, "cafe\u{301}": 4],
        ["cafe\u{301}", "caf\u{E9}"]
      ),
      (["title": "caf\u{E9}"], ["title": "cafe\u{301}"], ["title"]),
      (
        ["l": [["id": "\u{E9}", "t": 1], ["id": "e\u{301}", "t": 1]]],
        ["l": [["id": "\u{E9}", "t": 1], ["id": "e\u{301}", "t": 2]]], ["l[e\u{301}].t"]
      ),
    ] as [(Value, Value, [ExactString])])
  func findsTheDeepestDifference(old: Value, new: Value, paths: [ExactString]) {
    let comparison = FieldComparison(from: ["content": old], to: ["content": new])
    #expect(comparison.differences.map { ExactString($0.path) } == paths)
  }

  /// The standard order compares the composed forms.
  @Test func ordersFieldsByTheirBytes() throws {
    var (old, new) = (Shelf(["rose": "Rose"]), Shelf(["rose": "Rose"]))
    old.fields = ["caf\u{E9}": 1, "cafe\u{301}": 1, "cafz": 1]
    new.fields = ["caf\u{E9}": 2, "cafe\u{301}": 2, "cafz": 2]
    let diff = try ReleaseDiff(from: try old.content(), to: try new.content())
    #expect(
      diff.entries.flatMap(\.fields).map { ExactString($0.path) } == [
        "cafe\u{301}", "cafz", "caf\u{E9}",
      ])
  }

  /// A reader's app may compare the two texts by bytes.
  @Test func reportsATextThatChangedOnlyInNormalization() throws {
    let (old, new) = (Shelf(["cafe": "Caf\u{E9}"]), Shelf(["cafe": "Cafe\u{301}"]))
    let diff = try ReleaseDiff(from: try old.content(), to: try new.content())
    #expect(diff.entries.map(\.kind) == [.changed])
    #expect(diff.entries.flatMap(\.fields).map(\.path) == ["title", "title"])
  }
}
