import ContentModel
import PropertyLists

extension Refresher {
  /// The most objects that are requested at a time.
  private static let objectsAtOnce = 4

  /// Loads the objects that a release needs before it is shown (step 4).
  func load(
    _ config: SiteConfig, for reader: ReaderContext, progress: RefreshProgress
  ) async throws(ContentError) -> Release {
    let served = config.served(reader)
    guard let index = config.index(served) else {
      throw ContentError(
        .damaged, because: "config has no index for \(served.locale) and \(served.device)")
    }
    try await fetch(
      [.init(object: index, size: Limits.indexBytes, isExact: false)], progress: progress)
    let release = try Release(config, for: reader, on: shelf)
    let names = Requirements.bundles(of: release, eager: configuration.eager)
    try await fetch(Requirements.lists(of: release, names: names), progress: progress)
    var objects = Requirements.objects(of: release, names: names)
    if let texts = config.maintenancePayload(served) {
      objects.append(.init(object: texts, size: Limits.indexBytes, isExact: false))
    }
    try await fetch(objects, progress: progress)
    for name in names where release.index.lists[name] == nil {
      guard release.bundle(name) != nil || release.row(name) == nil else {
        throw ContentError(.damaged, because: "bundle '\(name)' cannot be read")
      }
    }
    return release
  }

  /// Requests the objects that the shelf lacks, checks and stores them.
  private func fetch(
    _ items: [Requirements.Item], progress: RefreshProgress
  ) async throws(ContentError) {
    let missing = items.filter { !shelf.holds($0.object, size: $0.isExact ? $0.size : nil) }
    progress.expect(missing.filter(\.isExact).reduce(0) { $0 + $1.size })
    var rest = missing[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Self.objectsAtOnce)
      rest = rest.dropFirst(batch.count)
      let arrived = await withTaskGroup(of: Result<Requirements.Arrived, ContentError>.self) {
        group in
        for item in batch {
          group.addTask { [site] in await site.received(item, progress: progress) }
        }
        var arrived: [Result<Requirements.Arrived, ContentError>] = []
        for await result in group { arrived.append(result) }
        return arrived
      }
      var failure: ContentError?
      for result in arrived {
        // A failure keeps the objects that arrived: the next refresh loads only the others.
        do throws(ContentError) { try keep(result.get()) } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }

  private func keep(_ arrived: Requirements.Arrived) throws(ContentError) {
    presenter.report(.loaded(bytes: arrived.bytes.count))
    guard mayStore else {
      throw ContentError(.storage, because: "the storage cannot be read now, so nothing is stored")
    }
    try shelf.storage.store(arrived.bytes, of: arrived.item.object)
  }

  // MARK: Bundles and files on demand

  /// Loads bundles that an app asks for.
  func load(_ bundles: [BundleName], of release: Release) async throws(ContentError) {
    let progress = RefreshProgress()
    try refuseWithdrawn([], of: release)
    try await fetch(Requirements.lists(of: release, names: bundles), progress: progress)
    for name in bundles
    where release.row(name) == nil && release.index.lists[name] == nil {
      throw ContentError(.missing, because: "release \(release.number) has no bundle '\(name)'")
    }
    let objects = Requirements.objects(of: release, names: bundles)
    try refuseWithdrawn(objects.map(\.object), of: release)
    try await fetch(objects, progress: progress)
    tidy()
  }

  /// Loads the file of an asset.
  func load(_ file: AssetValue.Scale, of release: Release) async throws(ContentError) {
    try refuseWithdrawn([file.object], of: release)
    try await fetch(
      [.init(object: file.object, size: file.size, isExact: true)], progress: RefreshProgress())
    tidy()
  }

  /// Refuses to load purged objects again.
  private func refuseWithdrawn(_ objects: [SiteObject], of release: Release) throws(ContentError) {
    let isRemoved = objects.contains { self.isRemoved($0, in: release) }
    guard release.number >= state.minimumRelease, !isRemoved else {
      throw ContentError(.withdrawn, because: "it was purged")
    }
  }
}

/// The loading of bundles and files that a snapshot asks for.
struct OnDemand: BundleLoading {
  let refresher: Refresher
  let presenter: Presenter

  func load(_ bundles: [BundleName], of release: Release) async throws(ContentError) {
    try await refresher.load(bundles, of: release)
  }

  func load(_ file: AssetValue.Scale, of release: Release) async throws(ContentError) {
    try await refresher.load(file, of: release)
  }

  func report(undecodable entry: EntryID, in bundle: BundleName, _ error: any Error) {
    presenter.report(
      .undecodable(ContentError(.damaged, because: "\(entry) in '\(bundle)': \(error)")))
  }
}
