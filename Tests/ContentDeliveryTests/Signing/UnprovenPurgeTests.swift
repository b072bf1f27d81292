import ContentModel
import ContentTargets
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Purges of signed channels whose records are gone, so that nothing proves their manifests.
@Suite struct UnprovenPurgeTests {
  private static let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")

  /// Caches may remember that the objects of such a purge are missing.
  @Test func objectsOfAPurgeWithoutARecordMayHaveBeenRemoved() throws {
    let signed = try SignedPlace()
    let place = signed.place()
    try Shop().publish(to: place)
    let purge = Purge(withoutCachesAt: place)
    let manifest = try purge.begin(
      Self.order, after: try #require(try place.live()), through: place.publisher(run: "purge"))
    _ = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    _ = try place.publisher(run: "later").publish { _ in
      var draft = Draft(
        content: try Shop(["entries/product/rose.yaml": "title: New\n"]).content())
      draft.readmitted = ["product/rose"]
      return draft
    }
    let removed = Set(manifest.objects.map(\.digest))
    try #require(!removed.isEmpty)
    var list = try PurgeList(place, live: try place.live())
    #expect(try list.removedObjects().isSuperset(of: removed))
    let records = signed.memory.list(below: "production/releases").map(\.key)
    for key in records where key.contains("/2-") { signed.memory.remove(key) }
    list = try PurgeList(place, live: try place.live())
    #expect(try list.removedObjects().isEmpty)
    #expect(try list.possiblyRemovedObjects().isSuperset(of: removed))
  }
}
