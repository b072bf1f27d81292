import ContentModel
import ContentTargets
import HTTPTransport
import PropertyLists
import SiteFormat
import System
import TestReaders
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Signed configs between other writers, and after unexpected ends.
@Suite struct SignedPublishingTests {
  private let signed: SignedPlace

  init() throws { signed = try SignedPlace() }

  private static let key = "production/config.plist"
  private static let edit = ["entries/product/rose.yaml": "title: New\n"]

  /// Only the statements changed between the reading of config and the swap.
  @Test func aPublicationWinsOverSigningAgain() throws {
    try Shop().publish(to: signed.place())
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace(Self.key) = write, writes.next() <= 3 {
        do {
          _ = try Shop().publisher(of: signed.place(after: Double(writes.value))).resign()
        } catch { throw TargetError(.failed, "\(error)") }
      }
      return try work()
    }
    try Shop(Self.edit).publish(to: signed.place(target, after: 60))
    #expect(try signed.verified().release.release == 2)
    #expect(writes.value == 4)
  }

  /// A release that is faster is signed again, and not lost.
  @Test func signingAgainLosesToAPublication() throws {
    try Shop().publish(to: signed.place())
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace(Self.key) = write, writes.next() == 1 {
        do { try Shop(Self.edit).publish(to: signed.place()) } catch {
          throw TargetError(.failed, "\(error)")
        }
      }
      return try work()
    }
    let live = try Shop().publisher(of: signed.place(target, after: 600)).resign()
    #expect(live.number == 2)
    let verified = try signed.verified()
    #expect(verified.release.release == 2)
    #expect(
      verified.fresh.issued.secondsSinceReferenceDate
        == SignedPlace.start.secondsSinceReferenceDate + 600)
  }

  /// Two machines that sign the same release again at the same time both succeed, by one change.
  @Test func signingAgainTwiceIsDoneOnce() throws {
    try Shop().publish(to: signed.place())
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace(Self.key) = write, writes.next() == 1 {
        do { _ = try Shop().publisher(of: signed.place(after: 601)).resign() } catch {
          throw TargetError(.failed, "\(error)")
        }
      }
      return try work()
    }
    let live = try Shop().publisher(of: signed.place(target, after: 600)).resign()
    #expect(live.number == 1 && writes.value == 1)
    #expect(try signed.verified().fresh.issued == SignedPlace.start.advanced(by: .seconds(601)))
  }

  /// Whoever writes to the target may put an old config back after a command has read it.
  @Test func signsNoReleaseBelowTheOneThatWasSeen() throws {
    try Shop().publish(to: signed.place())
    let bytes = try #require(try signed.place().live()).bytes
    var place = signed.place(after: 60)
    place.seen.release = 2
    let seen = place
    let error = #expect(throws: DeliveryError.self) {
      try Shop().publisher(of: seen).resign()
    }
    #expect(error?.description.contains("although release 2 was live") == true)
    #expect(try seen.live()?.bytes == bytes)
    #expect(throws: DeliveryError.self) { try seen.verify(bytes, at: "an app's URL") }
    #expect(throws: Never.self) { try signed.place().verify(bytes, at: "an app's URL") }
  }

  /// A cache may answer with a config that says the right release, and that no app accepts.
  @Test func believesNoPublicConfigThatDoesNotVerify() throws {
    try Shop().publish(to: signed.place())
    let bytes = try #require(signed.memory.read(Self.key)).bytes
    let release = try #require(try signed.place().live()).record.identity
    let flipped = bytes.dropLast(60) + [bytes[bytes.count - 60] ^ 1] + bytes.suffix(59)
    for (served, problem) in [
      (bytes, nil), (Array(flipped), "no app accepts"),
      (Envelope.config(in: bytes), "is not signed"),
    ] as [([UInt8], String?)] {
      let site = PublicSite(
        "https://shop.example",
        send: { _ throws(HTTPFailure) in HTTPAnswer(status: 200, body: served) },
        environment: .system)
      let found = site.problem(
        showing: release, of: signed.place(), at: Self.key, within: 0)
      #expect(problem.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "")")
    }
  }

  /// Another release wins over a publication, as in a channel without signatures.
  @Test func aPublicationLosesToAnotherOne() throws {
    try Shop().publish(to: signed.place())
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace(Self.key) = write, writes.next() == 1 {
        do { try signed.place().republish() } catch { throw TargetError(.failed, "\(error)") }
      }
      return try work()
    }
    #expect {
      try Shop(Self.edit).publish(to: signed.place(target))
    } throws: {
      ($0 as? DeliveryError)?.kind == .lost
    }
    #expect(try signed.verified().release.release > 1)
  }

  @Test(arguments: [0.4, 0.6]) func publishingTheSameRenewsAnOldSignature(part: Double) throws {
    try Shop().publish(to: signed.place())
    let seconds = part * 14 * 86_400
    let outcome = try Shop().publisher(of: signed.place(after: seconds)).publish { _ in
      Draft(content: try Shop().content())
    }
    guard case .unchanged = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let issued = try #require(try signed.place(after: seconds).live()?.signed).fresh.issued
    #expect(
      issued == SignedPlace.start
        || issued.secondsSinceReferenceDate - SignedPlace.start.secondsSinceReferenceDate == seconds
    )
    #expect((issued == SignedPlace.start) == (part < 0.5))
  }

  /// After an end at any write, the served config verifies, and the next publication succeeds.
  @Test(arguments: FaultyTarget.Fault.allCases)
  func anUnexpectedEndLeavesAConfigThatVerifies(fault: FaultyTarget.Fault) throws {
    for place in 0..<40 {
      let signed = try SignedPlace()
      try Shop().publish(to: signed.place())
      let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: place)
      let isWhole = (try? Shop(Self.edit).publish(to: signed.place(faulty))) != nil
      let release = try signed.verified().release.release
      #expect(release == 1 || release == 2, "\(fault) at \(place)")
      try Shop(Self.edit).publish(to: signed.place(), run: "again")
      #expect(try signed.verified().release.release >= 2, "\(fault) at \(place)")
      if isWhole, faulty.writes <= place { break }
    }
  }

  /// An end of signing again loses neither the release nor its signatures.
  @Test(arguments: FaultyTarget.Fault.allCases)
  func anUnexpectedEndOfSigningAgainLosesNothing(fault: FaultyTarget.Fault) throws {
    let signed = try SignedPlace()
    try Shop().publish(to: signed.place())
    let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: 0)
    _ = try? Shop().publisher(of: signed.place(faulty, after: 5)).resign()
    #expect(try signed.verified().release.release == 1)
    let live = try Shop().publisher(of: signed.place(after: 9)).resign()
    #expect(live.number == 1)
    #expect(try signed.verified().release.release == 1)
  }

  // MARK: The drills of all channels

  @Test func leavesReadersOneWholeReleaseAfterEveryCrash() throws {
    let points = try CrashDrill(
      makeTarget: { MemoryTarget() }, place: { [signed] in signed.place($0) }
    ).run()
    #expect(points > 200)
  }

  @Test func letsOnePublisherWin() throws {
    try RaceDrill(at: signed.place()).run()
    var drill = RaceDrill(at: try SignedPlace().place(UnlockedTarget(target: MemoryTarget())))
    try drill.run()
    drill = RaceDrill(at: try SignedPlace().place(UnlockedTarget(target: MemoryTarget())))
    (drill.hasRollouts, drill.rounds) = (true, 8)
    try drill.run()
  }

  @Test(arguments: [false, true])
  func finishesAPurgeAfterAnyFailedWrite(isRollingOut: Bool) async throws {
    let drill = try PurgeDrill(files: PurgeDrill.few, signed: signed) { MemoryTarget() }
    #expect(try await drill.runWrites(isRollingOut: isRollingOut) > 15)
  }

  @Test func finishesAPurgeAfterBeingKilledAtAnyCall() async throws {
    let drill = try PurgeDrill(files: PurgeDrill.few, signed: signed) { MemoryTarget() }
    let changes = try await drill.measure().changes
    #expect(changes.count > 30)
    // The drill of unsigned channels takes every one.
    for last in [0] + changes.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
      try await drill.run(PurgeDrill.Case(lastCall: last))
    }
  }

  @Test func purgesAreSigned() throws {
    try Shop().publish(to: signed.place())
    let place = signed.place()
    try place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    let config = try PropertyList.decode(signed.verified().bytes).value
    #expect(config["purge"]?["sequence"] == 1 && config["release"] == 2)
  }
}
