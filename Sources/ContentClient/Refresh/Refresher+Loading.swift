import ContentModel
import PropertyLists
import SiteFormat

extension Refresher {
  /// The most objects that are requested at a time, of one refresh or call.
  private static let objectsAtOnce = 4

  /// The answers to requests for objects.
  private struct Answers {
    /// The objects that arrived and are stored.
    var arrived: Set<SiteObject> = []
    /// The failure that ended the requests.
    var failure: ContentError?
    /// The failure of the first missing object; the requests continued after it.
    var skipped: ContentError?
    /// The number of objects that the next requests may load at a time; 0 after a failure that
    /// ended the requests.
    var objectsAtOnce: Int

    /// The failure to report.
    ///
    /// A failure that ended the requests is graver than a missing object.
    var error: ContentError? { failure ?? skipped }
  }

  /// Loads the objects that a release needs before it is shown (step 4).
  ///
  /// By default, the first object that the site lacks ends the loading. With `skipsMissing`, the
  /// other objects are loaded nevertheless, until four objects were missing. The client does not
  /// request a missing object again.
  func load(
    _ config: SiteConfig, of generation: Int, for reader: ReaderContext,
    skipsMissing: Bool = false, progress: RefreshProgress
  ) async throws(ContentError) -> Release {
    let served = config.served(reader)
    guard let index = config.index(served) else {
      throw ContentError(
        .damaged, because: "config has no index for \(served.locale) and \(served.device)")
    }
    try await fetch(
      [.init(object: index, size: LimitedPart.Kind.index.limit, isExact: false)],
      skipsMissing: skipsMissing, progress: progress)
    let release = try Release(config, of: generation, for: reader, on: shelf)
    let names = Requirements.bundles(of: release, eager: configuration.eager)
    let lists = await request(
      Requirements.lists(of: release, names: names), skipsMissing: skipsMissing, progress: progress)
    if let failure = lists.objectsAtOnce == 0 ? lists.error : nil { throw failure }
    var objects = Requirements.objects(of: release, names: names)
    if let texts = config.maintenancePayload(served) {
      objects.append(
        .init(object: texts, size: LimitedPart.Kind.maintenance.limit, isExact: false))
    }
    let answers = await request(
      objects, objectsAtOnce: lists.objectsAtOnce, skipsMissing: skipsMissing, progress: progress)
    let bundles = names.flatMap { release.parts(of: $0) }
    if let failure = answers.failure ?? lists.skipped ?? answers.skipped {
      // The shown release may use the bundles that arrived, so they are checked, too.
      for bundle in bundles {
        guard let object = release.object(of: bundle)?.object, answers.arrived.contains(object)
        else { continue }
        do throws(ContentError) {
          try checkBundles([bundle], of: release, arrived: answers.arrived)
        } catch { presenter.report(.storage(error)) }
      }
      throw failure
    }
    try checkBundles(bundles, of: release, arrived: answers.arrived)
    await loadListsInUse(by: release, progress: progress)
    return release
  }

  /// Throws if a needed bundle or part cannot be opened.
  ///
  /// Reports entries of new bundles that cannot be decoded. A bundle is new if it has just arrived,
  /// or if the shown release does not use it: a process may have stored the bundle, and been killed
  /// before the check.
  private func checkBundles(
    _ names: [BundleName], of release: Release, arrived: Set<SiteObject>
  ) throws(ContentError) {
    let shown = presenter.release
    for name in names {
      guard release.row(name) != nil, let object = file(of: name, in: release) else { continue }
      let isNew =
        arrived.contains(object)
        || !checked.contains(object) && shown.flatMap { file(of: name, in: $0) } != object
      // Parts that did not change may be many, and are opened on first use.
      if !isNew, name.family != nil { continue }
      guard let bundle = release.bundle(name), !isNew || bundle.isReadable else {
        // The next process must not take the release for whole.
        shelf.storage.remove(object)
        let newer = release.bundle(name)?.newerFormat
        throw ContentError(
          .damaged,
          because: newer?.sentence(about: "bundle '\(name)'") ?? "bundle '\(name)' cannot be read")
      }
      if isNew { reportUnreadableEntries(of: bundle) }
      checked.insert(object)
    }
  }

  /// Returns the object with a bundle's content: its own one, or the index.
  private func file(of bundle: BundleName, in release: Release) -> SiteObject? {
    release.object(of: bundle)?.object ?? release.config.index(release.served)
  }

  /// Reports entries of which a part cannot be read; that part is left out.
  private func reportUnreadableEntries(of bundle: OpenBundle) {
    let unreadable = bundle.unreadable
    guard let first = unreadable.first else { return }
    let others =
      switch unreadable.count - 1 {
      case 0: ""
      case 1: " and 1 other entry"
      case let count: " and \(count) other entries"
      }
    presenter.report(
      .storage(
        ContentError(
          .damaged,
          because: "\(first)\(others) of bundle '\(bundle.name)' cannot be read completely")))
  }

  /// Loads the lists of split bundles that the app uses; the release is whole without them.
  ///
  /// Parts that did not change are then not loaded again, and are read without a connection.
  private func loadListsInUse(by release: Release, progress: RefreshProgress) async {
    guard let shown = presenter.release, !shown.config.isSame(as: release.config) else { return }
    let names = release.index.lists.keys.filter { name in
      shown.index.lists[name].map { shelf.contains($0) } ?? false
    }
    _ = try? await fetch(Requirements.lists(of: release, names: names.sorted()), progress: progress)
  }

  /// Loads the objects that the shelf lacks; throws the first failure.
  private func fetch(
    _ items: [Requirements.Item], isUrgent: Bool = true, skipsMissing: Bool = false,
    progress: RefreshProgress
  ) async throws(ContentError) {
    let answers = await request(
      items, isUrgent: isUrgent, skipsMissing: skipsMissing, progress: progress)
    if let error = answers.error { throw error }
  }

  /// Requests the objects that the shelf lacks; checks and stores each object that arrives.
  ///
  /// Whenever an object has arrived, the client requests the next one. After the first failure, the
  /// client requests no more; the next refresh loads the remaining objects. With `isUrgent`, the
  /// client requests objects in Low Data Mode, too. With `skipsMissing`, a missing object does not
  /// end the requests: fewer objects are then requested at a time, and the missing one is not
  /// requested again.
  private func request(
    _ items: [Requirements.Item], objectsAtOnce: Int = Refresher.objectsAtOnce,
    isUrgent: Bool = true, skipsMissing: Bool = false, progress: RefreshProgress
  ) async -> Answers {
    let absent = items.filter { !shelf.holds($0.object, size: $0.isExact ? $0.size : nil) }
    reportDamage()
    var known = Answers(objectsAtOnce: objectsAtOnce)
    let lacking = skipsMissing ? self.lacking : [:]
    known.skipped = absent.compactMap { lacking[$0.object] }.first
    let wanted = absent.filter { lacking[$0.object] == nil }
    if wanted.isEmpty { return known }
    do throws(ContentError) { try refuseRequests(for: wanted) } catch {
      return Answers(failure: error, objectsAtOnce: 0)
    }
    progress.expect(wanted.filter(\.isExact).reduce(0) { $0 + $1.size })
    return await withTaskGroup(of: Site.Received.self) { [known] group in
      var (rest, answers) = (wanted[...], known)
      func requestNext() {
        guard var item = rest.popFirst() else { return }
        if withoutRecipe.contains(item.object) { item.recipe = nil }
        group.addTask { [site] in
          await site.received(item, isUrgent: isUrgent, progress: progress)
        }
      }
      for _ in 0..<objectsAtOnce { requestNext() }
      for await received in group {
        noteRetryAfter(received.retryAfter)
        if let fault = received.recipeFault {
          withoutRecipe.insert(received.item.object)
          if received.error != fault { presenter.report(.refused(fault)) }
        }
        do throws(ContentError) {
          try keep(received.result.get())
          answers.arrived.insert(received.item.object)
          if answers.objectsAtOnce > 0 { requestNext() }
        } catch {
          guard skipsMissing, error.isMissingObject, secondsAsked(at: clock.moment) == 0 else {
            answers.failure = answers.failure ?? error
            answers.objectsAtOnce = 0
            continue
          }
          self.lacking[received.item.object] = error
          answers.skipped = answers.skipped ?? error
          // A server that forbids one object may forbid all.
          answers.objectsAtOnce =
            received.status == 403 ? 0 : max(0, answers.objectsAtOnce - 1)
        }
      }
      return answers
    }
  }

  /// Reports stored and baked objects with wrong bytes, which count as absent.
  func reportDamage() {
    for object in shelf.takeDamagedObjects() {
      presenter.report(
        .storage(ContentError(.damaged, because: "\(object.path) is damaged; it counts as absent")))
    }
  }

  /// Throws until the server's `Retry-After` has passed.
  ///
  /// Objects above `Limits.releaseBytes` are refused, too.
  private func refuseRequests(for items: [Requirements.Item]) throws(ContentError) {
    let wait = secondsAsked(at: clock.moment)
    if wait > 0 {
      throw ContentError(
        .server(status: 503), because: "the server asks to wait for \(Int(wait)) seconds")
    }
    let total = items.reduce(0) { $0 + ($1.isExact ? $1.size : 0) }
    if total > Limits.releaseBytes {
      throw ContentError(.refused, because: "the objects have \(total) bytes: too many")
    }
  }

  private func keep(_ arrived: Requirements.Arrived) throws(ContentError) {
    presenter.report(.loaded(bytes: arrived.receivedCount))
    guard mayStore else {
      throw ContentError(.storage, because: "the storage cannot be read now, so nothing is stored")
    }
    try shelf.storage.store(arrived.bytes, of: arrived.item.object)
    if let storedBytes { self.storedBytes = storedBytes + arrived.bytes.count }
  }

  // MARK: Bundles and files on demand

  /// Loads bundles that an app asks for.
  ///
  /// With `isUrgent`, a person waits for them: also in Low Data Mode, and they stay open.
  func load(
    _ bundles: [BundleName], of release: Release, isUrgent: Bool
  ) async throws(ContentError) {
    try refuseIfWithdrawn(release)
    try await demand(Requirements.lists(of: release, names: bundles), isUrgent: isUrgent)
    for name in bundles
    where release.row(name) == nil && release.index.lists[name] == nil {
      throw ContentError(.missing, because: "release \(release.number) has no bundle '\(name)'")
    }
    let objects = Requirements.objects(of: release, names: bundles)
    let missing = objects.filter { !shelf.holds($0.object, size: $0.size) }
    let rules = self.rules
    let withdrawn = Set(missing.filter { rules.withdraws($0.object, of: release) })
    // The other parts of a split bundle can be loaded.
    for name in bundles {
      let parts = Requirements.objects(of: release, names: [name])
      if !parts.isEmpty, withdrawn.isSuperset(of: parts) {
        try refuseIfWithdrawn(release, objects: parts.map(\.object))
      }
    }
    try await demand(missing.filter { !withdrawn.contains($0) }, isUrgent: isUrgent)
    findArrivals()
    if isUrgent { for name in bundles { _ = release.bundles(name) } }
    tidyIfFull()
  }

  /// Loads the list of a split bundle's parts, for which a person waits.
  func loadList(of bundle: BundleName, of release: Release) async throws(ContentError) {
    try refuseIfWithdrawn(release)
    try await demand(Requirements.lists(of: release, names: [bundle]), isUrgent: true)
  }

  /// Loads the file of an asset; with `isUrgent`, also in Low Data Mode.
  func load(
    _ file: AssetValue.Scale, of release: Release, isUrgent: Bool
  ) async throws(ContentError) {
    try refuseIfWithdrawn(release, objects: [file.object])
    try await demand(
      [.init(object: file.object, size: file.size, isExact: true)], isUrgent: isUrgent)
    tidyIfFull()
  }

  /// Requests objects that a screen asks for.
  ///
  /// If the site lacks one, the client looks for a newer config, which may have replaced it.
  private func demand(
    _ items: [Requirements.Item], isUrgent: Bool
  ) async throws(ContentError) {
    do {
      try await fetch(items, isUrgent: isUrgent, progress: RefreshProgress())
    } catch {
      if error.isMissingObject { presenter.noteMissingObject() }
      throw error
    }
  }

  /// Throws if a purge withdrew a release, or one of some objects of it.
  private func refuseIfWithdrawn(
    _ release: Release, objects: [SiteObject] = []
  ) throws(ContentError) {
    let rules = self.rules
    guard !rules.withdraws(release), !objects.contains(where: { rules.withdraws($0, of: release) })
    else {
      throw ContentError(.withdrawn, because: "it was purged")
    }
  }
}

/// The loading of bundles and files that a snapshot asks for.
struct OnDemand: BundleLoading {
  let refresher: Refresher
  let presenter: Presenter

  func load(_ bundles: [BundleName], of release: Release) async throws(ContentError) {
    try await refresher.load(bundles, of: release, isUrgent: true)
  }

  func load(
    _ file: AssetValue.Scale, of release: Release, isUrgent: Bool
  ) async throws(ContentError) {
    try await refresher.load(file, of: release, isUrgent: isUrgent)
  }

  func loadList(of bundle: BundleName, of release: Release) async throws(ContentError) {
    try await refresher.loadList(of: bundle, of: release)
  }

  func prefetch(_ bundles: [BundleName], of release: Release) {
    Task { try? await refresher.load(bundles, of: release, isUrgent: false) }
  }

  func report(_ event: ContentEvent) { presenter.report(event) }
}
