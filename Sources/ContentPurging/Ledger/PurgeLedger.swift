package import ContentModel
package import ContentReleases
import ContentTargets
import Parallel
import Platform
import PropertyLists

/// The purges of a channel, finished and unfinished.
///
/// A purge has a *pending* manifest in `<channel>/purges`, written right before its release becomes
/// live. Once the purge is *finished*, a final manifest replaces it. A pending one is in one of
/// these states:
///
/// | state | condition | next step |
/// |---|---|---|
/// | unfinished | it was live, and config follows it | `Purge.finish` |
/// | missed | it was live, and config was restored from a backup of before it | `publish --above` |
/// | interrupted | it is unfinished or missed | |
/// | leftover | it has a final manifest, or its release was never live | `Purge.sweep` |
///
/// Once a release has ended the state of a restored config, missed purges are unfinished ones.
///
/// A pending manifest with a higher number than config's is ignored unless the purge is known to have
/// been live: the purge may be about to begin, or was killed. If the manifest of a published purge is
/// damaged, `warnings` says so.
///
/// Manifests have no signatures. In a signed channel, a purge is therefore unfinished only if the
/// record of its release proves its manifest (`PurgeProof`), and none is missed.
///
/// Only pending manifests are read at once: there may be a thousand finished purges.
package struct PurgeLedger: Sendable {
  /// The unfinished purges, in order.
  package private(set) var unfinished: [PurgeManifest] = []
  /// The missed purges that are not finished, in order.
  package private(set) var missedUnfinished: [PurgeManifest] = []
  /// The pending purges of a signed channel that no record proves.
  private(set) var unproven: [PurgeManifest] = []
  /// The keys of pending manifests without work: the purge was finished, or its release was never
  /// published.
  package private(set) var leftovers: [String] = []
  /// Warnings about files that are damaged or no manifests, as sentences.
  package private(set) var warnings: [String] = []
  /// `true` if config was restored from a backup, and no release has ended that state; see
  /// `RestoredConfig`.
  private(set) var isRestored = false
  let place: ChannelPlace
  /// The number after which config does not follow the channel's purges: config's, unless a purge went
  /// live after config was restored.
  private var followed = 0
  /// The number of config's last purge.
  let sequence: Int
  let isConfigGone: Bool
  /// The numbers of all purges that have a file.
  private(set) var numbers: Set<Int> = []
  /// The files of finished purges, in order.
  private(set) var files: [PurgeFile] = []
  private let memory: ManifestMemory
  private let proofs: PurgeProofs
  /// The channel as it was when the ledger was made.
  private let past: ChannelPlace
  /// The records of the caller's own attempts that never became live.
  private let lost: [Digest]

  /// Reads the finished purges, in order, without unreadable ones.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package func readFinished() throws -> [PurgeManifest] {
    try read(files).compactMap(\.self)
  }

  /// Reads the finished purges, then the interrupted ones.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package func readAll() throws -> [PurgeManifest] { try readFinished() + interrupted }

  /// Returns the hashes of the objects that purges have removed, or are to remove.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package func removedObjects() throws -> Set<Digest> {
    Set(try readAll().flatMap(\.objects).map(\.digest))
  }

  /// Returns the hashes of the objects that purges may have removed, proven or not.
  ///
  /// Caches may remember that such an object is missing. To purge a few more of them does no harm.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package func possiblyRemovedObjects() throws -> Set<Digest> {
    Set(try readForRefusal().flatMap(\.objects).map(\.digest))
  }

  /// The interrupted purges.
  package var interrupted: [PurgeManifest] { unfinished + missedUnfinished }

  /// `true` if the channel has no purges.
  package var isEmpty: Bool {
    files.isEmpty && interrupted.isEmpty && unproven.isEmpty
  }

  /// Lists the purges, and reads those that are unfinished.
  ///
  /// `lost` are the records of releases that never became live: the caller's own attempts, whose
  /// purges are ignored. A ledger that follows an earlier one reads none of its manifests again.
  ///
  /// Manifests of a newer version, whose meaning is unknown, are left alone with a warning.
  ///
  /// - Throws: `TargetError`.
  package init(
    _ place: ChannelPlace, live: LiveRelease?, lost: [Digest] = [], after earlier: Self? = nil
  ) throws {
    (self.place, self.lost, memory) = (place, lost, earlier?.memory ?? ManifestMemory())
    proofs = PurgeProofs(place)
    var past = place
    past.target = RememberingTarget(place.target)
    self.past = past
    isConfigGone = live == nil
    // A config that was restored from a backup has a lower number than the purges since.
    sequence = max(live?.purge?["sequence"]?.number ?? 0, 0)
    let folder = PurgeManifest.folder(place.channel)
    // No signed release is made from manifests that its config does not know.
    let missedAfter = place.signing == nil ? live?.purge?["missedAfter"]?.number : nil
    followed = place.signing == nil ? min(max(missedAfter ?? sequence, 0), sequence) : .max
    let (highest, overflows) = sequence.addingReportingOverflow(PurgeManifest.numbersAhead)
    var pending: [PurgeFile] = []
    for listed in try past.target.list(below: folder) {
      guard let file = PurgeFile(listed.key), overflows || file.sequence <= highest else {
        warnings.append(
          "'\(listed.key)' at \(place.target.name) is no purge manifest of contentc; it was left alone"
        )
        continue
      }
      if lost.contains(where: file.isOfRelease) { continue }
      if file.record == nil { files.append(file) } else { pending.append(file) }
      numbers.insert(file.sequence)
    }
    files.sort { $0.sequence < $1.sequence }
    try readAhead(pending)
    let all = (files + pending).map(\.sequence)
    for file in pending.sorted(by: { $0.sequence < $1.sequence }) {
      let isOnly = all.count { $0 == file.sequence } == 1
      try warning { ledger in
        try ledger.classify(file, isKnown: file.sequence <= ledger.sequence, isOnly: isOnly)
      }
    }
    // Anybody may have put a file of such a name there.
    isRestored =
      try missedAfter != nil || !missedUnfinished.isEmpty
      || files.contains { file in
        guard isMissed(file.sequence) else { return false }
        return try warning { try PurgeManifest.manifest(of: file, at: $0.past) != nil } ?? false
      }
  }

  /// Does work about a file; turns a `DeliveryError` into a warning, and returns `nil` then.
  private mutating func warning<Result>(_ work: (inout Self) throws -> Result) throws -> Result? {
    do { return try work(&self) } catch let error as DeliveryError {
      if !warnings.contains("\(error)") { warnings.append("\(error)") }
      return nil
    }
  }

  /// Reads pending manifests, and the records that prove whether their purges were live, 32 at a
  /// time.
  private func readAhead(_ pending: [PurgeFile]) throws {
    if pending.isEmpty { return }
    let releases = try pending.mapOverlapped { [past] file in
      let manifest = try? PurgeManifest.manifest(of: file, at: past)
      return try self.release(of: file, manifest: manifest)
    }
    // The history is read down to the first release of a purge that config knows.
    let known = zip(pending, releases).filter {
      place.signing != nil || $0.0.sequence <= sequence
    }
    let first = known.compactMap(\.1).min() ?? .max
    let others = Set(releases.compactMap(\.self).flatMap { [$0, $0 + 1] })
    let records = try past.target.list(below: "\(past.channel)/releases/").filter { file in
      guard let number = ReleaseRecord.place(of: file.key)?.number else { return false }
      return number >= first || others.contains(number)
    }
    _ = try records.mapOverlapped { [past] file in try past.target.readAny(file.key) }
  }

  /// Returns the number of a pending purge's release; `nil` if neither its manifest nor a record
  /// says it.
  private func release(of file: PurgeFile, manifest: PurgeManifest?) throws -> Int? {
    guard manifest == nil, let record = file.record else { return manifest?.release }
    let records = try past.target.list(below: "\(past.channel)/releases/")
    let listed = records.first { $0.key.contains("-\(record).") }
    return listed.flatMap { ReleaseRecord.place(of: $0.key)?.number }
  }

  /// Returns the number of the next purge after a live release, as `PurgeManifest.nextSequence` does.
  ///
  /// - Throws: `DeliveryError` if no number is left; `TargetError`.
  func nextSequence(after live: LiveRelease?) throws -> Int {
    try PurgeManifest.nextSequence(past, after: live, lost: lost)
  }

  /// Reads the purges that config does not follow, in order, without unreadable ones: they must not
  /// stop an emergency.
  ///
  /// - Throws: `DeliveryError` if config cannot be read; `TargetError`.
  func missed() throws -> [PurgeManifest] {
    let finished = try files.filter { isMissed($0.sequence) }.mapOverlapped {
      [place, memory] file -> PurgeManifest? in
      do { return try memory.manifest(of: file, at: place) } catch is DeliveryError { return nil }
    }
    let purges = finished.compactMap(\.self) + missedUnfinished
    let since = try recordsSince(purges.map(\.release).min() ?? 0)
    return purges.filter { !since.contains($0.record) }.sorted { $0.sequence < $1.sequence }
  }

  /// Returns the live release's record and those before it, down to a number, if there were purges
  /// since config was restored from a backup.
  private func recordsSince(_ number: Int) throws -> Set<Digest> {
    guard followed < sequence else { return [] }
    var (records, chain) = (Set<Digest>(), try place.chain())
    // A damaged record proves nothing about those before it.
    while let record = try? chain.next(), record.number >= number { records.insert(record.digest) }
    return records
  }

  /// Adds a pending purge to those of its state; config knows those up to its own number.
  ///
  /// A file that `isOnly` is the only one with its number.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  private mutating func classify(_ file: PurgeFile, isKnown: Bool, isOnly: Bool) throws {
    guard let stored = try past.target.readAny(file.key) else { return }
    let name = "'\(file.key)' at \(place.target.name)"
    let read = try PurgeManifest.read(stored.bytes, at: name)
    let manifest = read.flatMap { file.names($0) ? $0 : nil }
    if place.signing != nil {
      return try classifySigned(file, manifest: manifest, isKnown: isKnown, name: name)
    }
    // A purge that config does not know may be about to begin.
    let isInHistory = try isKnown && isPublished(file, manifest: manifest, isOnly: isOnly)
    let wasLive =
      try isInHistory || manifest?.hasBeenLive(at: past, isConfigGone: isConfigGone) ?? false
    guard isKnown || wasLive else { return }
    if try isFinished(file) { return leftovers.append(file.key) }
    switch manifest {
    case let manifest? where !isInHistory && wasLive && isMissed(file.sequence):
      missedUnfinished.append(manifest)
    case let manifest? where wasLive: unfinished.append(manifest)
    case nil where isInHistory:
      warnings.append(
        "\(name) is damaged, so the remaining steps are unknown; run the same purge again, then remove that file"
      )
    default: leftovers.append(file.key)
    }
  }

  /// Adds a pending purge of a signed channel to those of its state: it is unfinished if its release
  /// is the live one or before it, and proves the manifest.
  private mutating func classifySigned(
    _ file: PurgeFile, manifest: PurgeManifest?, isKnown: Bool, name: String
  ) throws {
    switch try published(file, manifest: manifest) {
    case .never where isKnown: return leftovers.append(file.key)
    case .by(let record):
      let proof = PurgeProof(record)
      guard let manifest, try proof.fits(manifest) else { break }
      // Only the completion itself has no proof.
      if try isFinished(file, by: proof) { return leftovers.append(file.key) }
      return unfinished.append(manifest)
    case .never, .unknown: break
    }
    if isKnown {
      warnings.append(
        "\(name) is not proven by the record of a release, so its steps are not taken; run the same purge "
          + "again if readers see its content, then remove that file")
    }
    unproven += manifest.map { [$0] } ?? []
  }

  /// Returns whether a purge that was live has a number after which config does not follow the
  /// channel's purges.
  func isMissed(_ sequence: Int) -> Bool { sequence > followed }

  /// Returns the manifests in the order of their files, each read once; `nil` for those that cannot
  /// be read, and in a signed channel also for those without a proof.
  func read(_ files: [PurgeFile]) throws -> [PurgeManifest?] {
    let manifests = try readUnproven(files)
    if place.signing == nil { return manifests }
    return try manifests.map { manifest in
      guard let manifest, let proof = try proofs.proof(of: manifest), try proof.fits(manifest)
      else { return nil }
      return manifest
    }
  }

  func readUnproven(_ files: [PurgeFile]) throws -> [PurgeManifest?] {
    try files.mapOverlapped { [place, memory] file in try memory.manifest(of: file, at: place) }
  }

  /// Reads all manifests for a refusal, which may be wrong rather than missing: those whose records
  /// were pruned have no proof any more.
  func readForRefusal() throws -> [PurgeManifest] {
    try readUnproven(files).compactMap(\.self) + interrupted + unproven
  }

  /// Returns the latest purge that satisfies a predicate, which gets them from the latest to the
  /// first; reads 32 manifests at a time.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`; the errors of the
  ///   predicate.
  package func last(
    where predicate: (PurgeManifest) throws -> Bool
  ) throws -> PurgeManifest? {
    var interrupted = interrupted.sorted { $0.sequence < $1.sequence }
    for end in stride(from: files.count, to: 0, by: -32) {
      let part = files[max(end - 32, 0)..<end]
      while let latest = interrupted.last, latest.sequence > files[end - 1].sequence {
        if try predicate(latest) { return latest }
        interrupted.removeLast()
      }
      let split = interrupted.firstIndex { $0.sequence > part[part.startIndex].sequence }
      let others = interrupted[(split ?? interrupted.count)...]
      let purges = try (read(Array(part)).compactMap(\.self) + others).sorted {
        $0.sequence < $1.sequence
      }
      interrupted.removeLast(others.count)
      if let found = try purges.last(where: predicate) { return found }
    }
    return try interrupted.last(where: predicate)
  }

  /// Returns whether a pending purge has a final manifest.
  ///
  /// In a signed channel, the record of its release must prove that one, too.
  private func isFinished(_ file: PurgeFile, by proof: PurgeProof? = nil) throws -> Bool {
    guard let final = files.first(where: { $0.sequence == file.sequence }),
      let done = try PurgeManifest.manifest(of: final, at: past),
      try proof?.fits(done) ?? true
    else { return false }
    return done.record.hex.hasPrefix(file.record ?? "")
  }

  /// The place of a pending purge's release in a channel's history.
  private enum Published {
    /// Its record is that of the live release, or of one before it.
    case by(ReleaseRecord)
    case never
    /// A record is damaged or gone.
    case unknown
  }

  /// Looks for the release of a pending purge among the live one and those before it.
  private mutating func published(
    _ file: PurgeFile, manifest: PurgeManifest?
  ) throws -> Published {
    let records = try past.target.list(below: "\(past.channel)/releases/")
    let numbers = records.filter { $0.key.contains("-\(file.record ?? "none").") }
      .compactMap { ReleaseRecord.place(of: $0.key)?.number }
    // Anybody may have copied the record under another number. A publisher that is refused removes
    // its own.
    guard let release = numbers.min() ?? manifest?.release else { return .unknown }
    var chain = try past.chain()
    var last: ReleaseRecord?
    while let record = try warning({ _ in try chain.next() }) ?? nil {
      if file.isOfRelease(record.digest) { return .by(record) }
      if record.number < release { return .never }
      last = record
    }
    return last?.previous == nil && last != nil ? .never : .unknown
  }

  /// Returns whether the live release is that of a pending purge, or follows it.
  private mutating func isPublished(
    _ file: PurgeFile, manifest: PurgeManifest?, isOnly: Bool
  ) throws -> Bool {
    guard let release = try release(of: file, manifest: manifest) else { return false }
    var chain = try past.chain()
    while let record = try warning({ _ in try chain.next() }) ?? nil {
      if record.digest.hex.hasPrefix(file.record ?? "") { return true }
      if record.number <= release { return false }
    }
    // A record since the purge is damaged or gone. The purge is forgotten only if another one took its
    // number, its release's record is there, and no other one follows it.
    guard let manifest, !isOnly else { return true }
    return try manifest.hasBeenLive(at: past, isConfigGone: isConfigGone)
      || self.release(of: file, manifest: nil) == nil
  }
}

extension ChannelPlace {
  /// Returns whether the live release shows older content than an earlier release, after a rollback.
  ///
  /// - Throws: `DeliveryError` if a record cannot be read; `TargetError`.
  package func isRolledBack() throws -> Bool {
    var chain = try chain()
    var shown = try chain.next()
    // A purge after a rollback has content of its own, but does not end the rollback.
    while let record = shown, record.contentRelease == record.number, record.purgeOrder != nil {
      shown = try chain.next()
    }
    guard let live = shown else { return false }
    while let record = try chain.next(), record.number > live.contentRelease {
      if record.contentRelease != live.contentRelease { return true }
    }
    return false
  }
}
