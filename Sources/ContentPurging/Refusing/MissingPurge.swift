import ContentModel
package import ContentReleases
import ContentTargets
import Hashing

/// A purge that was live and whose note `begun` the target lacks or has with other bytes: nothing tells
/// what the purge removed.
package struct MissingPurge: Sendable {
  /// The folder of the purge, whose number is a guess if the target has no file of it.
  let folder: PurgeFolder
  /// The SHA-256 of `begun`; `nil` if neither config nor a later purge names it.
  let hash: Digest?

  package var number: Int { folder.number }

  /// The word for `--unpurge`, which accepts that the purge is lost.
  var word: String { "\(Self.prefix)\(number)" }

  /// The beginning of such a word.
  static let prefix = "purge-"
}

// MARK: Missing files

extension PurgeList {
  /// Returns the missing purges whose loss was not accepted, in order.
  ///
  /// Unless the list `readsAll` purges, it looks only for the one that config names, by the names of files.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func missing(readingAll readsAll: Bool = true) throws -> [MissingPurge] {
    try lacking(readingAll: readsAll).filter { try !isAccepted($0) }
  }

  /// Returns all missing purges, in order.
  private func lacking(readingAll readsAll: Bool) throws -> [MissingPurge] {
    guard readsAll else {
      guard let last = live?.list, !hasBegun(last) else { return [] }
      return [missing(last, before: configNumber + 1, after: 0)]
    }
    let known = try readAll()
    let present = Set(known.compactMap(\.hash))
    var named = known.compactMap { purge in
      purge.begun.previous.map { (hash: $0, number: purge.begun.number) }
    }
    if let last = live?.list { named.append((last, configNumber + 1)) }
    var seen = present
    let lost = named.filter { seen.insert($0.hash).inserted }.map { hash, number in
      let before = known.last { $0.begun.number < number }?.begun.number ?? 0
      return missing(hash, before: number, after: before)
    }
    // Config may have been restored, or an earlier version has published since.
    let folders = Set((known.map(\.listed.folder) + lost.map(\.folder)))
    let unnamed = purges.filter { $0.state != .void && !folders.contains($0.folder) }
    return (lost + unnamed.map { MissingPurge(folder: $0.folder, hash: nil) }).sorted {
      $0.folder < $1.folder
    }
  }

  private func hasBegun(_ hash: Digest) -> Bool {
    purges.contains { $0.folder.digits == hash.shortHex && $0.notes.contains(.begun) }
  }

  /// Creates a missing purge whose number is between two others.
  private func missing(_ hash: Digest, before next: Int, after last: Int) -> MissingPurge {
    let folder = purges.first { $0.folder.digits == hash.shortHex }?.folder
    let number =
      folder?.number ?? (hash == live?.list ? configNumber : nil)
      ?? finals.last { (last + 1..<max(next, last + 1)).contains($0) } ?? next - 1
    return MissingPurge(folder: PurgeFolder(number: max(number, 1), of: hash), hash: hash)
  }

  /// Returns whether a publisher accepted that a purge is lost.
  ///
  /// In a signed channel, only a signed config says so.
  private func isAccepted(_ purge: MissingPurge) throws -> Bool {
    guard let hash = purge.hash else { return false }
    if live?.lost.contains(hash) ?? false { return true }
    let noted = purges.filter { $0.folder.digits == hash.shortHex && $0.notes.contains(.lost) }
    return try noted.contains { listed in
      guard let note: LostNote = try place.read(.lost, in: listed.folder) else { return false }
      guard let signing = place.signing else { return true }
      // After a recovery, a key that it removed proves nothing.
      let config = note.config.flatMap { signing.proven($0, of: place, purge: .max) }
      return config?["purge"]?.lost.contains(hash) ?? false
    }
  }

  // MARK: Messages

  /// Returns the error of a command that some missing purges refuse; at least one.
  package func error(on missing: [MissingPurge]) -> DeliveryError {
    DeliveryError(
      .refused, sentence(on: missing),
      notes: ["nothing was changed; put the file of a backup back", acceptance(of: missing)])
  }

  /// Returns the problem as a sentence.
  package func sentence(on missing: [MissingPurge]) -> String {
    let files = missing.map { PurgeName.note(.begun, in: $0.folder).key(in: place.channel) }
    let others =
      switch files.count {
      case ...1: "is"
      case 2: "and another file are"
      case let count: "and \(count - 1) other files are"
      }
    return
      "\(place.location(of: files.first ?? "")) \(others) missing or damaged, so nothing refuses what "
      + "\(missing.map(\.number).purgeNames) removed"
  }

  /// Returns the command that accepts the loss, as a sentence.
  package func acceptance(of missing: [MissingPurge]) -> String {
    // Config can name a lost purge only by the hash of its `begun`.
    let removals = missing.filter { $0.hash == nil }.map { purge in
      "remove the folder \(place.location(of: PurgeName.folder(of: place.channel) + purge.folder.name))"
    }
    let flags = missing.filter { $0.hash != nil }.map { " --unpurge \($0.word)" }.joined()
    let commands = flags.isEmpty ? [] : ["contentc publish \(place.channel)\(flags)"]
    return "if there is none, accept the loss: "
      + (removals + commands).joined(separator: ", then: ")
  }

  // MARK: Publishers

  /// Refuses missing purges, except those whose loss a draft accepts; returns the draft that says so.
  ///
  /// A draft that `isUnchanged` brings no content, so that only names are looked at.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  func refuseMissing(by draft: Draft, isUnchanged: Bool) throws -> Draft {
    let acceptsLosses = draft.readmitted.contains { $0.hasPrefix(MissingPurge.prefix) }
    let missing = try missing(readingAll: !isUnchanged || acceptsLosses)
    let refused = missing.filter { $0.hash == nil || !draft.readmitted.contains($0.word) }
    if !refused.isEmpty { throw error(on: refused) }
    if missing.isEmpty { return draft }
    var draft = draft
    draft.lost = missing.compactMap(\.hash)
    draft.notes = Draft.Notes(
      ["the loss of \(missing.map(\.number).purgeNames) is accepted, and noted"]
    ) { [place] _ in
      { live in try place.noteLosses(acceptedBy: live) }
    }
    return draft
  }

  /// Refuses missing purges for a command that publishes nothing.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package func refuseMissing() throws {
    let missing = try missing()
    if !missing.isEmpty { throw error(on: missing) }
  }

  fileprivate func noteLosses() throws {
    guard let live else { return }
    for purge in try lacking(readingAll: true) where purge.hash.map(live.lost.contains) ?? false {
      var listed = purges.first { $0.folder == purge.folder } ?? ListedPurge(purge.folder)
      if listed.notes.contains(.lost) { continue }
      let note = LostNote(
        issued: live.issued ?? Instant(secondsSince1970: 0), by: live.record.by,
        release: live.number, config: place.signing == nil ? nil : live.bytes)
      try place.put(.lost, note.file, of: &listed)
    }
  }
}

extension ChannelPlace {
  /// Notes the losses that the live release accepts, unless they are noted already.
  ///
  /// Config says so, too. The note remains after an earlier version of contentc has dropped that.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func noteLosses(acceptedBy live: LiveRelease) throws {
    if live.lost.isEmpty { return }
    try PurgeList(self, live: live).noteLosses()
  }
}
