import ContentModel
import ContentPurging
import ContentTargets
import PropertyLists
import SiteFormat
import Synchronization
import TestReaders
import TestServers
import Testing

@testable import ContentReleases
@testable import TestDelivery

/// Drafts that are signed elsewhere and imported, after unexpected ends and between other writers.
@Suite struct DraftPublishingTests {
  private static let edit = ["entries/product/rose.yaml": "title: New\n"]
  private static let order: PurgeOrder = {
    var order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    order.commandWords = ["product/rose"]
    return order
  }()

  private let content: ReleaseContent
  private let edited: ReleaseContent
  private let scratch: ScratchFolder

  init() throws {
    (content, edited) = (try Shop().content(), try Shop(Self.edit).content())
    scratch = try ScratchFolder()
  }

  /// A channel with a release.
  private func channel() throws -> SignedPlace {
    let signed = try SignedPlace()
    _ = try signed.publisher().publish { _ in Draft(content: content) }
    return signed
  }

  /// Drafts an edit in a channel, signs it, and returns its new folder.
  private func drafted(
    _ signed: SignedPlace, as name: String = "draft", above: Int? = nil
  ) throws -> DraftFolder {
    var draft = Draft(content: edited, message: "New")
    draft.above = above
    let drafted = try signed.publisher().drafted(
      draft, after: signed.place().live(), by: "publish", texts: ["product/rose changes"],
      issued: SignedPlace.start)
    return try write(try #require(drafted), signed: signed, as: name)
  }

  private func write(
    _ drafted: Publisher.Drafted, signed: SignedPlace, as name: String
  ) throws -> DraftFolder {
    let folder = DraftFolder(scratch.path(name))
    try folder.write(
      signed.signing(drafted.signing), objects: drafted.objects, of: drafted.content)
    return folder
  }

  /// Drafts a purge in a channel, signs it, and returns its new folder.
  private func draftedPurge(_ signed: SignedPlace, as name: String) throws -> DraftFolder {
    let place = signed.place()
    let live = try #require(try place.live())
    let list = try PurgeList(place, live: live)
    let plan = try PurgePlanner(place, live: live, list: list).plan(Self.order)
    let draft = try Purge(withoutCachesAt: place)
      .draft(Self.order, as: plan, in: list, after: live)
    let drafted = try signed.publisher().drafted(
      draft, after: live, by: "purge", issued: SignedPlace.start)
    return try write(try #require(drafted), signed: signed, as: name)
  }

  private func signedDraft(_ folder: DraftFolder, at place: ChannelPlace) throws -> SignedDraft {
    try SignedDraft(try folder.read(), in: folder, of: place)
  }

  @discardableResult
  private func publish(_ folder: DraftFolder, to place: ChannelPlace) throws -> Publisher.Outcome {
    try place.publisher(at: SignedPlace.start.rfc3339, run: "another").publish(
      signedDraft(folder, at: place), endangered: EndangeredObjects())
  }

  /// Imports a purge and finishes it, as `contentc sign import` does.
  private func purge(_ folder: DraftFolder, at place: ChannelPlace) throws -> PurgeSession {
    let purge = Purge(withoutCachesAt: place)
    let draft = try signedDraft(folder, at: place)
    let begun = try #require(draft.begun)
    let publisher = place.publisher(at: SignedPlace.start.rfc3339, run: "another")
    let live = try #require(try place.live())
    return purge.beginAndFinishAll(
      in: try PurgeList(place, live: live), live: live, commandWords: [], watch: { _ in }
    ) { _, _ in try purge.begin(draft, work: begun, through: publisher, watch: { _ in }) }
  }

  // MARK: Drafting

  @Test func draftingWritesNothingToTheTarget() throws {
    let signed = try channel()
    let faulty = FaultyTarget(signed.memory, .killedBefore, at: 0)
    let publisher = signed.place(faulty).publisher(at: SignedPlace.start.rfc3339)
    let live = try #require(try signed.place(faulty).live())
    let drafted = try publisher.drafted(
      Draft(content: edited), after: live, by: "publish", issued: SignedPlace.start)
    #expect(drafted?.signing.facts.release == 2 && faulty.writes == 0)
    // Only what the target lacks is carried.
    let new = Set(edited.objects).subtracting(content.objects)
    #expect(Set(drafted?.objects ?? []) == new)
    let same = try publisher.drafted(
      Draft(content: content), after: live, by: "publish", issued: SignedPlace.start)
    #expect(same == nil)
    #expect(try publisher.draftedResigning(live).signing.isResigning)
    #expect(faulty.writes == 0)
  }

  @Test func readsTheFilesThatItWrites() throws {
    let folder = try drafted(channel())
    let draft = try folder.read()
    #expect(draft.facts.command == "publish" && draft.facts.release == 2)
    #expect(draft.facts.texts == ["product/rose changes"])
    #expect(draft.facts.previous.release == 1 && draft.facts.previous.file != nil)
    #expect(draft.signatures.allSatisfy { $0.isEnough })
    for (name, bytes) in try draft.files {
      #expect(try ScratchFolder.read(scratch.path("draft/\(name)")) == bytes, "\(name)")
    }
    // The hash does not depend on signatures.
    var unsigned = draft
    for (role, _) in ReleaseStatements.roles { unsigned.statements[role].signatures = [] }
    let other = DraftFolder(scratch.path("unsigned"))
    try other.write(unsigned)
    #expect(try other.read().hash == draft.hash && !other.read().signatures[0].isEnough)
  }

  /// The draft has the time at which the command began; the clock goes on.
  @Test func aReleaseHasTheTimeOfItsDraft() throws {
    let signed = try channel()
    let issued = Instant(secondsSince1970: 1_800_000_030)
    let drafted = try #require(
      try signed.publisher().drafted(
        Draft(content: edited), after: signed.place().live(), by: "publish", issued: issued))
    let folder = try write(drafted, signed: signed, as: "draft")
    try publish(folder, to: signed.place(after: 60))
    #expect(try signed.place().live()?.record.issued == issued)
  }

  @Test func longTextsAreCut() throws {
    let lines = (0..<2_000).map { "line \($0)\nand another" }
    let texts = SigningDraft.texts(lines)
    #expect(texts.first == "line 0" && texts.last == "…" && texts.count < 1_000)
  }

  // MARK: Unexpected ends

  /// The draft serves until its release is live, whatever ends an import.
  @Test(arguments: FaultyTarget.Fault.allCases, [nil, 5])
  func anInterruptedImportGoesOn(fault: FaultyTarget.Fault, above: Int?) throws {
    for number in 0..<40 {
      let signed = try channel()
      let folder = try drafted(signed, as: "draft\(number)", above: above)
      let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: number)
      let isWhole = (try? publish(folder, to: signed.place(faulty, after: 60))) != nil
      let release = try signed.verified().release.release
      let next = (above ?? 1) + 1
      #expect(release == 1 || release == next, "\(fault) at \(number)")
      try publish(folder, to: signed.place(after: 120))
      #expect(try signed.verified().release.release == next, "\(fault) at \(number)")
      #expect(try signed.place().history().count == 2, "\(fault) at \(number)")
      #expect(try signed.place().shown("product/rose").values.contains("New"))
      if isWhole, faulty.writes <= number { break }
    }
  }

  /// Control-C says so.
  @Test func anotherImportTellsThatTheReleaseIsLive() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    try publish(folder, to: signed.place(after: 60))
    let place = signed.place(after: 120)
    let steps = Mutex<[Publisher.SwapStep]>([])
    var publisher = place.publisher(at: SignedPlace.start.rfc3339, run: "third")
    publisher.watchSwap = { step in steps.withLock { $0.append(step) } }
    _ = try publisher.publish(
      signedDraft(folder, at: place), endangered: EndangeredObjects())
    #expect(steps.withLock { $0 } == [.isLive(release: 2)])
  }

  @Test(arguments: FaultyTarget.Fault.allCases)
  func anInterruptedImportOfAPurgeGoesOn(fault: FaultyTarget.Fault) throws {
    for number in 0..<60 {
      let signed = try channel()
      let folder = try draftedPurge(signed, as: "purge\(number)")
      let faulty = FaultyTarget(UnlockedTarget(target: signed.memory), fault, at: number)
      let first = try? purge(folder, at: signed.place(faulty, after: 60))
      let release = try signed.verified().release.release
      #expect(release == 1 || release == 2, "\(fault) at \(number)")
      let again = try purge(folder, at: signed.place(after: 120))
      let problem = again.error.map { "\($0)" } ?? ""
      #expect(problem == "", "\(fault) at \(number)")
      #expect(again.outcomes.allSatisfy { $0.isRecorded }, "\(fault) at \(number)")
      #expect(try signed.verified().release.release == 2, "\(fault) at \(number)")
      #expect(try signed.place().shown("product/rose").isEmpty, "\(fault) at \(number)")
      let list = try PurgeList(signed.place(), live: signed.place().live())
      #expect(list.unfinished.isEmpty && !list.isEmpty, "\(fault) at \(number)")
      if first?.error == nil, faulty.writes <= number { break }
    }
  }

  /// Two machines import the same folder to a bucket, and one of them fails late.
  @Test func aFailedImportKeepsTheRecordOfAnotherOne() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    let bucket = UnlockedTarget(target: signed.memory)
    let target = ScriptedTarget(bucket) { [signed] write, work throws(TargetError) in
      guard case .create(let key) = write, key.hasPrefix("objects/") else { return try work() }
      do { try publish(folder, to: signed.place(bucket, after: 60)) } catch {
        throw TargetError(.unreachable, "\(error)")
      }
      throw TargetError(.failed, "no answer")
    }
    #expect { try publish(folder, to: signed.place(target, after: 60)) } throws: {
      ($0 as? TargetError)?.kind == .failed
    }
    #expect(try signed.verified().release.release == 2)
    #expect(try signed.place().live()?.number == 2)
    #expect(try signed.place().history().count == 2)
  }

  // MARK: Other writers

  /// Returns the message of an import that another writer's release or signatures refuse.
  private func lost(_ folder: DraftFolder, at place: ChannelPlace) -> String {
    do {
      try publish(folder, to: place)
      return "published"
    } catch let error as DeliveryError {
      #expect(error.kind == .lost)
      return error.description
    } catch { return "\(error)" }
  }

  @Test func refusesAnotherLiveConfig() throws {
    let signed = try channel()
    let (folder, purge) = (try drafted(signed), try draftedPurge(signed, as: "purge"))
    // The same release with later signatures is another config.
    _ = try signed.place(after: 60).publisher(at: "2027-01-15T08:01:00Z").resign()
    #expect(
      lost(folder, at: signed.place(after: 90))
        .contains("drafted after release 1 of 'production', and now the same release was signed"))
    try signed.place(after: 60).republish()
    let live = try signed.verified().release
    #expect(
      lost(folder, at: signed.place(after: 90)).contains("and now release 2 is live"))
    let late = try self.purge(purge, at: signed.place(after: 90))
    #expect((late.error as? DeliveryError)?.kind == .lost && late.outcomes.isEmpty)
    #expect(try signed.verified().release == live)
  }

  /// Another publisher is faster between the reading of config and the swap.
  @Test func losesToAFasterRelease() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    let writes = Counter()
    let target = ScriptedTarget(signed.memory) { [signed] write, work throws(TargetError) in
      if case .replace("production/config.plist") = write, writes.next() == 1 {
        do { try signed.place().republish() } catch { throw TargetError(.failed, "\(error)") }
      }
      return try work()
    }
    #expect(lost(folder, at: signed.place(target)).contains("another publisher was faster"))
    // The draft's record has the number 2.
    #expect(try signed.verified().release.release == 3)
    #expect(try signed.place().shown("product/rose").values.contains("New") == false)
  }

  @Test func isRefusedOnceAnotherReleaseFollows() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    try publish(folder, to: signed.place())
    // Its release is live: only caches are left.
    try publish(folder, to: signed.place(after: 60))
    try signed.place(after: 60).republish()
    #expect(
      lost(folder, at: signed.place(after: 90)).contains(
        "release 2 of 'production' was published, and release 3 followed: nothing is left"))
  }

  /// Config of before the draft was put back after a later release was published.
  @Test func refusesANumberThatReadersMayHaveSeen() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    let backup = try #require(signed.memory.read("production/config.plist")).bytes
    for _ in 0..<2 { try signed.place().republish() }
    let stored = try #require(signed.memory.read("production/config.plist"))
    #expect(
      signed.memory.replace(
        "production/config.plist",
        with: OutgoingFile(
          bytes: backup, headers: FileHeaders(contentType: "x", cacheControl: "x")),
        tagged: stored.tag))
    #expect(lost(folder, at: signed.place(after: 60)).contains("make the draft again"))
  }

  // MARK: Damage

  /// A file of the folder is not what the signed config names.
  @Test func takesOnlyWhatTheSignaturesProve() throws {
    let signed = try channel()
    let folder = try drafted(signed)
    let draft = try folder.read()
    // Another channel's record, config and signatures, with fitting hashes in 'draft.json'.
    let others = try drafted(channel(), as: "other", above: 5).read()
    let mixtures: [(String, SigningDraft)] = [
      (
        "record",
        try SigningDraft(
          draft.facts, config: draft.config, record: others.record, begun: nil,
          statements: draft.statements, keys: draft.keys)
      ),
      (
        "config",
        try SigningDraft(
          draft.facts, config: others.config, record: others.record, begun: nil,
          statements: draft.statements, keys: draft.keys)
      ),
      (
        "signatures",
        try SigningDraft(
          draft.facts, config: draft.config, record: draft.record, begun: nil,
          statements: ReleaseStatements(
            release: SignedBody(
              body: draft.statements.release.body,
              signatures: others.statements.release.signatures), fresh: draft.statements.fresh),
          keys: draft.keys)
      ),
    ]
    for (name, mixture) in mixtures {
      #expect(throws: (any Error).self, "\(name)") {
        try SignedDraft(mixture, in: folder, of: signed.place())
      }
    }
    let before = try signed.verified().release
    let object = try #require(Set(edited.objects).subtracting(content.objects).first)
    try scratch.write("draft/\(object.key)", "other bytes")
    #expect(throws: SigningDraft.Refusal.self) { try publish(folder, to: signed.place()) }
    #expect(try signed.verified().release == before)
  }
}

extension SignedPlace {
  fileprivate func publisher() -> Publisher { place().publisher(at: Self.start.rfc3339) }

  /// Returns a draft with the signatures of the channel's key.
  fileprivate func signing(_ draft: SigningDraft) throws -> SigningDraft {
    var draft = draft
    for (role, type) in ReleaseStatements.roles {
      draft.statements[role] = try Self.signed(draft.statements[role].body, type, by: secret)
    }
    return draft
  }
}
