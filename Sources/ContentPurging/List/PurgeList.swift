package import ContentModel
package import ContentReleases
import ContentTargets
import Synchronization
import System

/// The purges of a channel, as the files below `<channel>/purges/` tell them.
///
/// | file | is created |
/// |---|---|
/// | `<n>.plist` | when a purge takes the number n |
/// | `<n>-<hash>/begun` | before config names it and the purge's release becomes live |
/// | `<n>-<hash>/live` | once config was read back from the target |
/// | `<n>-<hash>/copies-<hash>` | before the objects in it are removed |
/// | `<n>-<hash>/cache-<name>-<hash>` | once a cache has forgotten config and these objects |
/// | `<n>-<hash>/done-<hash>` | once every step was seen to be done |
/// | `<n>-<hash>/lost` | once a publisher accepted that `begun` is gone |
///
/// No file is ever changed, and `PurgeState` follows from their names. A list is a snapshot: it lists
/// the folder once, and reads unfinished purges, what decides about purges without `live`, and some
/// manifests of format 1.
package struct PurgeList: Sendable {
  package let place: ChannelPlace
  /// The live release for which the folder was listed; `nil` without config.
  package let live: LiveRelease?
  /// The purges in order, without those of `finals`.
  package private(set) var purges: [ListedPurge] = []
  /// The unfinished purges, in order.
  private var left: [KnownPurge] = []
  /// Warnings about files that are foreign, damaged or of a newer version, as sentences.
  package private(set) var warnings: [String] = []
  /// The numbers that config follows and that only a file `<n>.plist` has: of a finished purge of
  /// format 1, or of a purge that never began.
  private(set) var finals: [Int] = []
  /// The highest number that a file has.
  private var highest = 0
  private let memory: PurgeMemory

  /// Lists the purges of a channel, and decides on each of them.
  ///
  /// The order of the decisions:
  ///
  /// 1. The names of its notes tell whether it was live and is finished.
  /// 2. Without `live`, config and later purges tell whether readers got it; otherwise it is void.
  /// 3. In a signed channel, a purge that no signature proves counts as void.
  /// 4. A purge that was live is missed if config does not follow it.
  ///
  /// A list after an `earlier` one does not read the same purges again.
  ///
  /// - Throws: `TargetError`.
  package init(_ place: ChannelPlace, live: LiveRelease?, after earlier: Self? = nil) throws {
    (self.place, self.live) = (place, live)
    memory = earlier?.memory ?? PurgeMemory()
    var listed: [PurgeFolder: ListedPurge] = [:]
    let manifests = try listFolder(into: &listed)
    for manifest in try readManifests(manifests) {
      let folder = PurgeFolder(number: manifest.begun.number, of: manifest.begun.record)
      listed[folder, default: ListedPurge(folder)].add(manifest)
    }
    purges = listed.values.sorted { $0.folder < $1.folder }
    try searchHistory()
    let lost = place.signing == nil ? [] : try requireProofs()
    try markMissed()
    warnings += lost.map { sentence(on: $0.purge, lacking: $0.hash) }
    left = try purges.filter { $0.state == .unfinished }.compactMap { purge in
      try warning { try $0.requiredPurge(purge) } ?? nil
    }
  }

  // MARK: Reading

  /// The unfinished purges that config follows, in order.
  package var unfinished: [KnownPurge] { left.filter { !$0.listed.isMissed } }

  /// The purges that were live and that config does not follow, in order; see `RestoredConfig`.
  var missed: [ListedPurge] { purges.filter(\.isMissed) }

  /// The unfinished purges that config does not follow, in order.
  package var missedUnfinished: [KnownPurge] { left.filter(\.listed.isMissed) }

  /// `true` if the channel has no purges, or only proven ones that are void.
  package var isEmpty: Bool {
    finals.isEmpty && purges.allSatisfy { $0.state == .void && $0.isProven }
  }

  /// Reads the purges that are not void, in order; damaged files are left out.
  ///
  /// In a signed channel, they include those that no signature proves: to refuse or to send a little too
  /// much does no harm. After a recovery, purges above the recovery's need a proof: the thief of a key
  /// may have written them.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func readAll() throws -> [KnownPurge] {
    let lastTrustedUnproven = place.signing?.lastRecoveredPurge ?? .max
    let listed = try purges.filter {
      $0.state != .void || !$0.isProven && $0.folder.number <= lastTrustedUnproven
    }.mapOverlapped { try read($0) }
    let old = try finals.map(PurgeName.number).mapOverlapped { name in
      try memory.known(name) {
        try OldManifest.read(name, at: place).map { ($0.begun, hash: nil) }
      }.map { begun, _ in
        var listed = ListedPurge(PurgeFolder(number: begun.number, of: begun.record))
        listed.add(OldManifest(begun: begun, isLive: true, isFinal: true))
        return KnownPurge(listed: listed, begun: begun)
      }
    }
    return (listed + old).compactMap(\.self).sorted { $0.listed.folder < $1.listed.folder }
  }

  /// Returns the hashes of the objects that purges have removed, or are to remove.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func removedObjects() throws -> Set<Digest> {
    Set(try readAll().mapOverlapped { try place.objects(of: $0) }.joined().map(\.digest))
  }

  /// Returns the number of the next purge, above those of config, of every listed file, and of this
  /// machine's memory.
  ///
  /// - Throws: `DeliveryError` if no number is left.
  package func nextNumber() throws -> Int {
    try SerialNumber.next(
      after: max(configNumber, highest, place.lastPurge), of: "purge.sequence",
      at: place.location(of: place.configKey(live?.format ?? .binary)))
  }

  /// The number of config's purge; 0 without one.
  var configNumber: Int { max(live?.purge?["sequence"]?.number ?? 0, 0) }

  /// The number after which config does not follow the channel's purges: config's, unless a purge went
  /// live after config was restored from a backup.
  ///
  /// For example, config of purge 5 was put back after purge 7: then 5 is followed, and 6 and 7 are
  /// missed. A purge in this state gets the number 8, and config says `missedAfter` 5. So 5 is still
  /// followed; 8 is above it, but not missed, because config names it.
  var followed: Int {
    min(max(live?.purge?["missedAfter"]?.number ?? configNumber, 0), configNumber)
  }

  /// Returns whether a purge that was live may be one that config does not follow, judged by its number.
  ///
  /// A config that names no purge counts as one that follows every purge of its own number.
  private func mayBeMissed(_ purge: ListedPurge) -> Bool {
    let (number, isNamed) = (purge.folder.number, live?.lastBegun != nil)
    return purge.state != .void && (number > followed || number == followed && isNamed)
  }

  /// Returns whether config names a purge as the last one.
  private func isLast(_ purge: ListedPurge) -> Bool {
    purge.folder.number == configNumber && purge.folder.digits == live?.lastBegun?.shortHex
  }

  /// Marks the purges that config does not follow.
  private mutating func markMissed() throws {
    let later = purges.filter(mayBeMissed)
    // Those since config was restored.
    var since: Set<PurgeFolder> = []
    var next = live?.lastBegun?.shortHex
    while let purge = later.first(where: { $0.folder.digits == next }) {
      since.insert(purge.folder)
      // Config usually follows all purges, and a list reads no finished one.
      if since.count == later.count { return }
      next = try warning { try $0.read(purge)?.begun.previous?.shortHex } ?? nil
    }
    for index in purges.indices where mayBeMissed(purges[index]) {
      purges[index].isMissed = !since.contains(purges[index].folder)
    }
  }

  // MARK: Steps of the list

  /// Adds the notes in the folder, and returns the names of the manifests that decide about a purge.
  private mutating func listFolder(
    into listed: inout [PurgeFolder: ListedPurge]
  ) throws -> [PurgeName] {
    let reach = max(
      configNumber, min(configNumber + ChannelPlace.numbersAhead, SerialNumber.highest - 1))
    let path = PurgeName.folder(of: place.channel)
    var (numbers, pending, foreign) = ([Int](), [PurgeName](), [String]())
    for key in try place.target.names(below: path) {
      guard let name = PurgeName(key.utf8.dropFirst(path.utf8.count)), name.number <= reach else {
        foreign.append(key)
        continue
      }
      highest = max(highest, name.number)
      switch name {
      case .number(let number): numbers.append(number)
      case .pendingManifest: pending.append(name)
      case .note(let note, let folder):
        listed[folder, default: ListedPurge(folder)].add(note)
      }
    }
    if let first = foreign.first {
      let others =
        foreign.count == 1
        ? "is no file of contentc; it was"
        : "and \(foreign.count - 1) other files are not of contentc; they were"
      warnings.append("\(place.location(of: first)) \(others) left alone")
    }
    let numbersWithBegun = Set(
      listed.values.filter { $0.notes.contains(.begun) }.map(\.folder.number))
    let incomplete = Set(pending.map(\.number)).union(
      listed.values.filter { !$0.notes.contains(.begun) }.map(\.folder.number))
    var manifests = pending
    for number in numbers where !numbersWithBegun.contains(number) {
      // An incomplete purge of format 1 may have its final manifest there. A finished purge that config
      // does not follow tells that config was restored from a backup.
      if incomplete.contains(number) || number > followed {
        manifests.append(.number(number))
      } else {
        finals.append(number)
      }
    }
    return manifests
  }

  private mutating func readManifests(_ names: [PurgeName]) throws -> [OldManifest] {
    let results = names.mapOverlapped { [place] name in
      Result { try OldManifest.read(name, at: place) }
    }
    return try results.compactMap { result in try warning { _ in try result.get() } ?? nil }
  }

  /// Finds the purges whose command ended after the swap of config and before the note `live`.
  ///
  /// Config names the `begun` of the last purge that readers got, and each `begun` names the one
  /// before. Thus the purge after it decides about a purge without `live`.
  private mutating func searchHistory() throws {
    var next: ListedPurge?
    for index in purges.indices.reversed() where purges[index].folder.number <= configNumber {
      let purge = purges[index]
      if purge.state == .void {
        let isInHistory = try warning { try $0.isInHistory(purge, before: next) }
        purges[index].isInHistory = isInHistory ?? false
      }
      if purges[index].state != .void { next = purges[index] }
    }
  }

  private func isInHistory(_ purge: ListedPurge, before next: ListedPurge?) throws -> Bool {
    let (number, digits) = (purge.folder.number, purge.folder.digits)
    if isLast(purge) { return true }
    // Readers got config with one purge of each number.
    if purges.contains(where: { $0.folder.number == number && $0.state != .void }) { return false }
    let previous = try next.map { try read($0)?.begun.previous } ?? live?.lastBegun
    if let previous { return previous.shortHex == digits }
    // contentc with format 1 published in between.
    guard let begun = try read(purge)?.begun else { return false }
    return try wasLive(begun.record, of: begun.release)
  }

  /// Returns whether a release is live or was live before the live one; `true` if records that would
  /// tell are gone.
  private func wasLive(_ record: Digest, of release: Int) throws -> Bool {
    if record == live?.record.digest { return true }
    guard try place.isFollowed(record, number: release) else { return false }
    var chain = try place.chain()
    do {
      while let earlier = try chain.next() {
        if earlier.number <= release { return earlier.digest == record }
      }
    } catch is DeliveryError {
      // A damaged record tells nothing.
    }
    return true
  }

  /// Treats purges that no signature proves as void, because whoever writes to the bucket can write
  /// notes.
  ///
  /// The signed config names the `begun` of the last purge that readers got, and each `begun` names
  /// the `begun` of the purge before. The note `live` has the signed config of its purge. The
  /// record of a release proves a manifest of format 1. Nothing proves that a purge is finished.
  ///
  /// - Returns: The unfinished purges that a proven file names and whose `begun` is lost.
  private mutating func requireProofs() throws -> [(purge: ListedPurge, hash: Digest)] {
    var proven = live?.lastBegun
    var lost: [(purge: ListedPurge, hash: Digest)] = []
    for index in purges.indices.reversed()
    where purges[index].state == .unfinished
      || mayBeMissed(purges[index]) && !isLast(purges[index])
    {
      let (purge, folder) = (purges[index], purges[index].folder)
      let isProven = try warning { list in
        while let digest = proven, let begun = try list.provenBegun(digest),
          begun.number > folder.number
        {
          proven = begun.previous
        }
        return try list.isNamed(list.purges[index], by: proven)
          || list.isProven(list.purges[index])
      }
      purges[index].isProven = isProven ?? false
      if purges[index].isProven { continue }
      let hash = try warning { try $0.hashOfLostBegun(of: purge) } ?? nil
      if let hash, purge.state == .unfinished {
        if !purge.notes.contains(.lost) { lost.append((purge, hash)) }
      } else {
        warnings.append(
          "purge \(folder.number) at \(place.target.name) is not proven by a signature, so its steps are not taken; run the "
            + "same purge again if readers see its content")
      }
    }
    return lost
  }

  private func isNamed(_ purge: ListedPurge, by digest: Digest?) throws -> Bool {
    guard let digest, digest.shortHex == purge.folder.digits else { return false }
    return try provenBegun(digest)?.number == purge.folder.number
  }

  /// Returns the `begun` with a hash; `nil` without it.
  private func provenBegun(_ digest: Digest) throws -> Begun? {
    guard let purge = purges.first(where: { $0.folder.digits == digest.shortHex }),
      let known = try read(purge), known.hash == digest
    else { return nil }
    return known.begun
  }

  /// Returns whether the note `live`, or the record of its release, proves a purge.
  private func isProven(_ purge: ListedPurge) throws -> Bool {
    guard let known = try read(purge) else { return false }
    guard let hash = known.hash else { return try place.recordProves(known.begun) }
    let note: LiveNote? = try place.read(.live, in: purge.folder)
    guard let config = note?.config else { return false }
    let signed = place.signing?.proven(config, of: place, purge: known.begun.number)
    return signed?["purge"]?["list"]?.digest == hash
  }

  /// Does work about a file; turns a `DeliveryError` into a warning, and returns `nil` then.
  private mutating func warning<Result>(_ work: (inout Self) throws -> Result) throws -> Result? {
    do { return try work(&self) } catch let error as DeliveryError {
      if !warnings.contains(where: "\(error)".hasSameBytes) { warnings.append("\(error)") }
      return nil
    }
  }

  // MARK: Files

  /// Reads a purge; `nil` if its `begun` is gone, damaged, or of another channel.
  func read(_ purge: ListedPurge) throws -> KnownPurge? {
    let name = PurgeName.note(.begun, in: purge.folder)
    let known =
      try purge.manifest.map { ($0.begun, hash: nil) }
      ?? memory.known(name) { try place.readBegun(in: purge.folder).map { ($0.begun, $0.hash) } }
    guard let (begun, hash) = known, begun.number == purge.folder.number, begun.app == place.app,
      begun.channel == place.channel
    else { return nil }
    return KnownPurge(listed: purge, begun: begun, hash: hash)
  }

  /// Reads an unfinished purge; `nil` if its loss was accepted while a damaged `begun` stayed.
  private func requiredPurge(_ purge: ListedPurge) throws -> KnownPurge? {
    if let known = try read(purge) { return known }
    if purge.notes.contains(.lost) { return nil }
    throw DeliveryError(.missing, sentence(on: purge, lacking: try hashOfLostBegun(of: purge)))
  }

  /// Returns the problem of an unfinished purge whose `begun` is lost, as a sentence.
  ///
  /// If config was restored from a backup, only the command that ends this state can accept the
  /// loss. `RestoredConfig` derives that command from the missed purges, so `init` marks them
  /// first.
  private func sentence(on purge: ListedPurge, lacking hash: Digest?) -> String {
    let command = (try? RestoredConfig(self))?.command
    let key = PurgeName.note(.begun, in: purge.folder).key(in: place.channel)
    return
      "\(place.location(of: key)) is missing or damaged, so the remaining steps of purge \(purge.folder.number) are "
      + "unknown: readers got its release, but the files that it was to remove may still be public; put the file of "
      + "a backup back, then: contentc purge \(place.channel); "
      + acceptance(of: [LostPurge(folder: purge.folder, hash: hash)], by: command)
  }

  /// Returns the hash by which config or a later, proven purge names a `begun` that cannot be read; `nil`
  /// if neither does, or if it can be read.
  private func hashOfLostBegun(of purge: ListedPurge) throws -> Digest? {
    if try read(purge) != nil { return nil }
    if isLast(purge) { return live?.lastBegun }
    for later in purges where purge.folder < later.folder && later.isProven {
      let previous = try read(later)?.begun.previous
      if previous?.shortHex == purge.folder.digits { return previous }
    }
    return nil
  }
}

/// What was read of purges: the note `begun` and a final manifest never change.
///
/// A class, since a list shares it with the lists after it.
private final class PurgeMemory: Sendable {
  /// The work of a purge, and the hash of its note `begun`; no hash for a manifest of format 1.
  typealias Known = (begun: Begun, hash: Digest?)

  private let known = Mutex<[PurgeName: Known]>([:])

  func known(_ name: PurgeName, reading read: () throws -> Known?) throws -> Known? {
    if let known = known.withLock({ $0[name] }) { return known }
    let found = try read()
    known.withLock { $0[name] = found }
    return found
  }
}
