import ContentModel
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges that restore the earlier form of entries.
@Suite struct PurgeRestorationTests {
  let place = ChannelPlace(MemoryTarget())

  @Test func restoresEachEntryFromItsLastDifferentRelease() throws {
    try Shop().publish(to: place)
    try Shop(PurgePlanTests.rose(PurgePlanTests.bad)).publish(to: place)
    try Shop(
      PurgePlanTests.rose(PurgePlanTests.bad).merging([
        "entries/product/lily.yaml": "title: Lilly\nwhen: {country: [DE, FR]}\n"
      ]) { $1 }
    ).publish(to: place)
    try place.purge(PurgePlanTests.order(["product/rose", "product/lily"], .restoration))
    #expect(
      try place.shown("product/rose") == [
        "en": "Rose", "de": "Rose", "fr": "La rose", "fr-CA": "La rose",
      ])
    #expect(try place.shown("product/lily")["en"] == "Lily")
    #expect(try place.files(holding: PurgePlanTests.bad) == [])
    #expect(try place.broken() == [])
  }

  @Test func restoresEachReaderFromTheLastDifferentRelease() throws {
    try Shop().publish(to: place)
    let french = ["entries/product/rose.fr.yaml": "title: \(PurgePlanTests.bad)\n"]
    try Shop(french).publish(to: place)
    try Shop(
      french.merging([
        "entries/product/rose.yaml": "title: \(PurgePlanTests.bad)\ncare: Water it.\nprice: 1\n"
      ]) { $1 }
    )
    .publish(to: place)
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    #expect(
      try place.shown("product/rose") == [
        "en": "Rose", "de": "Rose", "fr": "La rose", "fr-CA": "La rose",
      ])
    #expect(try place.files(holding: PurgePlanTests.bad) == [])
  }

  @Test func refusesToRestoreEntriesWithoutAnEarlierForm() throws {
    try Shop().publish(to: place)
    try Shop([
      "entries/product/aster.yaml": "title: \(PurgePlanTests.bad)\n",
      "entries/product/lily.yaml": "title: Lilly\nwhen: {country: [DE, FR]}\n",
      "entries/screen/home.yaml": "products: [product/rose]\nhero: product/aster\n",
    ]).publish(to: place)
    let error = try place.refusal(
      of: PurgePlanTests.order(["product/aster", "product/lily"], .restoration))
    #expect(
      error?.description.contains(
        "product/aster (de/any, de/phone, en/any, en/phone, fr-CA/any and 3 more)") == true)
    #expect(error?.description.contains("product/lily") == false)
  }

  /// Only these objects have the earlier form.
  @Test func namesTheReleaseWhoseObjectsAreLost() throws {
    try Shop().publish(to: place)
    let earlier = try #require(try place.live()).record.objects
    try Shop(PurgePlanTests.rose(PurgePlanTests.bad)).publish(to: place)
    let shown = Set(try #require(try place.live()).record.objects)
    for object in earlier where !shown.contains(object) { try place.target.remove(object.key) }
    let error = try place.refusal(of: PurgePlanTests.order(["product/rose"], .restoration))
    #expect(
      error?.description
        == "no kept release of 'production' has another form of product/rose that can be read: memory lacks a part of "
        + "release 1, or has it with other bytes; put the file of a backup back")
    #expect(error?.notes == ["nothing was changed; without --restore or --replace it is removed"])
  }

  /// The purge of one entry removes bundles that have others, too.
  @Test func namesThePurgeOfAnotherEntryThatRemovedTheForm() throws {
    try Shop().publish(to: place)
    try Shop(PurgePlanTests.rose(PurgePlanTests.bad)).publish(to: place)
    try place.purge(PurgePlanTests.order(["product/iris"]))
    let error = try place.refusal(of: PurgePlanTests.order(["product/rose"], .restoration))
    #expect(
      error?.description
        == "no kept release of 'production' has another form of product/rose that can be read: purge 1 removed a part "
        + "of release 2 (A swear word)")
    #expect(error?.notes == ["nothing was changed; without --restore or --replace it is removed"])
  }

  /// Purges of the entry and of another one removed parts of the same releases.
  @Test func blamesOnlyThePurgeThatRemovedTheForm() throws {
    let french = ["entries/product/rose.fr.yaml": "title: Gros mot\n"]
    try Shop(french).publish(to: place)
    try Shop(
      french.merging([
        "entries/product/rose.yaml": "title: \(PurgePlanTests.bad)\ncare: Water it.\nprice: 1\n"
      ]) { $1 }
    )
    .publish(to: place)
    // This purge removes the bundles with the earlier English form.
    try place.purge(PurgePlanTests.order(["product/iris"]))
    var own = PurgePlanTests.order(["product/rose"])
    own.locales = ["fr"]
    try place.purge(own)
    let error = try place.refusal(of: PurgePlanTests.order(["product/rose"], .restoration))
    #expect(
      error?.description
        == "no kept release of 'production' has another form of product/rose that can be read: purge 1 removed a part "
        + "of release 2 (A swear word)")
  }

  @Test func doesNotRestorePurgedForms() throws {
    let other = ChannelPlace(place.target, channel: "qa")
    // The copy in another channel keeps the objects at the target.
    for place in [other, place] {
      try Shop(PurgePlanTests.rose(PurgePlanTests.bad)).publish(to: place)
    }
    try place.purge(PurgePlanTests.order(["product/rose"]))
    try Shop(PurgePlanTests.rose("Another mistake")).publish(to: place)
    let error = try place.refusal(of: PurgePlanTests.order(["product/rose"], .restoration))
    #expect(error?.description.contains("only purged or equal forms") == true)
  }

  @Test func doesNotRestorePurgedPictures() throws {
    let other = ChannelPlace(place.target, channel: "qa")
    // The copy in another channel keeps the objects at the target.
    for place in [other, place] { try Shop(PurgePlanTests.picture).publish(to: place) }
    let asset = Digest(of: Array("a rose".utf8))
    try Shop(
      PurgePlanTests.picture.merging(["entries/product/rose.yaml": "title: Plain rose\n"]) { $1 }
    )
    .publish(to: place)
    try place.purge(PurgeOrder(.asset(asset), reason: "Not ours"))
    try Shop(["entries/product/rose.yaml": "title: \(PurgePlanTests.bad)\n"]).publish(to: place)
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    #expect(try place.shown("product/rose")["en"] == "Plain rose")
    try Shop(["entries/product/rose.yaml": "title: Plain rose\ncare: \(PurgePlanTests.bad)\n"])
      .publish(
        to: place)
    // Restoring a single field must not restore the picture.
    try place.purge(PurgePlanTests.order(["product/rose"], fields: ["care"], .restoration))
    #expect(try place.values("product/rose", "care") == [])
  }

  @Test func doesNotRestoreFormsWhosePictureIsGone() throws {
    try Shop(["entries/product/rose.yaml": "title: Plain rose\n"]).publish(to: place)
    try Shop(PurgePlanTests.picture).publish(to: place)
    try Shop(
      PurgePlanTests.picture.merging([
        "entries/product/rose.yaml": "title: \(PurgePlanTests.bad)\npicture: rose.bin\n"
      ]) { $1 }
    )
    .publish(to: place)
    // The purge removes the picture with the entry, although the order did not name it.
    try place.purge(PurgePlanTests.order(["product/rose"]))
    try Shop(["entries/product/rose.yaml": "title: \(PurgePlanTests.bad) again\n"]).publish(
      to: place, unpurged: ["product/rose"])
    try place.purge(PurgePlanTests.order(["product/rose"], .restoration))
    #expect(try place.shown("product/rose")["en"] == "Plain rose")
    #expect(try place.broken() == [])
  }

  @Test func unpurgesAnAssetTogetherWithItsEntries() throws {
    let asset = Digest(of: Array("a rose".utf8))
    try Shop(PurgePlanTests.picture).publish(to: place)
    try place.purge(PurgeOrder(.asset(asset), reason: "By mistake"))
    let error = #expect(throws: DeliveryError.self) {
      try Shop(PurgePlanTests.picture).publish(to: place)
    }
    #expect(error?.notes.last?.hasSuffix("--unpurge \(asset.hex)") == true)
    try Shop(PurgePlanTests.picture).publish(to: place, unpurged: [asset.hex])
    #expect(try place.live()?.record.objects.contains { $0.digest == asset } == true)
  }

  @Test func reportsTheReleasesItRestoresFrom() throws {
    try Shop().publish(to: place)
    try Shop(PurgePlanTests.rose(PurgePlanTests.bad)).publish(to: place)
    let live = try #require(try place.live())
    let plan = try PurgePlanner(place, live: live).plan(
      PurgePlanTests.order(["product/rose"], .restoration))
    #expect(plan.sources.map(\.id) == ["product/rose"] && plan.sources.map(\.releases) == [[1]])
    #expect(plan.withdrawn.isEmpty)
  }

  @Test func reportsBundlesThatLoseARestoredEntry() throws {
    let more = """
      app: shop
      sourceLocale: en
      locales: [en, fr, fr-CA, de]
      devices: {phone: {}}
      bundles:
        home: {include: screen/home, startup: true}
        catalog: {include: product/*, projection: light}
        product: {include: product/*, split: entry}
        best: {include: [product/rose, product/iris]}
      """
    try Shop().publish(to: place)
    try Shop(PurgePlanTests.rose(PurgePlanTests.bad).merging(["content.yaml": more]) { $1 })
      .publish(to: place)
    let order = PurgePlanTests.order(["product/rose"], .restoration)
    let plan = try PurgePlanner(place, live: try #require(try place.live())).plan(order)
    #expect(
      plan.withdrawn.map(\.id) == ["product/rose"] && plan.withdrawn.map(\.bundles) == [["best"]])
    try place.purge(order)
    #expect(try place.files(holding: PurgePlanTests.bad) == [] && place.broken() == [])
  }
}
