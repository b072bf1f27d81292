import ContentModel
import Synchronization
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The entries that a purge removes, and their replacements.
@Suite struct PurgePlanTests {
  static let bad = "Swear word"
  let place = ChannelPlace(MemoryTarget())

  /// The files of a rose whose title differs from the usual one for every reader.
  static func rose(_ title: String) -> [String: String] {
    [
      "entries/product/rose.yaml": "title: \(title)\n",
      "entries/product/rose.fr.yaml": "title: \(title) en français\n",
    ]
  }

  static let picture = [
    "datatypes/product.yaml": """
    fields: {title: {type: string, localized: true}, care: {type: text}, price: {type: number}, picture: {type: asset}}
    projections: {light: [title]}
    """,
    "entries/product/rose.yaml": "title: Rose\npicture: rose.bin\n", "assets/rose.bin": "a rose",
  ]

  static func order(
    _ ids: [String], fields: [String] = [], _ remedy: PurgeOrder.Remedy = .nothing,
    commandWords: [String] = []
  ) -> PurgeOrder {
    var order = PurgeOrder(
      .entries(ids), fields: fields.compactMap(ContentPath.init), remedy: remedy,
      reason: "A swear word")
    order.commandWords = commandWords
    return order
  }

  // MARK: Repeated purges

  @Test func purgesAnEntryAgainAfterItChanged() throws {
    let order = Self.order(["product/rose"], commandWords: ["product/rose"])
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try place.purge(order)
    #expect(try place.isDone(order))
    try Shop(Self.rose("Fine")).publish(to: place)
    #expect(try !place.isDone(order))
    try Shop(Self.rose("\(Self.bad) again")).publish(to: place)
    #expect(try !place.isDone(order))
    try place.purge(order)
    #expect(try place.shown("product/rose") == [:])
    #expect(try place.isDone(order))
  }

  @Test func recognizesADonePurgeAfterAnotherPurge() throws {
    let order = Self.order(["product/rose"], commandWords: ["product/rose"])
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try place.purge(order)
    try place.purge(Self.order(["product/lily"], commandWords: ["product/lily"]))
    #expect(try place.isDone(order))
  }

  /// A later purge has undone the work of the earlier one in the same words.
  @Test func restoresAnEntryAgainThatWasPurgedSince() throws {
    let plain = Self.order(["product/rose"], commandWords: ["product/rose"])
    let back = Self.order(
      ["product/rose"], .restoration, commandWords: ["product/rose", "--restore"])
    for title in ["First", "Second", Self.bad] { try Shop(Self.rose(title)).publish(to: place) }
    try place.purge(plain)
    try place.purge(back)
    #expect(try place.isDone(back))
    try place.purge(plain)
    #expect(try !place.isDone(back))
    try place.purge(back)
    #expect(try place.shown("product/rose")["en"] == "First")
  }

  /// A later purge has undone the restoration of one of two entries.
  @Test func restoresOnlyEntriesWhoseRestorationWasUndone() throws {
    func shop(_ title: String) -> Shop {
      Shop(Self.rose(title).merging(["entries/product/lily.yaml": "title: \(title)\n"]) { $1 })
    }
    let ids = ["product/lily", "product/rose"]
    let back = Self.order(ids, .restoration, commandWords: ids + ["--restore"])
    for title in ["First", "Second", Self.bad] { try shop(title).publish(to: place) }
    try place.purge(back)
    #expect(try place.shown("product/lily")["en"] == "Second")
    try place.purge(Self.order(["product/rose"], commandWords: ["product/rose"]))
    let live = try #require(try place.live())
    let plan = try #require(
      try PurgeList(place, live: live).planUnlessRepeated(
        back, by: PurgePlanner(place, live: live)))
    _ = try Purge(withoutCachesAt: place).begin(
      back, as: plan, after: live, through: place.publisher(run: "again"))
    #expect(try place.shown("product/rose")["en"] == "First")
    #expect(try place.shown("product/lily")["en"] == "Second")
  }

  /// A release after the purge, which is not live either, had the asset again.
  @Test func purgesAnAssetAgainThatALaterReleaseNames() throws {
    let asset = Digest(of: Array("a rose".utf8))
    var order = PurgeOrder(.asset(asset), reason: "Not ours")
    order.commandWords = ["--asset", asset.hex]
    try Shop(Self.picture).publish(to: place)
    let key = try #require(
      try place.live()?.record.objects.first { $0.digest == asset }?.key)
    try place.purge(order)
    #expect(try place.isDone(order) && place.target.read(key) == nil)
    try Shop(Self.picture).publish(to: place, unpurged: ["all"])
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: place)
    #expect(try place.target.read(key) != nil && !place.isDone(order))
    let live = try #require(try place.live())
    let plan = try #require(
      try PurgeList(place, live: live).planUnlessRepeated(
        order, by: PurgePlanner(place, live: live)))
    #expect(plan.gone.map(\.key) == [key])
    try place.purge(order)
    #expect(try place.isDone(order) && place.target.read(key) == nil)
    // A publication that was killed has sent it.
    #expect(
      try place.target.create(key, as: OutgoingFile(bytes: Array("a rose".utf8))))
    #expect(try !place.isDone(order))
  }

  /// Another channel needed the asset, and has dropped it since.
  @Test func purgesAnAssetAgainThatAnotherChannelHasDropped() throws {
    let asset = Digest(of: Array("a rose".utf8))
    var order = PurgeOrder(.asset(asset), reason: "Not ours")
    order.commandWords = ["--asset", asset.hex]
    let qa = ChannelPlace(place.target, channel: "qa")
    try Shop(Self.picture).publish(to: place)
    try Shop(Self.picture).publish(to: qa)
    #expect(try !place.purge(order).kept.isEmpty && place.isDone(order))
    try Shop().publish(to: qa)
    #expect(try !place.isDone(order))
    try place.purge(order)
    #expect(try place.isDone(order))
  }

  /// The release was rolled back to, and is not live any more.
  @Test func purgesAReleaseAgainThatWasShownSince() throws {
    var order = PurgeOrder(.release(2), reason: "By mistake")
    order.commandWords = ["--release", "2"]
    try Shop().publish(to: place)
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try place.purge(order)
    #expect(try place.isDone(order))
    try Shop(Self.rose(Self.bad)).publish(to: place, unpurged: ["all"])
    #expect(try !place.isDone(order))
    try Shop().publish(to: place)
    #expect(try !place.isDone(order) && place.files(holding: Self.bad) != [])
    let live = try #require(try place.live())
    let plan = try #require(
      try PurgeList(place, live: live).planUnlessRepeated(
        order, by: PurgePlanner(place, live: live)))
    #expect(!plan.gone.isEmpty)
    try place.purge(order)
    #expect(try place.isDone(order) && place.files(holding: Self.bad) == [])
  }

  @Test func replacesAFieldAgainThatWasReplacedSince() throws {
    func order(_ title: String) -> PurgeOrder {
      Self.order(["product/rose"], .replacement([("title", .string(title))]), commandWords: [title])
    }
    func plan(_ order: PurgeOrder) throws -> PurgePlan? {
      let live = try #require(try place.live())
      return try PurgeList(place, live: live).planUnlessRepeated(
        order, by: PurgePlanner(place, live: live))
    }
    try Shop().publish(to: place)
    try place.purge(order("Red"))
    #expect(try plan(order("Red")) == nil)
    try place.purge(order("Blue"))
    #expect(try plan(order("Red")) != nil && plan(order("Blue")) == nil)
  }

  @Test func purgesAnEntryAgainIfOnlyItsNormalizationHasChanged() throws {
    let order = Self.order(["product/rose"], commandWords: ["product/rose"])
    try Shop(Self.rose("Caf\u{E9}")).publish(to: place)
    try place.purge(order)
    #expect(try place.isDone(order))
    try Shop(Self.rose("Cafe\u{301}")).publish(to: place)
    #expect(try !place.isDone(order))
    try place.purge(order)
    #expect(try place.shown("product/rose") == [:] && place.isDone(order))
  }

  // MARK: Releases

  @Test func findsReleaseChangesInListsEditedLater() throws {
    let fields = """
      fields: {title: {type: string}, notes: {type: list, of: {type: string}}}
      projections: {light: [title]}
      """
    func shop(_ notes: String) -> Shop {
      Shop([
        "datatypes/product.yaml": fields,
        "entries/product/rose.yaml": "title: Rose\nnotes: \(notes)\n",
        "entries/product/rose.fr.yaml": "{}", "entries/product/lily.yaml": "title: Lily\n",
        "entries/product/iris.yaml": "title: Iris\n",
      ])
    }
    try shop("[Red]").publish(to: place)
    try shop("[Red, \(Self.bad)]").publish(to: place)
    try shop("[Crimson, \(Self.bad)]").publish(to: place)
    let error = try place.refusal(of: PurgeOrder(.release(2), reason: "By mistake"))
    #expect(
      error?.kind == .refused && error?.description.contains("release 3 shows product/rose") == true
    )
    // Removed items and a new order count as changes of the release, too.
    for (first, then) in [("[Red, Green]", "[Red]"), ("[Red, Green]", "[Green, Red]")] {
      let place = ChannelPlace(MemoryTarget())
      try shop(first).publish(to: place)
      try shop(then).publish(to: place)
      try Shop([
        "datatypes/product.yaml": fields,
        "entries/product/rose.yaml": "title: Rose\nnotes: \(then)\n",
        "entries/product/rose.fr.yaml": "{}", "entries/product/lily.yaml": "title: Another\n",
        "entries/product/iris.yaml": "title: Iris\n",
      ]).publish(to: place)
      #expect(throws: DeliveryError.self, "\(then)") {
        try place.purge(PurgeOrder(.release(2), reason: "By mistake"))
      }
    }
    try shop("[Crimson]").publish(to: place)
    try place.purge(PurgeOrder(.release(2), reason: "By mistake"))
    #expect(try place.broken() == [])
  }

  @Test func refusesToPurgeAReleaseThatIsPartlyStillShown() throws {
    try Shop().publish(to: place)
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try Shop(
      Self.rose(Self.bad).merging([
        "entries/product/lily.yaml": "title: Lilly\nwhen: {country: [DE, FR]}\n"
      ]) { $1 }
    ).publish(to: place)
    let error = try place.refusal(of: PurgeOrder(.release(2), reason: "By mistake"))
    #expect(
      error?.kind == .refused && error?.description.contains("release 3 shows product/rose") == true
    )
    try Shop(["entries/product/lily.yaml": "title: Lilly\nwhen: {country: [DE, FR]}\n"]).publish(
      to: place)
    try place.purge(PurgeOrder(.release(2), reason: "By mistake"))
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try place.broken() == [])
  }

  // MARK: Fields

  /// The entry has another field, whose name is canonically equivalent.
  @Test(arguments: [["caf\u{E9}", "cafe\u{301}"], ["cafe\u{301}", "caf\u{E9}"]])
  func purgesOnlyTheFieldWithTheBytesOfTheName(names: [String]) throws {
    try Shop([
      "datatypes/product.yaml": """
      fields:
        title: {type: string, localized: true}
        \(names[0]): {type: text}
        \(names[1]): {type: text}
      projections: {light: [title]}
      """,
      "entries/product/rose.yaml": "title: Rose\n\(names[0]): \(Self.bad)\n\(names[1]): Fine\n",
      "entries/product/lily.yaml": "title: Lily\n", "entries/product/iris.yaml": "title: Iris\n",
    ]).publish(to: place)
    let order = Self.order(
      ["product/rose"], fields: [names[0]], commandWords: ["product/rose", "--field", names[0]])
    try place.purge(order)
    #expect(try place.values("product/rose", names[0]) == [])
    #expect(try place.values("product/rose", names[1]) == ["Fine"])
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try place.isDone(order))
    let other = Self.order(
      ["product/rose"], fields: [names[1]], commandWords: ["product/rose", "--field", names[1]])
    #expect(try !place.isDone(other))
  }

  @Test(arguments: [["titel"], ["care", "titel"]])
  func refusesUnknownFields(fields: [String]) throws {
    try Shop().publish(to: place)
    let error = try place.refusal(of: Self.order(["product/rose"], fields: fields))
    #expect(
      error?.kind == .unknown
        && error?.description.contains("'titel'; did you mean 'title'?") == true)
  }

  @Test func refusesAllUnfitFieldsOfAReplacement() throws {
    try Shop(["entries/product/rose.yaml": "title: Rose\nprice: 1.5\n"]).publish(to: place)
    try place.purge(Self.order(["product/rose"], .replacement([("price", 9)])))
    #expect(try place.values("product/rose", "price") == [.real(9)])
    let before = try place.live()?.number
    for title in [9, ["Rose"]] as [Value] {
      let unfit = Self.order(
        ["product/rose"], .replacement([("price", "nine"), ("titel", "Rose"), ("title", title)]))
      let refusal = #expect(throws: ReplacementRefusal.self) { try place.purge(unfit) }
      #expect(
        refusal?.problems == [
          .otherKind("price", kind: "a number", entry: "product/rose"), .unknown("titel"),
          .otherKind("title", kind: "a text", entry: "product/rose"),
        ])
      #expect(refusal?.fields == ["price", "title"])
    }
    #expect(try place.live()?.number == before)
  }

  @Test func replacesAFieldThatOnlyAPurgedEntryHas() throws {
    for title in ["Rose", Self.bad] {
      try Shop([
        "entries/product/rose.yaml": "title: \(title)\nprice: 1.5\n",
        "entries/product/lily.yaml": "title: Lily\n",
      ]).publish(to: place)
    }
    try place.purge(Self.order(["product/rose"]))
    try place.purge(Self.order(["product/lily", "product/rose"], .replacement([("price", 9)])))
    #expect(try place.values("product/rose", "price") == [.real(9)])
  }

  /// The removed field is unknown afterwards.
  @Test func recognizesADoneReplacementThatRemovedAField() throws {
    let order = Self.order(
      ["product/rose"], .replacement([("price", nil)]), commandWords: ["product/rose"])
    try Shop(["entries/product/rose.yaml": "title: Rose\nprice: 1.5\n"]).publish(to: place)
    try place.purge(order)
    let live = try #require(try place.live())
    let planner = try PurgePlanner(place, live: live)
    #expect(throws: ReplacementRefusal.self) { try planner.plan(order) }
    #expect(try planner.list.planUnlessRepeated(order, by: planner) == nil)
  }

  // MARK: Earlier forms

  @Test func purgesEveryEarlierFormOfAnEntry() throws {
    for price in [1, 9] {
      try Shop(["entries/product/rose.yaml": "title: \(Self.bad)\nprice: \(price)\n"]).publish(
        to: place)
    }
    var order = Self.order(["product/rose"])
    order.takesHistory = true
    try place.purge(order)
    #expect(try place.files(holding: Self.bad) == [])
    #expect(throws: DeliveryError.self) { try place.rollBack(to: 1) }
    #expect(throws: DeliveryError.self) {
      try Shop(["entries/product/rose.yaml": "title: \(Self.bad)\nprice: 1\n"]).publish(to: place)
    }
  }

  private func publishRoses(_ titles: [String]) throws {
    for title in titles { try Shop(Self.rose(title)).publish(to: place) }
  }

  private func planUnlessRepeated(_ order: PurgeOrder) throws -> PurgePlan? {
    let live = try #require(try place.live())
    let planner = try PurgePlanner(place, live: live)
    return try planner.list.planUnlessRepeated(order, by: planner)
  }

  /// Another release may follow the purge, such as one without the entry.
  @Test(arguments: [[], ["de"]]) func purgesEarlierFormsAfterAFinishedPurge(
    locales: [String]
  ) throws {
    try publishRoses([Self.bad, "\(Self.bad) again"])
    var order = Self.order(["product/rose"], commandWords: ["product/rose"])
    let plain = try place.purge(order)
    #expect(plain.isRecorded && plain.otherForms > 0)
    #expect(try place.files(holding: Self.bad) != [])
    order.takesHistory = true
    order.locales = locales
    order.commandWords.append("--history")
    let before = try place.live()?.record.objects
    let plan = try #require(try planUnlessRepeated(order))
    #expect(plan.contentRelease == (try place.live()?.record.contentRelease))
    let outcome = try place.purge(order)
    #expect(outcome.isRecorded && outcome.objects.count > 0)
    #expect(try place.live()?.record.objects == before)
    #expect(try place.broken() == [])
    #expect(try planUnlessRepeated(order) == nil)
    if locales.isEmpty {
      #expect(outcome.otherForms == 0)
      #expect(try place.files(holding: Self.bad) == [])
    }
  }

  @Test func purgesFormsThatWerePublishedAfterAPurgeOfEarlierForms() throws {
    var history = Self.order(["product/rose"], commandWords: ["product/rose", "--history"])
    history.takesHistory = true
    try publishRoses([Self.bad])
    try place.purge(history)
    #expect(try planUnlessRepeated(history) == nil)
    try publishRoses(["\(Self.bad) again", "\(Self.bad) once more"])
    try place.purge(Self.order(["product/rose"], commandWords: ["product/rose"]))
    try place.purge(history)
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try planUnlessRepeated(history) == nil)
  }

  @Test func purgesFormsFromBeforeAPurgeAndACorrection() throws {
    try publishRoses([Self.bad, "\(Self.bad) again"])
    try place.purge(Self.order(["product/rose"]))
    try publishRoses(["Worse"])
    var order = Self.order(["product/rose"])
    order.takesHistory = true
    try place.purge(order)
    #expect(try place.files(holding: Self.bad) == [] && place.files(holding: "Worse") == [])
  }

  @Test func doesNotCountCopiesOfThePurgedFormAsOtherForms() throws {
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try Shop(Self.rose(Self.bad).merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 })
      .publish(to: place)
    #expect(try place.purge(Self.order(["product/rose"])).otherForms == 0)
  }

  @Test func refusesEarlierFormsOfAnEntryThatNoReleaseShows() throws {
    try Shop().publish(to: place)
    var order = Self.order(["product/unknown"], commandWords: ["product/unknown", "--history"])
    order.takesHistory = true
    #expect(throws: DeliveryError.self) { try planUnlessRepeated(order) }
  }

  @Test func acceptsTheFormBeforeThePurgedOne() throws {
    let aster = Shop(["entries/product/aster.yaml": "title: Aster\n"])
    try aster.publish(to: place)
    try Shop(["entries/product/aster.yaml": "title: \(Self.bad)\n"]).publish(to: place)
    try place.purge(Self.order(["product/aster"]))
    try aster.publish(to: place)
    #expect(try place.shown("product/aster")["en"] == "Aster")
  }

  @Test func keepsFormsFromBeforeAReleaseWithoutTheEntry() throws {
    let aster = Shop(["entries/product/aster.yaml": "title: Aster\n"])
    try aster.publish(to: place)
    try Shop().publish(to: place)
    try Shop(["entries/product/aster.yaml": "title: \(Self.bad)\n"]).publish(to: place)
    var order = Self.order(["product/aster"])
    order.takesHistory = true
    try place.purge(order)
    #expect(try place.files(holding: Self.bad) == [])
    try aster.publish(to: place)
    #expect(try place.shown("product/aster")["en"] == "Aster")
  }

  /// The entry was published again after the first purge, and a publication left it out then.
  @Test func keepsFormsFromBetweenAPurgeAndAReleaseWithoutTheEntry() throws {
    let aster = Shop(["entries/product/aster.yaml": "title: Aster\n"])
    try Shop(["entries/product/aster.yaml": "title: Worse\n"]).publish(to: place)
    var order = Self.order(["product/aster"])
    try place.purge(order)
    try aster.publish(to: place)
    try Shop().publish(to: place)
    try Shop(["entries/product/aster.yaml": "title: \(Self.bad)\n"]).publish(to: place)
    order.takesHistory = true
    try place.purge(order)
    #expect(try place.files(holding: Self.bad) == [])
    try aster.publish(to: place)
    #expect(try place.shown("product/aster")["en"] == "Aster")
  }

  /// German readers have no text of their own, and French ones only a title.
  @Test func namesTextsThatReadersOfOtherLocalesKeep() throws {
    try Shop().publish(to: place)
    var order = Self.order(["product/rose"])
    order.locales = ["en"]
    let planner = try PurgePlanner(place, live: try #require(try place.live()))
    let kept = try planner.plan(order).kept
    #expect(kept.map(\.id) == ["product/rose"] && kept.map(\.fields) == [["care", "title"]])
    #expect(Set(kept.flatMap(\.contexts).map(\.locale)) == ["de", "fr", "fr-CA"])
    order.fields = [try #require(ContentPath("title"))]
    #expect(Set(try planner.plan(order).kept.flatMap(\.contexts).map(\.locale)) == ["de"])
    order.locales = ["fr"]
    #expect(try planner.plan(order).kept.isEmpty)
    order.locales = []
    #expect(try planner.plan(order).kept.isEmpty)
  }

  // MARK: Assets

  @Test func removesAnAssetOfEarlierReleasesOnly() throws {
    try Shop(Self.picture).publish(to: place)
    let asset = ReleaseObject(
      digest: Digest(of: Array("a rose".utf8)), fileExtension: "bin", size: 6)
    try Shop().publish(to: place)
    #expect(try place.target.read(asset.key) != nil)
    let outcome = try place.purge(PurgeOrder(.asset(asset.digest), reason: "Not ours"))
    #expect(outcome.failures == [] && outcome.objects.map(\.digest) == [asset.digest])
    #expect(try place.target.read(asset.key) == nil)
    #expect(try place.broken() == [])
    #expect(try place.history().map(\.contentRelease) == [2, 2, 1])
    #expect(throws: DeliveryError.self) { try place.rollBack(to: 1) }
  }

  @Test func removesAScaleThatOnlyAnEarlierReleaseHas() throws {
    try Shop(Self.picture).publish(to: place)
    try Shop(Self.picture.merging(["assets/rose.bin": "a new rose"]) { $1 }).publish(to: place)
    let scales = ["a rose", "a new rose"].map { Digest(of: Array($0.utf8)) }
    let outcome = try place.purge(PurgeOrder(.assets(scales), reason: "Not ours"))
    #expect(outcome.failures == [] && Set(outcome.objects.map(\.digest)).isSuperset(of: scales))
    for scale in outcome.objects { #expect(try place.target.read(scale.key) == nil) }
    #expect(try place.broken() == [])
  }

  @Test func searchesForTheFileOfTheFirstSharedAssetOnly() throws {
    let pictures = "picture: rose.bin\nback: back.bin\n"
    try Shop([
      "datatypes/product.yaml": """
      fields:
        title: {type: string, localized: true}
        care: {type: text}
        price: {type: number}
        picture: {type: asset}
        back: {type: asset}
      projections: {light: [title]}
      """,
      "entries/product/rose.yaml": "title: Rose\n\(pictures)",
      "entries/product/iris.yaml": "title: Iris\n\(pictures)",
      "assets/rose.bin": "a rose", "assets/back.bin": "its back",
    ]).publish(to: place)
    let live = try #require(try place.live())
    let count = Mutex(0)
    let planner = try PurgePlanner(place, live: live) { _ in
      count.withLock { $0 += 1 }
      return (path: "assets/file.bin", bytes: [])
    }
    let shared = try planner.plan(Self.order(["product/rose"])).shared
    #expect(shared.map(\.file) == ["assets/file.bin", nil])
    #expect(count.withLock { $0 } == 1)
  }

  @Test func refusesABundleAsAnAsset() throws {
    try Shop(Self.picture).publish(to: place)
    let reader = ReleaseReader(try #require(try place.live()).content(at: place.target))
    let asset = Digest(of: Array("a rose".utf8))
    for bundle in try #require(try reader.holders(of: "product/rose")).subtracting([asset]) {
      let error = try place.refusal(of: PurgeOrder(.asset(bundle), reason: "x"))
      #expect(
        error?.description.contains("is no asset but part of the release itself") == true,
        "\(bundle)")
    }
  }

  // MARK: Corrections

  @Test func unpurgesOnlyNamedEntries() throws {
    try Shop(Self.rose(Self.bad).merging(["entries/product/lily.yaml": "title: Also bad\n"]) { $1 })
      .publish(to: place)
    try place.purge(Self.order(["product/rose"]))
    try place.purge(Self.order(["product/lily"]))
    let shop = Shop(
      Self.rose(Self.bad).merging(["entries/product/lily.yaml": "title: Also bad\n"]) { $1 })
    let error = #expect(throws: DeliveryError.self) {
      try shop.publish(to: place, unpurged: ["product/rose"])
    }
    #expect(error?.notes.last?.contains("--unpurge product/lily") == true)
    try shop.publish(to: place, unpurged: ["product/rose", "product/lily"])
    #expect(try place.shown("product/rose")["en"] == Self.bad)
  }

  @Test func acceptsACorrectionOfAFieldInSomeBundles() throws {
    try Shop(["entries/product/rose.yaml": "title: Rose\ncare: \(Self.bad)\n"]).publish(to: place)
    try place.purge(Self.order(["product/rose"]))
    try Shop(["entries/product/rose.yaml": "title: Rose\ncare: Water it.\n"]).publish(to: place)
    #expect(try place.shown("product/rose", "care")["fr"] == "Water it.")
  }

  @Test func namesReadersWithoutACorrection() throws {
    try Shop(Self.rose(Self.bad)).publish(to: place)
    try place.purge(Self.order(["product/rose"]))
    let english = ["entries/product/rose.yaml": "title: Rose\n"]
    let half = Shop(Self.rose(Self.bad).merging(english) { $1 })
    let error = #expect(throws: DeliveryError.self) { try half.publish(to: place) }
    #expect(
      error?.description.contains(
        "product/rose is, for fr-CA/any, fr-CA/phone and 2 other readers, as it was") == true)
  }
}
