import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestServers
import Testing

@testable import ContentClient

/// The facts of earlier checks.
struct InvariantMemory {
  /// The release that was shown, and the number of the last purge that was known.
  fileprivate var (shown, purge) = (0, 0)
  /// The release whose purged bundles were removed a week after the purge.
  fileprivate var lost = 0
  /// The highest release that ended two starts since the last check.
  fileprivate var avoided = 0
  /// Since when purged objects were kept.
  fileprivate var unsweptSince: Moment?
  /// The rollout whose next side was shown, and the newest release on that side.
  fileprivate var joined: (rollout: String, release: Int)?
  /// The content to which `loaded` belongs.
  fileprivate var key: String?
  /// The bundles that arrived for the shown content.
  fileprivate var loaded: Set<BundleName> = []

  /// Notes the end of a process; on a full disk, the next one does not know what happened in it.
  mutating func noteEnd(isStored: Bool) {
    if isStored { return }
    (shown, purge, unsweptSince, key, loaded) = (0, 0, nil, nil, [])
    joined = nil
  }

  /// Notes that a release ended two starts: before the next check, another one may, too.
  mutating func noteAvoided(_ release: Int?) { avoided = max(avoided, release ?? 0) }

  fileprivate static func key(of snapshot: ContentSnapshot) -> String {
    "\(snapshot.release) \(snapshot.rollout ?? "") \(snapshot.locale ?? "")"
  }

  mutating func noteLoaded(_ name: BundleName, of snapshot: ContentSnapshot) {
    if key?.hasSameBytes(as: Self.key(of: snapshot)) == true { loaded.insert(name) }
  }
}

extension InvariantRun {
  /// What the client knows and shows at a moment.
  private struct Scene {
    var state: StoredState
    var snapshot: ContentSnapshot
    var moment: Moment
    /// The seconds since the last check; `nil` if they are not known.
    var age: Double?
    /// The reader's unit; `nil` while there is none.
    var unit: String?

    var release: Int { snapshot.release }

    /// What decides whether an entry is shown, for a failure's message.
    func facts(of id: EntryID, in bundle: BundleName) -> String {
      let avoided = state.avoided.map { ", avoiding \($0.release)" } ?? ""
      let seconds = age.map { "\(Int($0)) s" } ?? "no age"
      let hidden = state.hidden.first { $0.entry == id }.map { ", hidden below \($0.below)" } ?? ""
      let stored = snapshot.content?.bundle(bundle) == nil ? "not stored" : "stored"
      let side = snapshot.rollout.map { " (\($0))" } ?? ""
      return "release \(release)\(side) of \(state.highestRelease)\(avoided), "
        + "purge \(state.purgeSequence)\(hidden), \(seconds), bundle \(stored)"
    }
  }

  /// Checks everything that must hold at any time.
  mutating func check() async throws {
    // A request past caches may be on its way, or begin between two lines here, and changes what is
    // checked. There are at most three of them.
    var (state, snapshot) = (await client.refresher.state, client.snapshot)
    for _ in 0..<10 {
      await endRefresh()
      (state, snapshot) = (await client.refresher.state, client.snapshot)
      let later = await client.refresher.state
      if client.refreshing == nil, later.purgeSequence == state.purgeSequence { break }
    }
    let moment = clock.moment
    let scene = Scene(
      state: state, snapshot: snapshot, moment: moment,
      age: state.lastCheck.flatMap { moment.seconds(since: $0) },
      unit: await client.refresher.unit)
    noteSweep(scene)
    checkFloors(scene)
    try checkSide(scene)
    try checkState(scene)
    for other in held { checkHeld(Scene(state: state, snapshot: other, moment: moment)) }
    try checkContent(scene)
    try checkDisk(scene)
  }

  // MARK: What is purged

  /// Returns whether a known purge hides an entry in a release.
  private func mustHide(_ id: EntryID, in scene: Scene) -> Bool {
    world.purges.contains {
      $0.sequence <= scene.state.purgeSequence && scene.release < $0.release
        && $0.entries.contains(id)
    }
  }

  /// Returns whether an entry may be hidden: a config names all entries that ever were purged.
  private func mayHide(_ id: EntryID, in scene: Scene) -> Bool {
    scene.release < scene.state.highestRelease
      && world.purges.contains {
        $0.sequence <= scene.state.purgeSequence && $0.entries.contains(id)
      }
  }

  private func isWithdrawn(_ scene: Scene) -> Bool {
    world.purges.contains {
      $0.sequence <= scene.state.purgeSequence && scene.release < $0.minimumRelease
    }
  }

  // MARK: Floors

  /// Notes that purged bundles were kept for a week.
  private mutating func noteSweep(_ scene: Scene) {
    let since = memory.unsweptSince ?? scene.state.unsweptSince
    let age = since.flatMap { scene.moment.seconds(since: $0) }
    if let age, age >= 7 * 86_400,
      scene.state.unsweptSince == nil || scene.release < memory.shown
        || scene.state.mustSweep(at: scene.moment)
    {
      memory.lost = max(memory.lost, memory.shown, scene.release)
    }
    memory.unsweptSince = scene.state.unsweptSince
  }

  private mutating func checkFloors(_ scene: Scene) {
    let state = scene.state
    #expect(state.purgeSequence >= memory.purge, trace)
    memory.noteAvoided(state.avoided?.release)
    let isAvoided = memory.avoided > 0 && memory.avoided >= memory.shown
    memory.avoided = 0
    if scene.release < memory.shown {
      // Content that ended two starts gives way, and so does what a purge took away.
      // A newer app may want a bundle at once that only older content has.
      #expect(
        isAvoided || memory.shown <= memory.lost || wantsMore
          || memory.shown < state.minimumRelease, trace)
      if isAvoided { counts.avoided += 1 }
    }
    (memory.purge, memory.shown) = (state.purgeSequence, scene.release)
    let key = InvariantMemory.key(of: scene.snapshot)
    if memory.key?.hasSameBytes(as: key) != true { (memory.key, memory.loaded) = (key, []) }
    if case .fresh = scene.snapshot.freshness {
      let avoided = state.avoided?.release
      #expect([scene.release, avoided].contains(state.highestRelease), trace)
    }
  }

  // MARK: Sides

  /// Checks that the content is that of the reader's side.
  private mutating func checkSide(_ scene: Scene) throws {
    guard scene.release > 0 else {
      memory.joined = nil
      return
    }
    let next = try #require(world.release(scene.release)).next
    let name = next?.rollout.name
    let isIncluded = next.map { next in
      scene.unit.map { next.rollout.includes($0) } ?? false
    }
    if let shown = scene.snapshot.rollout {
      counts.rolledOut += 1
      #expect(isIncluded == true && name.hasSameBytes(as: shown), trace)
    }
    let hasLeft = try isAway(from: name, scene)
    if hasLeft { counts.left += 1 }
    let isNext = scene.snapshot.rollout != nil
    if case .fresh = scene.snapshot.freshness, scene.release == scene.state.highestRelease {
      // A reader who has left may still show the next content if the stable one is avoided, too.
      #expect(hasLeft || isNext == (isIncluded ?? false), trace)
    }
    if let joined = memory.joined, let name, joined.rollout.hasSameBytes(as: name), !isNext,
      joined.release <= scene.release
    {
      // The app may ship with the stable content of a later release.
      #expect(hasLeft || baked?.release == scene.release, trace)
      memory.joined = nil
    }
    if isNext, let name { memory.joined = (name, scene.release) }
  }

  /// Returns whether the reader has left a rollout, or avoids the next content of the shown release.
  private func isAway(from rollout: String?, _ scene: Scene) throws -> Bool {
    guard let rollout else { return false }
    if scene.state.leftRollout.hasSameBytes(as: rollout) { return true }
    guard scene.state.avoided != nil, let release = world.release(scene.release) else {
      return false
    }
    return try SiteConfig(release.config).nextSide.map(scene.state.avoids) ?? false
  }

  // MARK: The state

  private mutating func checkState(_ scene: Scene) throws {
    let state = client.state
    if state == .withdrawn {
      #expect(isWithdrawn(scene), trace)
    } else if scene.release == 0 {
      #expect(state == .empty, trace)
    } else {
      #expect(!isWithdrawn(scene), trace)
      let ends = try content(scene).map { content in
        required(of: content).flatMap { name in
          (content.bundles[name] ?? []).map { lifetime(of: $0, in: name, of: content) }
        }
      }
      let isOver = scene.age.map { age in (ends ?? []).allSatisfy { $0 <= age } } ?? false
      // Bundles that the test does not know of may last longer, but none of them has an end.
      if isOver, memory.lost < scene.release { counts.ended += state == .expired ? 1 : 0 }
      #expect(state == .content || isOver, trace)
      if state == .content, isOver { #expect(hasLongerBundles(scene), trace) }
    }
  }

  /// Returns whether a bundle that is not required lasts longer than the required ones.
  private func hasLongerBundles(_ scene: Scene) -> Bool {
    guard let age = scene.age, let release = scene.snapshot.content else { return false }
    return !release.hasEnded(after: age, mayRead: true)
  }

  private func content(_ scene: Scene) throws -> InvariantWorld.Content? {
    guard let locale = scene.snapshot.locale else { return nil }
    let isNext = scene.snapshot.rollout != nil
    let content = world.content(of: scene.release, isNext: isNext, in: locale)
    #expect(content != nil, trace)
    return content
  }

  private func lifetime(
    of entry: InvariantWorld.Entry, in name: BundleName, of content: InvariantWorld.Content
  ) -> Double {
    (entry.ttl ?? content.lifetimes[name]).map(Double.init) ?? .infinity
  }

  /// The bundles that must be stored: those that the release needs, and those that were loaded.
  private func required(of content: InvariantWorld.Content) -> [BundleName] {
    let loaded = memory.loaded
    return content.bundles.keys.filter { name in
      ["home", "catalog"].contains(name) || loaded.contains(name)
    }.sorted()
  }

  // MARK: Content

  private func isCurrent(_ entry: InvariantWorld.Entry, _ scene: Scene) -> Bool {
    let now = scene.moment.now
    return entry.from.map { $0 <= now } ?? true && entry.until.map { now < $0 } ?? true
  }

  /// Checks that everything that is shown is of the release, and that nothing else is missing.
  private mutating func checkContent(_ scene: Scene) throws {
    guard scene.release > 0, let content = try content(scene) else { return }
    let isKept =
      scene.state.sweptSequence < scene.state.purgeSequence
      && scene.release < scene.state.highestRelease
    if isKept, scene.release > memory.lost { counts.kept += 1 }
    let required = Set(required(of: content))
    for (name, entries) in content.bundles.sorted(by: { $0.key < $1.key }) {
      for entry in entries {
        let shown = scene.snapshot.entry(entry.id, in: name)
        let isOver = scene.age.map { lifetime(of: entry, in: name, of: content) <= $0 } ?? false
        if isWithdrawn(scene) || mustHide(entry.id, in: scene) || !isCurrent(entry, scene) || isOver
        {
          #expect(shown == nil, "\(entry.id) in \(name); \(trace)")
          counts.hidden += 1
          continue
        }
        if let shown { checkFields(of: shown, as: entry, scene) }
        guard required.contains(name), !mayHide(entry.id, in: scene), scene.release > memory.lost,
          !isGone(name, scene)
        else { continue }
        counts.shown += 1
        #expect(
          shown != nil,
          "\(entry.id) is missing in \(name) of \(scene.facts(of: entry.id, in: name)); \(trace)")
        guard random.fraction() < 0.25 else { continue }
        let found = scene.snapshot.entry(entry.id)
        #expect(
          found.map { $0.fields.count >= entry.content.count } ?? false,
          "\(entry.id) is found in \(found?.bundle.text ?? "no bundle"); \(trace)")
      }
    }
    // Nothing else is there.
    for name in scene.snapshot.bundles {
      let known = content.bundles.filter { $0.key == name || $0.key.family == name }
        .flatMap(\.value).map(\.id)
      let others = scene.snapshot.entries(in: name).map(\.id).filter { !known.contains($0) }
      #expect(others.isEmpty, "\(others) in \(name); \(trace)")
    }
  }

  /// Returns whether an update of the app took away a bundle of the content that is shown in place
  /// of an avoided release, or in place of the avoided stable side.
  private func isGone(_ name: BundleName, _ scene: Scene) -> Bool {
    guard scene.state.avoided != nil,
      scene.release < scene.state.highestRelease || scene.snapshot.rollout != nil,
      let content = scene.snapshot.content, let object = content.object(of: name)?.object
    else { return false }
    return content.bundle(name) == nil && formerObjects.contains(object.digest)
  }

  private func checkFields(
    of shown: Entry, as entry: InvariantWorld.Entry, _ scene: Scene
  ) {
    func isHidden(_ text: String) -> Bool {
      EntryID(text).map { mustHide($0, in: scene) } ?? false
    }
    func mayBeHidden(_ text: String) -> Bool {
      EntryID(text).map { mayHide($0, in: scene) } ?? false
    }
    let fields = Value.dictionary(shown.fields)
    #expect(fields == fields.withoutItems(naming: isHidden), "\(entry.id): \(trace)")
    let published = Value.dictionary(entry.content)
    #expect(
      fields.withoutItems(naming: mayBeHidden)
        == published.withoutItems { isHidden($0) || mayBeHidden($0) }, "\(entry.id): \(trace)")
  }

  /// Checks that purges reach a snapshot that a screen holds.
  private func checkHeld(_ scene: Scene) {
    for id in InvariantWorld.products + InvariantWorld.items
    where isWithdrawn(scene) || mustHide(id, in: scene) {
      #expect(scene.snapshot.entry(id) == nil, "\(id) in a held snapshot; \(trace)")
      let lists = scene.snapshot.entry("screen/home").map { Value.dictionary($0.fields) }
      #expect(
        lists.map { !InvariantWorld.ids(in: $0).contains(id) } ?? true,
        "\(id) in a list of a held snapshot; \(trace)")
    }
  }

  // MARK: The disk

  /// Checks that the pictures of known purges are gone, and everything else once the release
  /// without it is shown.
  private func checkDisk(_ scene: Scene) throws {
    guard ending == nil, !scene.state.awaitsPurge, scene.state.shown?.release == scene.release
    else {
      return
    }
    let storage = FolderStorage("\(scratch.path)/store")
    let stored = Set(storage.objects().map(\.object.digest))
    for purge in world.purges where purge.sequence <= scene.state.purgeSequence {
      // Later releases may have an object again.
      let isReplaced = scene.release >= purge.release
      let gone = (isReplaced ? purge.objects : purge.pictures).filter {
        world.lastReleases[$0] ?? 0 < purge.release
      }
      #expect(
        gone.isDisjoint(with: stored),
        "objects of purge \(purge.sequence) are stored, release \(scene.release); \(trace)")
    }
  }
}
