import ContentClientTesting
import ContentModel
import SiteFormat
import TestServers
import TestSigning
import Testing

@testable import ContentClient

/// The life of a device: its app's processes, its network and its clock.
struct InvariantRun {
  /// The answers of a site for a step.
  enum Weather: CaseIterable, Sendable {
    case honest
    /// No server answers.
    case offline
    /// The server refuses config, or asks to wait.
    case error, busy
    /// Objects cannot be loaded: all, about half of them, or one of six.
    case noObjects, someObjects, oneObject
    /// Objects are missing, or have other bytes.
    case missingObject, alteredObject
  }

  let seed: UInt64
  let random: SeededRandom
  var world: InvariantWorld
  let clock = ManualClock()
  let scratch: ScratchFolder
  private let transport: ScriptedTransport
  private let trust: ContentConfiguration.Trust
  /// The app's own name for the reader; `nil` if the client draws the unit.
  private let unit: String?
  private(set) var baked: (release: Int, folder: String)?
  /// The objects of former versions of the app, until the shown content is whole again.
  private(set) var formerObjects: Set<Digest> = []
  private var locale = "en"
  private var eager: [BundleName] = ["catalog"]
  var client: ContentClient
  /// `true` if this process is the first one of an app that wants more bundles at once.
  private(set) var wantsMore = false
  /// The storage of a process on a full disk; `nil` for one whose writes succeed.
  var ending: EndingStorage?
  /// The difference between the device's clock and the right time.
  private var skew = 0.0
  private var signed: Instant
  var counts = InvariantCounts()
  private(set) var log: [String] = []
  /// The facts that the next check compares with.
  var memory = InvariantMemory()
  /// The snapshots that screens hold.
  var held: [ContentSnapshot] = []

  init(seed: UInt64, isSigned: Bool) throws {
    self.seed = seed
    let random = SeededRandom(seed: seed)
    self.random = random
    unit = random.fraction() < 0.5 ? "reader-\(seed)" : nil
    scratch = try ScratchFolder(inMemory: true)
    let now = clock.now
    signed = now
    let publisher = isSigned ? try TestPublisher(at: now) : nil
    if let publisher {
      let path = "\(scratch.path)/keys.json"
      try FolderFile.replace(
        path, with: try publisher.keyDocument().file(), isDurable: false)
      trust = .pinned(path: path)
    } else {
      trust = .unsigned
    }
    world = try InvariantWorld(random: random, publisher: publisher, at: now)
    transport = ScriptedTransport { _ in ContentResponse(status: 500) }
    var first = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    (first.transport, first.clock, first.trust) = (transport, clock, trust)
    client = try ContentClient(first)
    if random.fraction() < 0.5 { try bake() }
    try start()
  }

  func number(below end: Int) -> Int { Int(random.fraction() * Double(end)) }

  var trace: Comment {
    "seed \(seed), step \(counts.steps): \(log.suffix(8).joined(separator: "; "))"
  }

  private var trueTime: Instant {
    Instant(secondsSinceReferenceDate: clock.now.secondsSinceReferenceDate - skew)
  }

  // MARK: Processes

  private func configuration() -> ContentConfiguration {
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: [locale])
    configuration.trust = trust
    configuration.unit = unit
    configuration.eager = eager
    configuration.baked = baked?.folder
    configuration.transport = transport
    configuration.clock = clock
    configuration.random = SeededRandom(seed: UInt64(number(below: 1 << 30)))
    configuration.storage = .folder(path: "\(scratch.path)/store")
    return configuration
  }

  /// Ends the process, and starts the next one.
  private mutating func restart(onFullDisk mayBeFull: Bool = true) async throws {
    // Two processes at a time could show different releases.
    for _ in 0..<20 { await Task.yield() }
    await client.mending.current?.value
    await endRefresh()
    // A process that ends while another one has the lock loses its last changes.
    while let task = await client.refresher.recording { await task.value }
    await client.refresher.storing?.value
    memory.noteAvoided(await client.refresher.state.avoided?.release)
    held = []
    memory.noteEnd(isStored: !(ending?.hasEnded ?? false))
    try start(onFullDisk: mayBeFull)
  }

  private mutating func start(onFullDisk mayBeFull: Bool = true) throws {
    let configuration = configuration()
    if mayBeFull, random.fraction() < 0.1 {
      let storage = EndingStorage(
        FolderStorage("\(scratch.path)/store"), after: number(below: 25))
      ending = storage
      client = try ContentClient(configuration, storage: storage)
    } else {
      ending = nil
      client = try ContentClient(configuration)
    }
    counts.restarts += 1
  }

  /// Writes the newest release into the app, as `contentc bake` does; at times, without the objects that
  /// only the next side of a rollout has.
  private mutating func bake() throws {
    let folder = "\(scratch.path)/baked-\(world.newest.number)"
    let objects =
      random.fraction() < 0.5 ? Set(world.newest.objects.keys) : world.newest.stableObjects
    for object in objects.sorted(by: { $0.path < $1.path }) {
      let path = "\(folder)/\(object.path)"
      try FolderFile.makeFolder("\(folder)/objects/\(object.digest.hex.prefix(2))")
      try FolderFile.replace(path, with: world.files[object.path] ?? [], isDurable: false)
    }
    try FolderFile.replace("\(folder)/config.plist", with: world.config, isDurable: false)
    if let former = baked.flatMap({ world.release($0.release) }) {
      formerObjects.formUnion(former.objects.keys.map(\.digest))
    }
    baked = (world.newest.number, folder)
  }

  // MARK: Steps

  /// Takes a random step, and checks all invariants.
  mutating func step() async throws {
    counts.steps += 1
    wantsMore = false
    try changeTheWorld()
    try changeTheTime()
    let weather = random.fraction() < 0.45 ? .honest : Weather.allCases[number(below: 9)]
    serve(weather)
    switch random.fraction() {
    case ..<0.12:
      log.append("restart")
      if random.fraction() < 0.5 { await client.endTrial() }
      if random.fraction() < 0.2 { try updateTheApp() }
      if random.fraction() < 0.2 { clock.restart() }
      try await restart()
      // Two starts in a row without health give a release up.
      if random.fraction() < 0.15 {
        log.append("crashes")
        for _ in 0..<3 {
          await settle()
          try await restart()
        }
      }
      await settle()
    case ..<0.2:
      locale = InvariantWorld.locales[number(below: 2)]
      log.append("select \(locale), \(weather)")
      let (client, context) = (client, ReaderContext(locales: [locale]))
      _ = await end { await client.select(context) }
    case ..<0.3: await loadOnDemand(weather)
    case ..<0.35:
      held = held.suffix(1) + [client.snapshot]
      log.append("hold")
    default:
      log.append("check for \(world.newest.number), \(weather)")
      let client = client
      let reason: RefreshReason = random.fraction() < 0.5 ? .context : .launch
      let outcome = await end { await client.refresh(reason).outcome }
      if outcome.isUpdated { counts.switches += 1 }
      if outcome.failure != nil { counts.failures += 1 }
      if weather == .honest, outcome.isUpdated || outcome.isUnchanged { await noteCompletion() }
    }
    await client.refresher.tidying?.value
    try await check()
  }

  /// Notes that a refresh has loaded what an update of the app took away.
  private mutating func noteCompletion() async {
    let (state, rules) = (await client.refresher.state, await client.refresher.rules)
    guard ending == nil, let release = client.snapshot.content,
      release.number < state.highestRelease, !rules.mayHideEntries(of: release)
    else { return }
    formerObjects = []
  }

  /// Reads content, and waits for the work that follows the opening.
  private func settle() async {
    _ = client.snapshot
    for _ in 0..<20 { await Task.yield() }
    await client.mending.current?.value
    // Other work of the actor that the reading began ends before these calls.
    await client.refresher.mendStorage()
    await client.refresher.indexEntries()
  }

  /// Waits for a refresh that nobody asked for, such as one after a missing object.
  func endRefresh() async {
    if let task = client.refreshing { _ = await end { await task.outcome } }
    await client.refresher.tidying?.value
  }

  private mutating func changeTheWorld() throws {
    let now = trueTime
    switch random.fraction() {
    case ..<0.1:
      try world.publish(.content, at: now)
      log.append("release \(world.newest.number)")
    case ..<0.16:
      try world.publish(.purge(entries: 1 + number(below: 2)), at: now)
      log.append("purge by \(world.newest.number)")
    case ..<0.163:
      try world.publish(.purgeOfEverything, at: now)
      log.append("purge of everything by \(world.newest.number)")
    case ..<0.22:
      let changes: [InvariantWorld.Change] = [.step, .finish, .abort]
      let change = world.rollout == nil ? .start : changes[number(below: changes.count)]
      try world.publish(change, at: now)
      log.append("\(change) by \(world.newest.number), \(world.rollout?.percent ?? "none")")
    default: return
    }
    signed = now
  }

  private mutating func changeTheTime() throws {
    switch random.fraction() {
    case ..<0.01:
      let days = [1.0, 3, 8, 30][number(below: 4)]
      clock.advance(by: days * 86_400)
      log.append("\(days) days pass")
    case ..<0.02:
      let days = [-400.0, -3, -0.01, 0.01, 3, 9, 400][number(below: 7)]
      set(wrongBy: days * 86_400)
      log.append("clock \(days) days wrong")
    case ..<0.06: set(wrongBy: 0)
    case ..<0.5: clock.advance(by: 1_200 * random.fraction())
    default: clock.advance(by: 20 * random.fraction())
    }
    if trueTime.secondsSinceReferenceDate > signed.secondsSinceReferenceDate + 86_400 {
      signed = trueTime
      try world.sign(at: signed)
    }
  }

  private mutating func set(wrongBy seconds: Double) {
    clock.set(
      Instant(secondsSinceReferenceDate: trueTime.secondsSinceReferenceDate + seconds))
    skew = seconds
  }

  /// An update of the app may ship with newer content, and may want more bundles at once.
  private mutating func updateTheApp() throws {
    log.append("app update")
    if random.fraction() < 0.5 { try bake() }
    if random.fraction() < 0.3 {
      wantsMore = eager.count == 1
      eager = wantsMore ? ["catalog", "promo"] : ["catalog"]
    }
  }

  private mutating func loadOnDemand(_ weather: Weather) async {
    let names: [BundleName] = ["everything", "promo", "item", "item/i0", "item/i1"]
    let name = names[number(below: names.count)]
    let snapshot = client.snapshot
    let isLoaded = await end { (try? await snapshot.entries(loading: name)) != nil }
    log.append("load \(name) of \(snapshot.release), \(weather): \(isLoaded)")
    if isLoaded, snapshot.release == client.snapshot.release,
      snapshot.rollout.hasSameBytes(as: client.snapshot.rollout)
    {
      // The site lacks parts that a purge withdrew.
      let content = snapshot.locale.flatMap {
        world.content(of: snapshot.release, isNext: snapshot.rollout != nil, in: $0)
      }
      let parts = content?.bundles.keys.filter { $0 == name || $0.family == name } ?? []
      let storage = FolderStorage("\(scratch.path)/store")
      for part in parts where !snapshot.entries(in: part).isEmpty {
        // What only the app ships with may be gone after an update of the app.
        guard let object = snapshot.content?.object(of: part)?.object,
          storage.contains(object, size: nil)
        else { continue }
        memory.noteLoaded(part, of: client.snapshot)
      }
    }
    if random.fraction() < 0.5,
      let picture = snapshot.entries(in: "everything").lazy
        .compactMap({ $0.asset("picture") }).first
    {
      _ = await end { try? await snapshot.file(of: picture) }
    }
  }

  /// Ends work: lets time pass while it waits.
  func end<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> Result {
    let ended = Locked<Result?>(nil)
    Task {
      let result = await work()
      ended.withLock { $0 = result }
    }
    let start = ContinuousClock.now
    while true {
      if let result = ended.current { return result }
      await Task.yield()
      if clock.wakes.contains(where: { $0 <= 31 }) { clock.advance(by: 1) }
      // Swift cannot end a task from outside: a crash that names the step is better than a hang.
      guard ContinuousClock.now - start < .seconds(60) else {
        fatalError("work does not end; clock \(clock.wakes); \(trace)")
      }
    }
  }

  private func serve(_ weather: Weather) {
    let (config, files, share) = (world.config, world.files, random.fraction())
    let tag = "\"\(Digest(of: config).hex)\""
    transport.forgetRequests()
    transport.answer { request throws(TransportFailure) in
      let path = String(request.url.dropFirst("https://shop.example/".count))
      let isConfig = path.hasSuffix("config.plist")
      // Each object has its own luck.
      let luck =
        path.utf8.reduce(share * 97) {
          ($0 * 31 + Double($1)).truncatingRemainder(dividingBy: 97)
        } / 97
      switch weather {
      case .offline: throw .unreachable
      case .error where isConfig: return ContentResponse(status: 500)
      case .busy where isConfig:
        return ContentResponse(status: 503, headers: [("Retry-After", "120")])
      case .noObjects where !isConfig: return ContentResponse(status: 503)
      case .someObjects where !isConfig && luck < 0.5: return ContentResponse(status: 503)
      case .oneObject where !isConfig && luck < 0.17: return ContentResponse(status: 503)
      case .missingObject where !isConfig && luck < 0.3: return ContentResponse(status: 404)
      case .alteredObject where !isConfig && luck < 0.3:
        return ContentResponse(status: 200, body: (files[path] ?? []) + [0])
      default: break
      }
      if isConfig {
        return request.entityTag == tag
          ? ContentResponse(status: 304)
          : ContentResponse(status: 200, headers: [("ETag", tag)], body: config)
      }
      return files[path].map { ContentResponse(status: 200, body: $0) }
        ?? ContentResponse(status: 404)
    }
  }

  // MARK: The end

  /// Expects that honest answers win.
  mutating func finish() async throws {
    set(wrongBy: 0)
    wantsMore = false
    serve(.offline)
    log.append("forty days without a connection")
    clock.advance(by: 40 * 86_400)
    try await check()
    clock.advance(by: 4_000)
    if world.rollout != nil {
      try world.publish(random.fraction() < 0.5 ? .finish : .abort, at: trueTime)
    }
    try world.publish(.content, at: trueTime)
    // Nobody has left a new rollout.
    if random.fraction() < 0.5 { try world.publish(.start, at: trueTime) }
    serve(.honest)
    eager = ["catalog"]
    try await restart(onFullDisk: false)
    log.append("the end")
    for _ in 0..<4 where client.snapshot.release != world.newest.number {
      let client = client
      _ = await end { await client.refresh(.context).outcome }
      await client.refresher.tidying?.value
      clock.advance(by: 700)
    }
    #expect(client.snapshot.release == world.newest.number, trace)
    #expect(client.state == .content, trace)
    let unit = await client.refresher.unit
    let next = world.rollout.flatMap { rollout in
      unit.flatMap { rollout.includes($0) ? rollout.name : nil }
    }
    #expect(client.snapshot.rollout.hasSameBytes(as: next), trace)
    try await check()
  }
}
