import ContentModel
import PropertyLists
import Synchronization
import System
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Additional files in a folder target: `_headers`, and names that a person can type.
@Suite struct FolderExtrasTests {
  let scratch: ScratchFolder
  let old = Shelf(["rose": "Rose"])
  let new = Shelf(["rose": "Rosa", "lily": "Lily"])
  let name = "production/latest/fr/any/all.plist"

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  @Test func writesLiveBundlesUnderLatest() throws {
    let target = FolderTarget(scratch.path("site"))
    try publish(old, to: target)
    let first = try #require(try target.read(name))
    #expect(try first.bytes == bundle(of: old, target))
    try publish(new, to: target)
    let second = try #require(try target.read(name))
    #expect(try second.bytes == bundle(of: new, target) && second.bytes != first.bytes)
  }

  @Test func datesEachReplacementOneSecondLater() throws {
    let target = FolderTarget(scratch.path("site"))
    var seconds: [Instant] = []
    for title in ["a", "b", "c", "d"] {
      try publish(Shelf(["rose": title]), to: target)
      seconds += try target.list(below: name).map(\.modified)
    }
    #expect(seconds.count == 4)
    for (earlier, later) in zip(seconds, seconds.dropFirst()) { #expect(earlier < later) }
  }

  @Test func removesStaleNamesAndRepairsDamagedOnes() throws {
    let target = FolderTarget(scratch.path("site"))
    try publish(old, to: target)
    try target.put([1], at: "production/latest/de/any/all.plist")
    try target.put([1], at: name)
    try target.put([1], at: "qa/latest/de/any/all.plist")
    try target.remove("production/latest/en/any/all.plist")
    try publish(old, to: target)
    #expect(try target.read(name)?.bytes == bundle(of: old, target))
    let names = ["production/latest/en/any/all.plist", name]
    #expect(try target.list(below: "production/latest/").map(\.key) == names)
    #expect(try target.read("qa/latest/de/any/all.plist") != nil)
  }

  /// Fails a second publication before each step.
  ///
  /// Readers of config always see one whole release, and the next run finishes.
  @Test func isRepairedByTheNextRunAfterAnyFailure() throws {
    let counter = Atomic(0)
    let counting = StoreSteps { _ throws(StoreError) in counter.add(1, ordering: .relaxed) }
    let whole = FolderTarget(scratch.path("whole"))
    try publish(old, to: whole)
    try publish(new, to: FolderTarget(scratch.path("whole"), steps: counting))
    let steps = counter.load(ordering: .relaxed)
    #expect(steps > 10)
    for last in 0..<steps {
      let path = scratch.path("ended-\(last)")
      try publish(old, to: FolderTarget(path))
      let done = Atomic(0)
      let ending = StoreSteps { step throws(StoreError) in
        if done.add(1, ordering: .relaxed).oldValue >= last {
          throw .failed(.write, path: "ended", errno: 5)
        }
      }
      #expect(throws: TargetError.self) { try publish(new, to: FolderTarget(path, steps: ending)) }
      let target = FolderTarget(path)
      let seen = try ShelfReader(place: ChannelPlace(target)).read()
      #expect(seen == old.texts || seen == new.texts)
      try publish(new, to: target)
      #expect(try target.read(name)?.bytes == bundle(of: new, target), "ended at \(last)")
      #expect(try target.read(FolderExtras.headersKey)?.bytes.isEmpty == false)
    }
    print("latest and _headers: \(steps) points tried, all held")
  }

  @Test func writesAHeadersFile() throws {
    let target = FolderTarget(scratch.path("site"))
    try publish(old, to: target)
    let text = String(decoding: try #require(try target.read("_headers")).bytes, as: UTF8.self)
    #expect(
      text == """
        # Written by contentc, and replaced at every publication.
        /objects/*
          Cache-Control: public, max-age=31536000, immutable
        /:channel/releases/*
          Cache-Control: public, max-age=31536000, immutable
        /:channel/config.plist
          Content-Type: application/x-plist
          Cache-Control: public, max-age=600
          CDN-Cache-Control: max-age=300
        /:channel/latest/*
          Cache-Control: no-cache

        """)
  }

  @Test func keepsAForeignHeadersFile() throws {
    let target = FolderTarget(scratch.path("site"))
    try target.put(Array("/*\n  X-Frame-Options: DENY\n".utf8), at: "_headers")
    let error = #expect(throws: DeliveryError.self) { try publish(old, to: target) }
    #expect(error?.kind == .refused && error?.description.contains("_headers") == true)
    #expect(try ChannelPlace(target).live() == nil)
  }

  private func publish(_ shelf: Shelf, to target: FolderTarget) throws {
    var publisher = ChannelPlace(target).publisher()
    let config = FileHeaders(
      contentType: "application/x-plist", cacheControl: "public, max-age=600",
      cdnCacheControl: "max-age=300")
    publisher.extras = FolderExtras(
      target, headers: FolderExtras.rules(config: config, format: .binary), latest: true)
    _ = try publisher.publish { _ in Draft(content: try shelf.content()) }
  }

  /// The bundle that readers in French get.
  private func bundle(of shelf: Shelf, _ target: FolderTarget) throws -> [UInt8]? {
    let content = try shelf.content()
    let index = try #require(content.members["indexes"]?["fr"]?["any"]?.digest)
    let object = try #require(content.objects.first { $0.digest == index })
    let digest = try #require(
      try PropertyList.decode(content.file(object).bytes).value["bundles"]?["all"]?["object"]?
        .digest)
    return try target.read(ReleaseObject(digest: digest, fileExtension: "plist", size: 0).key)?
      .bytes
  }
}
