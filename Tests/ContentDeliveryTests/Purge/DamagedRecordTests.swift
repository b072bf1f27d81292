import ContentModel
import ContentTargets
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Purges in a channel where the record of a release is damaged.
@Suite struct DamagedRecordTests {
  private static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let purge: Purge
  private let rose: PurgeOrder
  private let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")

  /// Publishes a release with a bad rose.
  init() throws {
    place = ChannelPlace(memory)
    purge = Purge(withoutCachesAt: place, environment: SimulatedClock().environment)
    var rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    rose.asked = ["product/rose"]
    self.rose = rose
    try Shop(Self.bad).publish(to: place)
  }

  private func write(_ bytes: [UInt8], at key: String) {
    let file = OutgoingFile(bytes: bytes, headers: FileHeaders(contentType: "x", cacheControl: "y"))
    #expect(memory.replace(key, with: file, tagged: memory.read(key)?.tag))
  }

  /// Overwrites the record of a release, and returns its file as it was.
  private func damageRecord(of number: Int) throws -> (key: String, bytes: [UInt8]) {
    let key = try #require(memory.list(below: "production/releases/\(number)-").first).key
    let bytes = try #require(memory.read(key)).bytes
    write(Array("junk".utf8), at: key)
    return (key, bytes)
  }

  private var ledger: PurgeLedger {
    get throws { try PurgeLedger(place, live: place.live()) }
  }

  /// Begins a purge, and stops after the note that it is live, or before it.
  private func begin(_ order: PurgeOrder, isNoted: Bool = true) throws -> PurgeManifest {
    var manifest = try purge.begin(
      order, after: try #require(try place.live()), through: place.publisher(run: "purge"))
    if !isNoted {
      manifest.wasLive = false
      write(try manifest.file.bytes, at: manifest.pendingKey(place.channel))
    }
    return manifest
  }

  /// Runs `contentc purge` with or without a new order.
  private func finishAll(beginning order: PurgeOrder? = nil) throws -> PurgeSession {
    purge.finishAll(
      in: try ledger, live: try #require(try place.live()), asked: [], watch: { _ in }
    ) { _, _ in
      try order.map { try begin($0) }
    }
  }

  // MARK: Earlier releases

  /// Only that release shows the word in this bundle.
  @Test(arguments: [false, true]) func staysUnfinishedUntilEachReleaseIsSearched(
    isPutBack: Bool
  ) throws {
    try Shop(Self.bad.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 }).publish(
      to: place)
    let damaged = try damageRecord(of: 1)
    // The list of retired releases must not hide the damage from the next run.
    for outcome in try [place.purge(rose)] + finishAll().outcomes {
      #expect(!outcome.isRecorded && outcome.failures.count == 1, "\(outcome.failures)")
      #expect(outcome.failures.first?.contains("'\(damaged.key)'") == true)
    }
    #expect(try place.files(holding: "Swear word") != [])
    if isPutBack { write(damaged.bytes, at: damaged.key) } else { memory.remove(damaged.key) }
    let outcomes = try finishAll().outcomes
    #expect(outcomes.map(\.isRecorded) == [true], "\(outcomes)")
    #expect(try place.files(holding: "Swear word").isEmpty == isPutBack)
  }

  /// It may be foreign, or the record of a release that never was live.
  @Test func warnsOfAnUnreadableFileThatNoReleaseNames() throws {
    let key = "production/releases/1-0123456789abcdef.plist"
    write(Array("junk".utf8), at: key)
    let outcome = try place.purge(rose)
    #expect(outcome.isRecorded && outcome.warnings.count == 1, "\(outcome)")
    #expect(outcome.warnings.first?.contains("'\(key)'") == true)
  }
}
