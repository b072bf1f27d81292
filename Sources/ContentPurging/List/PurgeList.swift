import ContentModel
package import ContentReleases
import ContentTargets
import Parallel
import Synchronization

/// The purges of a channel, as the files below `<channel>/purges/` tell them.
///
/// | file | is created |
/// |---|---|
/// | `<n>.plist` | when a purge takes the number n |
/// | `<n>-<hash>/begun` | before config names it and the purge's release becomes live |
/// | `<n>-<hash>/live` | once config was read back from the target |
/// | `<n>-<hash>/copies-<hash>` | before the objects in it are removed |
/// | `<n>-<hash>/cache-<name>-<hash>` | once a cache has forgotten config and these objects |
/// | `<n>-<hash>/done-<hash>` | once every step is proven |
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
  package private(set) var unfinished: [KnownPurge] = []
  /// Warnings about files that are foreign, damaged or of a newer version, as sentences.
  package private(set) var warnings: [String] = []
  /// The numbers up to config's that only a file `<n>.plist` has: of a finished purge of format 1, or
  /// of a purge that never began.
  private var finals: [Int] = []
  /// The highest number that a file has.
  private var highest = 0
  private let memory: PurgeMemory

  /// The largest lead of a number over config's: a file beyond it is foreign.
  private static let numbersAhead = 1_000_000

  /// Lists the purges of a channel.
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
    for purge in purges where purge.state == .unfinished {
      if let known = try warning({ try $0.requiredPurge(purge) }) { unfinished.append(known) }
    }
  }

  // MARK: Reading

  /// Reads the purges that are not void, in order; damaged files are left out.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func readAll() throws -> [KnownPurge] {
    let listed = try purges.filter { $0.state != .void }.mapOverlapped { try read($0) }
    let old = try finals.map(PurgeName.number).mapOverlapped { name in
      try memory.begun(name) { try OldManifest.read(name, at: place)?.begun }.map { begun in
        var listed = ListedPurge(PurgeFolder(number: begun.number, of: begun.record))
        listed.add(OldManifest(begun: begun, isLive: true, isFinal: true))
        return KnownPurge(listed: listed, begun: begun)
      }
    }
    return (listed + old).compactMap(\.self).sorted { $0.listed.folder < $1.listed.folder }
  }

  /// Reads the objects that a purge removes: those of `begun` and of its `copies-` notes, without the
  /// objects that stay, as its `done-` note says.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version; `TargetError`.
  package func objects(of purge: KnownPurge) throws -> [ReleaseObject] {
    let (folder, copies) = (purge.listed.folder, purge.listed.notes.copies)
    if copies.isEmpty { return purge.begun.objects }
    let found = try copies.mapOverlapped { try read($0, in: folder) as CopiesNote? }
    let done: DoneNote? =
      purge.listed.state == .finished ? try read(.done(naming: copies), in: folder) : nil
    var left = Set(done?.kept ?? [])
    return (purge.begun.objects + found.compactMap(\.self).flatMap(\.objects)).filter {
      left.insert($0.digest).inserted
    }
  }

  /// Returns the number of the next purge, above those of config, of every listed file, and of this
  /// machine's memory.
  ///
  /// - Throws: `DeliveryError` if no number is left.
  package func nextNumber() throws -> Int {
    try SerialNumber.next(
      after: max(configNumber, highest, place.signing?.lastPurge ?? 0), of: "purge.sequence",
      at: place.location(of: place.configKey(live?.format ?? .binary)))
  }

  /// The number of config's purge; 0 without one.
  private var configNumber: Int { max(live?.purge?["sequence"]?.number ?? 0, 0) }

  /// The hash of the `begun` that config names; `nil` if it names none.
  private var configList: Digest? { live?.purge?["list"]?.digest }

  // MARK: Steps of the list

  /// Adds the notes in the folder, and returns the names of the manifests that decide about a purge.
  private mutating func listFolder(
    into listed: inout [PurgeFolder: ListedPurge]
  ) throws -> [PurgeName] {
    let reach = max(
      configNumber, min(configNumber + Self.numbersAhead, SerialNumber.highest - 1))
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
    let begun = Set(listed.values.filter { $0.notes.contains(.begun) }.map(\.folder.number))
    let incomplete = Set(pending.map(\.number)).union(
      listed.values.filter { !$0.notes.contains(.begun) }.map(\.folder.number))
    var manifests = pending
    for number in numbers where !begun.contains(number) {
      // A finished purge above config's number tells that config was restored from a backup.
      if incomplete.contains(number) || number > configNumber {
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
    if configList?.shortHex == digits { return true }
    // Readers got config with one purge of each number.
    if purges.contains(where: { $0.folder.number == number && $0.state != .void }) { return false }
    let previous = try next.map { try read($0)?.begun.previous } ?? configList
    if let previous { return previous.shortHex == digits }
    // contentc with format 1 published in between.
    guard let begun = try read(purge)?.begun else { return false }
    return try isInHistory(begun.record, of: begun.release)
  }

  /// Returns whether a release is live or was live before the live one; `true` if records that would
  /// tell are gone.
  private func isInHistory(_ record: Digest, of release: Int) throws -> Bool {
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

  /// Does work about a file; turns a `DeliveryError` into a warning, and returns `nil` then.
  private mutating func warning<Result>(_ work: (inout Self) throws -> Result) throws -> Result? {
    do { return try work(&self) } catch let error as DeliveryError {
      if !warnings.contains("\(error)") { warnings.append("\(error)") }
      return nil
    }
  }

  // MARK: Files

  /// Reads a purge; `nil` if its `begun` is gone, damaged, or of another channel.
  private func read(_ purge: ListedPurge) throws -> KnownPurge? {
    let name = PurgeName.note(.begun, in: purge.folder)
    let begun =
      try purge.manifest?.begun ?? memory.begun(name) { try read(.begun, in: purge.folder) }
    guard let begun, begun.number == purge.folder.number, begun.app == place.app,
      begun.channel == place.channel
    else { return nil }
    return KnownPurge(listed: purge, begun: begun)
  }

  private func requiredPurge(_ purge: ListedPurge) throws -> KnownPurge {
    if let known = try read(purge) { return known }
    let key = PurgeName.note(.begun, in: purge.folder).key(in: place.channel)
    throw DeliveryError(
      .missing,
      "\(place.location(of: key)) is missing or damaged, so the remaining steps of purge \(purge.folder.number) are "
        + "unknown; put the file of a backup back, or run that purge again")
  }

  /// Reads a note; `nil` if it is gone or damaged.
  private func read<Content: NoteContent>(
    _ note: PurgeNote, in folder: PurgeFolder
  ) throws -> Content? {
    let key = PurgeName.note(note, in: folder).key(in: place.channel)
    guard let stored = try place.target.readAny(key), note.fits(stored.bytes, in: folder) else {
      return nil
    }
    return try Content.read(stored.bytes, at: place.location(of: key))
  }
}

/// What was read of purges: the note `begun` and a final manifest never change.
///
/// A class, since a list shares it with the lists after it.
private final class PurgeMemory: Sendable {
  private let known = Mutex<[PurgeName: Begun]>([:])

  func begun(_ name: PurgeName, reading read: () throws -> Begun?) throws -> Begun? {
    if let begun = known.withLock({ $0[name] }) { return begun }
    let begun = try read()
    known.withLock { $0[name] = begun }
    return begun
  }
}
