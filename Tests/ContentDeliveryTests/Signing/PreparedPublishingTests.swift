import ContentModel
import ContentPurging
import ContentTargets
import ContentTrust
import TestReaders
import TestServers
import Testing

@testable import ContentReleases
@testable import TestDelivery

/// Releases whose signatures were made elsewhere, after unexpected ends and between other writers.
@Suite struct PreparedPublishingTests {
  private static let edit = ["entries/product/rose.yaml": "title: New\n"]
  private static let order: PurgeOrder = {
    var order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    order.commandWords = ["product/rose"]
    return order
  }()

  private let content: ReleaseContent
  private let edited: ReleaseContent

  init() throws { (content, edited) = (try Shop().content(), try Shop(Self.edit).content()) }

  /// A channel with a release.
  private func channel() throws -> SignedPlace {
    let signed = try SignedPlace()
    _ = try signed.publisher().publish { _ in Draft(content: content) }
    return signed
  }

  /// The draft of the edit.
  private func draft(above: Int? = nil) -> Draft {
    var draft = Draft(content: edited, message: "New")
    draft.above = above
    return draft
  }

  /// Prepares an edit in a channel, and signs it.
  private func prepared(_ signed: SignedPlace, above: Int? = nil) throws -> PreparedRelease {
    let publisher = signed.publisher()
    let prepared = try publisher.prepare(
      by: "publish", at: SignedPlace.start, after: signed.place().live()
    ) { _ in
      draft(above: above)
    }
    return try signed.signing(try #require(prepared))
  }

  /// Prepares a purge, and signs it.
  private func preparedPurge(_ signed: SignedPlace) throws -> PreparedRelease {
    let place = signed.place()
    let live = try #require(try place.live())
    let ledger = try PurgeLedger(place, live: live)
    let plan = try PurgePlanner(place, live: live, ledger: ledger).plan(Self.order)
    let draft = try Purge(withoutCachesAt: place)
      .draft(Self.order, as: plan, in: ledger, after: live)
    let prepared = try place.publisher(at: SignedPlace.start.rfc3339).prepare(
      by: "purge", at: SignedPlace.start, after: live
    ) { _ in draft }
    return try signed.signing(try #require(prepared))
  }

  private func publish(
    _ prepared: PreparedRelease, to place: ChannelPlace, above: Int? = nil
  ) throws {
    var place = place
    place.signing?.prepared = prepared
    _ = try place.publisher(at: SignedPlace.start.rfc3339).publish { _ in draft(above: above) }
  }

  private func purge(_ prepared: PreparedRelease, at place: ChannelPlace) throws -> PurgeSession {
    var place = place
    place.signing?.prepared = prepared
    let live = try #require(try place.live())
    let purge = Purge(withoutCachesAt: place)
    return purge.beginAndFinishAll(
      in: try PurgeLedger(place, live: live), live: live, commandWords: Self.order.commandWords,
      watch: { _ in }
    ) { ledger, live in
      try purge.beginIfNeeded(
        Self.order, in: ledger, after: live,
        through: place.publisher(at: SignedPlace.start.rfc3339, run: "another"))
    }
  }

  @Test func preparingWritesNothing() throws {
    let signed = try channel()
    let faulty = FaultyTarget(signed.memory, .killedBefore, at: 0)
    let publisher = signed.place(faulty).publisher(at: SignedPlace.start.rfc3339)
    let live = try signed.place(faulty).live()
    let prepared = try publisher.prepare(
      by: "publish", at: SignedPlace.start, after: live
    ) { _ in
      Draft(content: edited)
    }
    #expect(prepared?.release == 2 && faulty.writes == 0)
    let same = try publisher.prepare(
      by: "publish", at: SignedPlace.start, after: live
    ) { _ in
      Draft(content: content)
    }
    #expect(same == nil)
    _ = try publisher.prepareResigning(#require(live))
    #expect(faulty.writes == 0)
  }

  @Test func readsTheFilesThatItWrites() throws {
    let signed = try channel()
    let prepared = try prepared(signed)
    let read = try PreparedRelease { name, _ in try prepared.bytes(of: name) }
    for (name, _) in PreparedRelease.files {
      #expect(try read.bytes(of: name) == prepared.bytes(of: name), "\(name)")
    }
    #expect(read.previous == PreparedRelease.Previous(release: 1, config: prepared.previous.config))
    #expect(read.texts == prepared.texts && read.issued == prepared.issued)
  }

  /// The signatures serve until the release is live, whatever ends a run.
  @Test(arguments: FaultyTarget.Fault.allCases, [nil, 5])
  func anUnexpectedEndLosesNoSignature(fault: FaultyTarget.Fault, above: Int?) throws {
    for number in 0..<40 {
      let signed = try channel()
      let prepared = try prepared(signed, above: above)
      let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: number)
      let isWhole =
        (try? publish(prepared, to: signed.place(faulty, after: 60), above: above)) != nil
      let release = try signed.verified().release.release
      let next = (above ?? 1) + 1
      #expect(release == 1 || release == next, "\(fault) at \(number)")
      try publish(prepared, to: signed.place(after: 120), above: above)
      #expect(try signed.verified().release.release == next, "\(fault) at \(number)")
      #expect(try signed.place().history().count == 2, "\(fault) at \(number)")
      if isWhole, faulty.writes <= number { break }
    }
  }

  @Test(arguments: FaultyTarget.Fault.allCases)
  func anUnexpectedEndOfAPurgeLosesNoSignature(fault: FaultyTarget.Fault) throws {
    for number in 0..<60 {
      let signed = try channel()
      let prepared = try preparedPurge(signed)
      let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: number)
      let first = try? purge(prepared, at: signed.place(faulty, after: 60))
      let release = try signed.verified().release.release
      #expect(release == 1 || release == 2, "\(fault) at \(number)")
      let again = try purge(prepared, at: signed.place(after: 120))
      let problem = again.error.map { "\($0)" } ?? ""
      #expect(problem == "", "\(fault) at \(number)")
      #expect(again.outcomes.allSatisfy { $0.isRecorded }, "\(fault) at \(number)")
      #expect(try signed.verified().release.release == 2, "\(fault) at \(number)")
      #expect(try signed.place().shown("product/rose").isEmpty, "\(fault) at \(number)")
      if first?.error == nil, faulty.writes <= number { break }
    }
  }

  /// Two machines publish the same folder at a bucket, and one of them fails late.
  @Test func aFailedRunKeepsTheRecordOfAnotherRun() throws {
    let signed = try channel()
    let prepared = try prepared(signed)
    let bucket = UnlockedTarget(target: signed.memory)
    let target = ScriptedTarget(bucket) { [signed] write, work throws(TargetError) in
      guard case .create(let key) = write, key.hasPrefix("objects/") else { return try work() }
      do { try publish(prepared, to: signed.place(bucket, after: 60)) } catch {
        throw TargetError(.unreachable, "\(error)")
      }
      throw TargetError(.failed, "no answer")
    }
    #expect { try publish(prepared, to: signed.place(target, after: 60)) } throws: {
      ($0 as? TargetError)?.kind == .failed
    }
    #expect(try signed.verified().release.release == 2)
    #expect(try signed.place().live()?.number == 2)
    #expect(try signed.place().history().count == 2)
  }

  /// The draft has the time at which the command began; the clock goes on.
  @Test func aReleaseHasTheTimeOfItsDraft() throws {
    let signed = try channel()
    let issued = Instant(secondsSince1970: 1_800_000_030)
    let prepared = try signed.publisher().prepare(
      by: "publish", at: issued, after: signed.place().live()
    ) { _ in draft() }
    #expect(prepared?.issued == issued)
    try publish(signed.signing(#require(prepared)), to: signed.place(after: 60))
    #expect(try signed.place().live()?.record.issued == issued)
  }

  /// Another publisher is faster between the reading of config and the swap.
  @Test func losesToAnotherRelease() throws {
    let signed = try channel()
    let (release, purged) = (try prepared(signed), try preparedPurge(signed))
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace("production/config.plist") = write, writes.next() == 1 {
        do { try signed.place().republish() } catch { throw TargetError(.failed, "\(error)") }
      }
      return try work()
    }
    #expect {
      try publish(release, to: signed.place(target))
    } throws: {
      ($0 as? DeliveryError)?.kind == .lost
    }
    let live = try signed.verified().release
    let late = try purge(purged, at: signed.place())
    #expect((late.error as? DeliveryError)?.kind == .lost && late.outcomes.isEmpty)
    #expect(try signed.verified().release == live)
  }
}

extension SignedPlace {
  fileprivate func publisher() -> Publisher { place().publisher(at: Self.start.rfc3339) }

  /// Returns a prepared release with the signatures of the channel's key.
  fileprivate func signing(_ prepared: PreparedRelease) throws -> PreparedRelease {
    var prepared = prepared
    for (role, type) in PreparedRelease.roles {
      prepared[role] = try Self.signed(prepared[role].body, type, by: secret)
    }
    return prepared
  }
}
