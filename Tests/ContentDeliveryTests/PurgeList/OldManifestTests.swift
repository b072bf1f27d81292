import ContentModel
import PropertyLists
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A manifest of format 1, as contentc of commit 233fb599 wrote it.
enum ManifestSample {
  static let record = Digest(of: Array("record".utf8))
  static let purged = Digest(of: Array("purged".utf8))
  static let copy = Digest(of: Array("copy".utf8))
  static let issued = Instant(secondsSince1970: 1_800_000_000)
  static let folder = PurgeFolder(number: 3, of: record)
  static let pendingName = PurgeName.pendingManifest(folder)

  /// The manifest before its release is live, with every key that such a manifest can have.
  static let pending: Members = [
    "format": 1, "sequence": 3, "issued": .date(issued), "reason": "A swear word", "by": "Ada",
    "release": 7, "record": .data(record.bytes), "entries": ["product/rose"],
    "objects": [purged.hex: ["extension": "plist", "size": 10]], "urls": [], "keys": [],
    "contents": [
      ["entry": "product/rose", "field": "title", "hashes": [.data(purged.bytes)]]
    ],
    "assets": [.data(copy.bytes)], "bound": [], "subject": "release 6",
    "asked": ["--release", "6"],
    "endangered": [copy.hex: ["extension": "png", "size": 4]],
  ]

  /// The manifest once the release is live, or with copies in earlier releases.
  static func pending(isLive: Bool = false, withCopies: Bool = false) -> Members {
    var members = pending
    if isLive { members["live"] = true }
    if withCopies {
      members["objects"] = [
        purged.hex: ["extension": "plist", "size": 10], copy.hex: ["extension": "png", "size": 4],
      ]
    }
    return members
  }

  /// The manifest of the finished purge.
  static var final: Members {
    var members = pending
    members["endangered"] = nil
    members["urls"] = ["https://example.com/production/config.plist"]
    members["keys"] = ["shop-production"]
    members["without"] = ["fastly"]
    members["bound"] = [["layer": "origin", "seconds": 60], ["layer": "app", "seconds": 600]]
    return members
  }

  /// The manifest of a publication that took missed purges into account.
  static let covering: Members = [
    "format": 1, "sequence": 3, "issued": .date(issued), "reason": "config was older than purge 2",
    "release": 7, "record": .data(record.bytes), "entries": [], "objects": [:], "urls": [],
    "keys": [], "contents": [], "assets": [], "bound": [],
  ]
}

/// Manifests of format 1 are read as notes.
@Suite struct OldManifestTests {
  private let memory = MemoryTarget()

  private func read(_ members: Members, as name: PurgeName) throws -> OldManifest? {
    let bytes = try PropertyListBytes.binary(.dictionary(members))
    memory.overwrite(name.key(in: "production"), with: bytes)
    return try OldManifest.read(name, at: ChannelPlace(memory))
  }

  private func begun(
    objects: [ReleaseObject], atRisk: [ReleaseObject] = []
  ) -> Begun {
    Begun(
      app: "shop", channel: "production", number: 3, issued: ManifestSample.issued,
      reason: "A swear word", by: "Ada", release: 7, record: ManifestSample.record, previous: nil,
      commandWords: ["--release", "6"], subject: "release 6", entries: ["product/rose"],
      contents: [
        PurgedContent(
          entry: "product/rose", field: ContentPath("title"), hashes: [ManifestSample.purged])
      ], assets: [ManifestSample.copy], given: nil, objects: objects, atRisk: atRisk)
  }

  private let purged = ReleaseObject(
    digest: ManifestSample.purged, fileExtension: "plist", size: 10)
  private let copy = ReleaseObject(digest: ManifestSample.copy, fileExtension: "png", size: 4)

  @Test(arguments: [false, true])
  func readsAPendingManifest(isLive: Bool) throws {
    let members = ManifestSample.pending(isLive: isLive)
    let manifest = try #require(try read(members, as: ManifestSample.pendingName))
    #expect(manifest.begun == begun(objects: [purged], atRisk: [copy]))
    #expect(manifest.isLive == isLive && !manifest.isFinal)
  }

  @Test func readsCopiesThatAnOlderProgramFound() throws {
    let members = ManifestSample.pending(isLive: true, withCopies: true)
    let manifest = try #require(try read(members, as: ManifestSample.pendingName))
    #expect(Set(manifest.begun.objects) == [purged, copy])
  }

  @Test func readsAFinalManifest() throws {
    let manifest = try #require(try read(ManifestSample.final, as: .number(3)))
    #expect(manifest.begun == begun(objects: [purged]))
    #expect(manifest.isFinal && !manifest.isLive)
  }

  @Test func readsThePublicationThatEndsARestoredConfig() throws {
    let manifest = try #require(try read(ManifestSample.covering, as: .number(3)))
    #expect(manifest.begun.objects.isEmpty && manifest.begun.entries.isEmpty && manifest.isFinal)
  }

  /// `<n>.plist` may be the file that takes a number, a foreign or a damaged one.
  @Test func ignoresFilesThatAreNoFinalManifest() throws {
    let place = ChannelPlace(memory)
    #expect(try OldManifest.read(.number(3), at: place) == nil)
    for bytes in [[], Array("text".utf8), try NoteFormat.numberFile(3).bytes] {
      memory.overwrite("production/purges/3.plist", with: bytes)
      #expect(try OldManifest.read(.number(3), at: place) == nil)
    }
    for (key, value): (String, Value?) in [
      ("sequence", 4), ("sequence", 0), ("sequence", .integer(.max)), ("release", 0),
      ("release", nil), ("record", .data([1])), ("issued", nil), ("reason", nil),
      ("objects", ["x": 1]), ("format", nil),
    ] {
      var members = ManifestSample.final
      members[key] = value
      #expect(try read(members, as: .number(3)) == nil, "\(key)")
    }
  }

  @Test func reportsADamagedPendingManifest() throws {
    var other = ManifestSample.pending
    other["record"] = .data(ManifestSample.copy.bytes)
    for members in [other, ["format": 1]] {
      let error = #expect(throws: DeliveryError.self) {
        try read(members, as: ManifestSample.pendingName)
      }
      #expect(error?.description.contains("the remaining steps of purge 3 are unknown") == true)
    }
  }

  @Test func refusesAManifestOfANewerFormat() throws {
    for (format, record) in [(2, Value.data([1])), (3, .data([]))] {
      var members = ManifestSample.final
      (members["format"], members["record"]) = (.integer(Int64(format)), record)
      let error = #expect(throws: DeliveryError.self) { try read(members, as: .number(3)) }
      #expect(error?.description.contains("newer contentc (format \(format))") == true)
    }
  }
}
