import ContentModel
import ContentTargets
import SiteFormat
import System
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// Signed channels, and a machine whose clock is behind.
@Suite struct WrongClockTests {
  private let signed: SignedPlace

  init() throws {
    signed = try SignedPlace()
    try Shop().publish(to: signed.place())
  }

  private static let day = 86_400.0
  private static let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")

  private func time(_ days: Double) -> Instant {
    Instant(
      secondsSinceReferenceDate: SignedPlace.start.secondsSinceReferenceDate + days * Self.day)
  }

  /// Publishes a purge on a machine whose clock shows a number of days after the live config.
  private func purge(clock days: Double) throws {
    let place = signed.place(after: days * Self.day)
    var publisher = place.publisher(run: "purge")
    publisher.clockRule = .correct
    let live = try #require(try place.live())
    let purge = Purge(withoutCachesAt: place)
    let manifest = try purge.begin(Self.order, after: live, through: publisher)
    _ = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
  }

  /// Apps whose clocks are right accept the purge: its signatures have not ended.
  @Test func aPurgeFromAClockThatIsBehindIsAccepted() throws {
    try purge(clock: -15)
    let verified = try signed.verified()
    #expect(verified.release.release == 2)
    #expect(verified.fresh.issued == SignedPlace.start.advanced(by: .seconds(1)))
    #expect(verified.release.issued == verified.fresh.issued)
  }

  /// The time of the target counts within a day of the clock or of the live config.
  @Test(
    arguments: [
      // Days after the live config: the clock, the target, and what the purge has.
      (-15.0, 0.5, 0.5), (-15, 3, nil), (2, 2.9, 2.9), (2, 1.2, 1.2), (2, 9, 2), (-0.5, 0.4, 0.4),
      (-15, -15, -15), (-0.5, -0.5, -0.5), (-15, 36_500, nil),
    ] as [(Double, Double, Double?)])
  func aPurgeTakesTheTimeOfTheTarget(clock: Double, target: Double, issued: Double?) throws {
    signed.memory.setTime(to: time(target))
    try purge(clock: clock)
    let expected = issued.map(time) ?? SignedPlace.start.advanced(by: .seconds(1))
    let live = try #require(try signed.place(after: 40 * Self.day).live()?.signed)
    #expect(live.fresh.issued == expected.wholeSeconds)
  }

  /// Other commands do not sign with such a clock.
  @Test(arguments: [nil, -1, 0.5, 3, 36_500]) func otherCommandsRefuse(target: Double?) throws {
    signed.memory.setTime(to: target.map(time))
    let place = signed.place(after: -15 * Self.day)
    let before = signed.memory.list(below: "")
    for write in [
      { _ = try place.publisher().publish { _ in Draft(content: try Shop(Self.edit).content()) } },
      { _ = try place.publisher().publish { _ in Draft(content: try Shop().content()) } },
      {
        try place.publisher().check(
          Draft(content: try Shop(Self.edit).content()), after: place.live())
      },
      { _ = try place.publisher().resign() },
      {
        _ = try place.publisher().draftedResigning(try #require(try place.live()))
      },
    ] as [() throws -> Void] {
      let error = #expect(throws: DeliveryError.self) { try write() }
      #expect(error?.kind == .refused)
      #expect(error?.description.contains("set the clock") == true, "\(String(describing: error))")
    }
    #expect(signed.memory.list(below: "") == before)
  }

  private static let edit = ["entries/product/rose.yaml": "title: New\n"]

  /// The machine that signed last was ahead: a target's clock says so, or a person does.
  @Test(arguments: [true, false]) func publishesIfTheLiveConfigIsAhead(hasTargetTime: Bool) throws {
    if hasTargetTime { signed.memory.setTime(to: time(-15)) }
    var publisher = signed.place(after: -15 * Self.day).publisher()
    if !hasTargetTime { publisher.clockRule = .trust }
    _ = try publisher.publish { _ in Draft(content: try Shop(Self.edit).content()) }
    let live = try #require(try signed.place().live())
    #expect(live.number == 2)
    #expect(live.signed?.fresh.issued == time(-15))
  }

  /// Without a live config, and with an old one, only the target shows that the clock is behind.
  @Test(arguments: [nil, -15.5] as [Double?])
  func refusesAClockBehindTheTargetAlone(live: Double?) throws {
    let first = try SignedPlace()
    if let live { try Shop().publish(to: first.place(after: live * Self.day)) }
    first.memory.setTime(to: time(0))
    var publisher = first.place(after: -15 * Self.day).publisher()
    let write = { (publisher: Publisher) in
      _ = try publisher.publish { _ in Draft(content: try Shop(Self.edit).content()) }
    }
    let error = #expect(throws: DeliveryError.self) { try write(publisher) }
    #expect(error?.kind == .refused)
    #expect(error?.description.contains("--clock-is-right") == true, "\(String(describing: error))")
    publisher.clockRule = .trust
    try write(publisher)
    let issued = try first.place(after: -15 * Self.day).live()?.signed?.fresh.issued
    #expect(issued == time(-15))
  }

  /// What a command refuses is what it warns of.
  @Test(
    arguments: [
      // Days after the live config: the clock and the target.
      (3, 3.1, true), (3, 3, false), (3, 2, false), (3, 30, true), (-15, -15, false),
      (-15, -30, true),
    ] as [(Double, Double, Bool)])
  func warnsOfWhatCommandsRefuse(clock: Double, target: Double, isBehind: Bool) throws {
    let times = IssueTime(clock: time(clock), live: time(0), target: time(target))
    #expect(times.isBehind == isBehind)
    #expect((times.sentence != nil) == isBehind)
    signed.memory.setTime(to: time(target))
    let publisher = signed.place(after: clock * Self.day).publisher()
    let live = try signed.place(after: 0).live()
    if isBehind {
      #expect(throws: DeliveryError.self) { try publisher.issueTime(after: live) }
    } else {
      #expect(try publisher.issueTime(after: live) == time(clock))
    }
  }

  /// A person cannot overrule a target's clock that agrees with the live config.
  @Test func refusesAPersonsWordAgainstTheTarget() throws {
    signed.memory.setTime(to: time(0.5))
    var publisher = signed.place(after: -15 * Self.day).publisher()
    publisher.clockRule = .trust
    #expect(throws: DeliveryError.self) { try publisher.resign() }
  }

  @Test func aDifferenceOfAMinuteIsNone() throws {
    let place = signed.place(after: -60)
    #expect(throws: Never.self) { try place.publisher().resign() }
    #expect(throws: DeliveryError.self) { try signed.place(after: -121).publisher().resign() }
  }
}
