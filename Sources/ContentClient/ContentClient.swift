import ContentModel
import SiteFormat

/// The content of an app's channel: shown at once, kept current, and of one whole release.
///
/// ```swift
/// let client = try ContentClient(configuration)
/// let updates = client.updates
/// client.start()
/// show(client.snapshot)
/// for await update in updates { show(update.snapshot) }
/// ```
///
/// A client never blocks: reading needs neither the network nor a lock that is held for long. All
/// its members can be used from any thread. It refreshes on schedule between ``start()`` and
/// ``stop()``. At other times, it makes requests only for calls of the app that load content. A
/// class, since an app has one for each channel, and its parts share it.
public final class ContentClient: Sendable {
  let presenter: Presenter
  let refresher: Refresher
  let configuration: ContentConfiguration
  private let running = Locked<Running>(Running())

  /// The refresh on its way, and the number of refreshes so far.
  private struct Running: Sendable {
    var task: RefreshTask?
    var number = 0
  }
  /// The checks on schedule; `nil` while the app is in the background.
  let schedule = Locked<Task<Void, Never>?>(nil)
  /// `nil` for storage in memory, which no other process has.
  private let watch: StorageWatch?
  /// The check that the pushes so far wait for.
  let pushed = Locked<Task<RefreshOutcome, Never>?>(nil)
  /// The release with a missing object for which newer config was last sought.
  private let sought = Locked<Int?>(nil)
  /// The work that follows the opening; `nil` if there is none.
  ///
  /// Tests wait for it before they change the clock or the storage.
  let mending = Locked<Task<Void, Never>?>(nil)
  /// The content at the opening; `nil` once the app read content.
  private let unread: Locked<Opening?>

  /// Opens stored or baked content, without a request.
  ///
  /// Damaged storage counts as empty, and is reported by ``events``.
  ///
  /// ```swift
  /// let client = try ContentClient(configuration)
  /// ```
  ///
  /// - Throws: ``ContentError`` if the configuration is wrong.
  public convenience init(_ configuration: ContentConfiguration) throws(ContentError) {
    let configuration = configuration.overridden
    let storage: any ContentStorage =
      switch configuration.storage {
      case .folder(let path): FolderStorage(path)
      case .memory: MemoryStorage()
      }
    try self.init(configuration, storage: storage)
  }

  /// Opens content of any storage.
  init(_ configuration: ContentConfiguration, storage: any ContentStorage) throws(ContentError) {
    try configuration.check()
    self.configuration = configuration
    let pinned = try configuration.pinnedDocument()
    let opening = Opening(configuration, pinned: pinned, storage: storage)
    presenter = Presenter(
      release: opening.release, newest: opening.newest, reader: configuration.context,
      token: opening.token, shelf: opening.shelf,
      visibility: Visibility(opening.rules, configuration: configuration))
    refresher = Refresher(opening, presenter: presenter)
    unread = Locked(opening)
    watch = configuration.storage == .memory ? nil : StorageWatch(clock: configuration.clock)
    presenter.loadBundles(by: refresher) { [weak self] in self?.seekNewerConfig() }
    presenter.keep(opening.events)
    let isStored = configuration.storage != .memory
    guard isStored || opening.release != nil else { return }
    mending.withLock {
      $0 = Task { [refresher] in
        if isStored { await refresher.mendStorage() }
        await refresher.indexEntries()
      }
    }
  }

  deinit {
    stop()
    presenter.end()
  }

  // MARK: Reading

  /// The content to show now.
  ///
  /// The first reading begins the trial of a new release, as ``start()`` and
  /// ``changes(since:)`` do: a background task that shows nothing should not read.
  ///
  /// ```swift
  /// let title = client.snapshot.entry("screen/home")?["title"]?.text
  /// ```
  public var snapshot: ContentSnapshot {
    noteReading()
    if watch?.begins() == true {
      Task { [refresher] in await refresher.adoptOtherProcesses() }
    }
    return presenter.snapshot
  }

  /// The content's state: content, or why there is none.
  ///
  /// A purge may arrive between this and ``snapshot``. A ``ContentUpdate`` has both of one moment.
  ///
  /// ```swift
  /// if case .maintenance(let notice) = client.state { show(notice["title"]?.text) }
  /// ```
  public var state: ContentState { presenter.state }

  /// The changes of the shown content, from now on.
  ///
  /// Take it before you read ``snapshot``, so that no update is missed. Each access makes a stream
  /// of its own, which keeps the last 64 updates for its reader, and ends with the client.
  ///
  /// ```swift
  /// let updates = client.updates
  /// client.start()
  /// show(client.snapshot)
  /// for await update in updates { show(update.snapshot) }
  /// ```
  public var updates: AsyncStream<ContentUpdate> { presenter.updateStream }

  /// The events in the client, for logs and counters.
  ///
  /// ```swift
  /// for await event in client.events { log("\(event)") }
  /// ```
  public var events: AsyncStream<ContentEvent> { presenter.eventStream }

  /// Returns what changed since an earlier content; `.everything` without a token, and if the
  /// client does not know.
  ///
  /// Ask before you read ``snapshot``: then a change that arrives in between is reported again
  /// rather than never. Tokens count releases, readers and purges. Entries that appear or disappear
  /// by their dates are no change.
  ///
  /// ```swift
  /// let changes = client.changes(since: stored)
  /// ```
  public func changes(since token: ChangeToken?) -> ContentChanges {
    noteReading()
    return presenter.journal.changes(since: token, to: presenter.token)
  }

  // MARK: Refreshing

  /// Begins a refresh, which asks for a newer release and loads it, or joins the one on its way.
  ///
  /// ```swift
  /// let outcome = await client.refresh(.user).outcome
  /// ```
  @discardableResult public func refresh(_ reason: RefreshReason = .user) -> RefreshTask {
    begin { [refresher] in await refresher.refresh(reason, progress: $0) }.task
  }

  /// Begins a refresh, or joins the one on its way, and waits for at most some seconds; returns `nil`
  /// if it takes longer, or if the caller's task is cancelled.
  ///
  /// A first screen so waits for new content for a moment, but not for a slow network. The refresh
  /// goes on, and ``updates`` has what it brings.
  ///
  /// ```swift
  /// await client.refresh(.launch, within: 2)
  /// show(client.snapshot)
  /// ```
  @discardableResult public func refresh(
    _ reason: RefreshReason = .launch, within seconds: Double
  ) async -> RefreshOutcome? {
    let task = refresh(reason)
    // The value of a task cannot be awaited for a limited time; an element of a stream can.
    let (first, ending) = AsyncStream.makeStream(of: RefreshOutcome?.self)
    Task { ending.yield(await task.outcome) }
    let limit = Task { [configuration] in
      let isOver = (try? await configuration.clock.sleep(seconds: max(0, seconds))) != nil
      if isOver { ending.yield(nil) }
    }
    defer { limit.cancel() }
    for await outcome in first { return outcome }
    return nil
  }

  /// Changes the reader; the shown content stays until that of the new reader is whole.
  ///
  /// The next start has the reader of its configuration again: the app stores its choice.
  ///
  /// ```swift
  /// var reader = client.reader
  /// reader.locales = ["fr"]
  /// await client.select(reader)
  /// ```
  @discardableResult public func select(_ context: ReaderContext) async -> RefreshOutcome {
    presenter.select(context)
    if let outcome = await refresher.showStored(for: context) { return outcome }
    // Of two choices, the later one counts.
    while presenter.reader == context {
      let (task, isNew) = begin { [refresher] in await refresher.select(context, progress: $0) }
      let outcome = await task.outcome
      if isNew { return outcome }
    }
    return .unchanged
  }

  /// The refresh on its way; `nil` if there is none.
  var refreshing: RefreshTask? { running.withLock { $0.task } }

  /// The reader for whom content is chosen.
  ///
  /// ```swift
  /// let languages = client.reader.locales
  /// ```
  public var reader: ReaderContext { presenter.reader }

  /// The unit by which this reader belongs to the group of a release in steps; `nil` if the client
  /// has neither a folder nor a unit of the app, or cannot write to the folder now.
  ///
  /// The unit is that of ``ContentConfiguration/unit``, or one that the client draws once, at the
  /// first release in steps or the first access. A tester can show it, so that the publisher names
  /// it. The client does not send it.
  ///
  /// ```swift
  /// if let unit = await client.unit { show(unit) }
  /// ```
  public var unit: String? { get async { await refresher.drawUnit() } }

  /// The override of a debug build; `nil` without one.
  ///
  /// ```swift
  /// if client.override != nil { showBadge() }
  /// ```
  public var override: ContentOverride? { configuration.override }

  /// Begins to refresh on schedule, at once if config is older than its `ttl`, and to report
  /// entries that appear or disappear by their dates.
  ///
  /// Call it when the app enters the foreground; a second call does nothing.
  ///
  /// ```swift
  /// client.start()
  /// ```
  public func start() {
    noteReading()
    schedule.withLock { schedule in
      guard schedule == nil else { return }
      let scheduler = Scheduler(refresher, presenter: presenter, configuration: configuration) {
        [weak self] reason in
        self?.refresh(reason)
      }
      schedule = Task { await scheduler.run() }
    }
  }

  /// Ends what ``start()`` began; call it when the app enters the background.
  ///
  /// ```swift
  /// client.stop()
  /// ```
  public func stop() {
    let scheduler = schedule.withLock { schedule in
      defer { schedule = nil }
      return schedule
    }
    scheduler?.cancel()
  }

  /// Loads bundles before they are needed; for a split bundle, all its parts.
  ///
  /// ```swift
  /// try await client.prefetch(["product/rose"])
  /// ```
  ///
  /// - Throws: ``ContentError`` if there is no such bundle, or it cannot be loaded.
  public func prefetch(_ bundles: [BundleName]) async throws(ContentError) {
    guard let release = presenter.release else {
      throw ContentError(.missing, because: "there is no content yet")
    }
    try await refresher.load(bundles, of: release, isUrgent: false)
  }

  /// Shows the newest loaded release, where ``ContentConfiguration/activation`` leaves that to the
  /// app.
  ///
  /// ```swift
  /// await client.activate()
  /// ```
  @discardableResult public func activate() async -> RefreshOutcome {
    let outcome = await refresher.activateStored()
    if case .updated = outcome { proveHealth() }
    return outcome
  }

  /// Ends the trial of the shown release: the client keeps it after a crash.
  ///
  /// The client does so ten seconds after the first reading, while the app runs.
  ///
  /// ```swift
  /// client.markHealthy()
  /// ```
  public func markHealthy() {
    guard let config = presenter.release?.config else { return }
    Task { [refresher] in await refresher.markHealthy(config) }
  }

  // MARK: Work

  /// Begins work, or joins that on its way.
  private func begin(
    _ work: @escaping @Sendable (RefreshProgress) async -> RefreshOutcome
  ) -> (task: RefreshTask, isNew: Bool) {
    running.withLock { running in
      if let task = running.task, !task.task.isCancelled { return (task, false) }
      running.number += 1
      let number = running.number
      let progress = RefreshProgress()
      let task = Task { [weak self] in
        let outcome = await work(progress)
        progress.end()
        self?.ended(number, outcome)
        return outcome
      }
      let new = RefreshTask(task: task, received: progress)
      running.task = new
      return (new, true)
    }
  }

  /// Checks config past caches after 2, 8 and 30 s, until a newer one arrives.
  ///
  /// The site lacks an object of the newest config so far.
  private func seekNewerConfig() {
    let release = presenter.newest?.release
    let isNew = sought.withLock { sought in
      defer { sought = release }
      return sought != release
    }
    guard isNew, let release else { return }
    Task { [weak self, configuration] in
      for delay in Refresher.missingObjectDelays {
        guard (try? await configuration.clock.sleep(seconds: delay)) != nil, let self,
          presenter.newest?.release == release
        else { return }
        _ = await begin { [refresher] in
          await refresher.refresh(.schedule, asksOrigin: true, progress: $0)
        }.task.outcome
      }
    }
  }

  private func ended(_ number: Int, _ outcome: RefreshOutcome) {
    running.withLock { running in
      if running.number == number { running.task = nil }
    }
    if case .updated = outcome { proveHealth() }
  }

  /// Notes the first reading in this process: from now on, a new release is on trial.
  ///
  /// Reading waits for no disk: the refresher writes this down.
  private func noteReading() {
    let first = unread.withLock { opening in
      defer { opening = nil }
      return opening
    }
    guard let opening = first else { return }
    presenter.beginReading()
    guard let release = presenter.release, opening.mustRecordReading(of: release) else { return }
    Task { [refresher] in await refresher.recordReading(of: release, by: opening) }
    proveHealth()
  }

  /// Ends the trial of the shown release after ten seconds.
  private func proveHealth() {
    guard presenter.isRead, let config = presenter.release?.config else { return }
    Task { [configuration, weak refresher] in
      guard (try? await configuration.clock.sleep(seconds: 10)) != nil else { return }
      await refresher?.markHealthy(config)
    }
  }
}
