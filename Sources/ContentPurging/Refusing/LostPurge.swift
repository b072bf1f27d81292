import ContentModel
package import ContentReleases
import ContentTargets

/// A purge that was live and whose note `begun` the target lacks or has with other bytes: nothing tells
/// what the purge removed.
package struct LostPurge: Sendable {
  /// The folder of the purge, whose number is a guess if the target has no file of it.
  let folder: PurgeFolder
  /// The SHA-256 of `begun`; `nil` if neither config nor a later purge names it.
  let hash: Digest?
  /// `true` if the purge before this one may be lost, too: only `begun` tells whether there was one.
  var mayFollowLoss = false

  package var number: Int { folder.number }

  /// The word for `--unpurge`, which accepts that the purge is lost.
  var word: String { "\(Self.prefix)\(number)" }

  /// The beginning of such a word.
  static let prefix = "purge-"
}

// MARK: Missing files

extension PurgeList {
  /// Returns the lost purges whose loss was not accepted, in order.
  ///
  /// Unless the list `readsAll` purges, it looks only for the one that config names, by the names of files.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func lost(readingAll readsAll: Bool = true) throws -> [LostPurge] {
    try allLost(readingAll: readsAll).filter { try !isAccepted($0) }
  }

  /// Returns all lost purges, also those whose loss was accepted, in order.
  private func allLost(readingAll readsAll: Bool) throws -> [LostPurge] {
    guard readsAll else {
      guard let last = live?.lastBegun, !hasBegun(last) else { return [] }
      let lost = guessed(last, before: configNumber + 1, after: 0)
      // A number without other files may be that of a finished purge of format 1, which was not read.
      return [comparing(lost, with: purges.map(\.folder.number) + finals)]
    }
    let known = try readAll()
    let present = Set(known.compactMap(\.hash))
    var named = known.compactMap { purge in
      purge.begun.previous.map { (hash: $0, number: purge.begun.number) }
    }
    if let last = live?.lastBegun { named.append((last, configNumber + 1)) }
    var seen = present
    let lost = named.filter { seen.insert($0.hash).inserted }.map { hash, number in
      let before = known.last { $0.begun.number < number }?.begun.number ?? 0
      return guessed(hash, before: number, after: before)
    }
    // Config may have been restored, or an earlier version has published since.
    let folders = Set((known.map(\.listed.folder) + lost.map(\.folder)))
    let unnamed = purges.filter { $0.state != .void && !folders.contains($0.folder) }
    let told = known.map(\.begun.number) + purges.map(\.folder.number)
    let unnamedLost = unnamed.map { LostPurge(folder: $0.folder, hash: nil) }
    return (lost.map { comparing($0, with: told) } + unnamedLost).sorted { $0.folder < $1.folder }
  }

  /// Returns a lost purge that says whether the purge before it may be lost, too: not if files have its
  /// number.
  private func comparing(_ purge: LostPurge, with numbers: [Int]) -> LostPurge {
    var purge = purge
    purge.mayFollowLoss = purge.number > 1 && !numbers.contains(purge.number - 1)
    return purge
  }

  private func hasBegun(_ hash: Digest) -> Bool {
    purges.contains { $0.folder.digits == hash.shortHex && $0.notes.contains(.begun) }
  }

  /// Creates a lost purge whose number is between two others.
  private func guessed(_ hash: Digest, before next: Int, after last: Int) -> LostPurge {
    let folder = purges.first { $0.folder.digits == hash.shortHex }?.folder
    let number =
      folder?.number ?? (hash == live?.lastBegun ? configNumber : nil)
      ?? finals.filter { (last + 1..<max(next, last + 1)).contains($0) }.max() ?? next - 1
    return LostPurge(folder: PurgeFolder(number: max(number, 1), of: hash), hash: hash)
  }

  /// Returns whether a publisher accepted that a purge is lost.
  ///
  /// In a signed channel, only a signed config says so.
  private func isAccepted(_ purge: LostPurge) throws -> Bool {
    let digits = purge.folder.digits
    func isNamed(in losses: [Digest]) -> Bool { losses.contains { $0.shortHex == digits } }
    if isNamed(in: live?.acceptedLosses ?? []) { return true }
    let noted = purges.filter { $0.folder.digits == digits && $0.notes.contains(.lost) }
    return try noted.contains { listed in
      guard let note: LostNote = try place.read(.lost, in: listed.folder) else { return false }
      guard let signing = place.signing else { return true }
      // After a recovery, a key that it removed proves nothing.
      let config = note.config.flatMap { signing.proven($0, of: place, purge: .max) }
      return isNamed(in: config?["purge"]?.acceptedLosses ?? [])
    }
  }

  // MARK: Messages

  /// Returns the error of a command that some lost purges refuse; at least one.
  private func error(on lost: [LostPurge], acceptedBy command: String? = nil) -> DeliveryError {
    DeliveryError(
      .refused, sentence(on: lost),
      notes: ["nothing was changed; put the file of a backup back"]
        + notes(on: lost, acceptedBy: command))
  }

  /// Returns what else may be lost, and what accepts the loss, as sentences; `command` is `publish` by
  /// default.
  package func notes(on lost: [LostPurge], acceptedBy command: String? = nil) -> [String] {
    let others = lost.filter(\.mayFollowLoss).map { purge in
      "purge \(purge.number - 1) may be lost, too, if there was one: look for it in "
        + "'contentc history \(place.channel) --limit 1000'"
    }
    return others + [acceptance(of: lost, by: command)]
  }

  /// Returns the problem as a sentence.
  package func sentence(on lost: [LostPurge]) -> String {
    let files = lost.map { PurgeName.note(.begun, in: $0.folder).key(in: place.channel) }
    let others =
      switch files.count {
      case ...1: "is"
      case 2: "and another file are"
      case let count: "and \(count - 1) other files are"
      }
    return
      "\(place.location(of: files.first ?? "")) \(others) missing or damaged, so nothing refuses what "
      + "\(lost.map(\.number).purgeNames) removed"
  }

  /// Returns what accepts the loss, as a sentence: a command, or `publish`.
  func acceptance(of lost: [LostPurge], by command: String? = nil) -> String {
    // Config accepts a loss by the hash of `begun`. Without that hash, people must remove the folder.
    let removals = lost.filter { $0.hash == nil }.map { purge in
      "remove the folder \(place.location(of: PurgeName.folder(of: place.channel) + purge.folder.name))"
    }
    let flags = lost.filter { $0.hash != nil }.map { " --unpurge \($0.word)" }.joined()
    let command = command ?? "contentc publish \(place.channel)"
    let commands = flags.isEmpty ? [] : ["\(command)\(flags)"]
    return "if there is none, remove that content from the content folder, and accept the loss: "
      + (removals + commands).joined(separator: ", then: ")
  }

  // MARK: Publishers

  /// Refuses lost purges, except those whose loss a draft accepts; returns the draft that says so.
  ///
  /// A draft that `isUnchanged` brings no content, so that only names are looked at.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  func refuseLost(by draft: Draft, isUnchanged: Bool) throws -> Draft {
    let acceptsLosses = draft.readmitted.contains { $0.hasBytePrefix(LostPurge.prefix) }
    let lost = try lost(readingAll: !isUnchanged || acceptsLosses)
    let refused = lost.filter { $0.hash == nil || !draft.readmitted.contains($0.word) }
    if !refused.isEmpty { throw error(on: refused, acceptedBy: draft.acceptingCommand) }
    if lost.isEmpty { return draft }
    var draft = draft
    draft.acceptedLosses = lost.compactMap(\.hash)
    draft.notes = Draft.Notes(
      ["the loss of \(lost.map(\.number).purgeNames) is accepted, and noted"]
    ) { [place] _ in
      { live in try place.noteLosses(acceptedBy: live) }
    }
    return draft
  }

  /// Refuses lost purges for a command that publishes nothing.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package func refuseLost() throws {
    let lost = try lost()
    if !lost.isEmpty { throw error(on: lost) }
  }

  fileprivate func noteLosses() throws {
    guard let live else { return }
    for purge in try allLost(readingAll: true) {
      guard let hash = purge.hash, live.acceptedLosses.contains(hash) else { continue }
      var listed = purges.first { $0.folder == purge.folder } ?? ListedPurge(purge.folder)
      if listed.notes.contains(.lost) { continue }
      let note = LostNote(
        issued: live.issued ?? Instant(secondsSince1970: 0), by: live.record.by,
        release: live.number, config: place.signing == nil ? nil : live.bytes)
      try place.put(.lost, note.file, of: &listed)
    }
  }
}

extension Draft {
  /// The command that accepts a loss, without its options; `nil` if `publish` does.
  ///
  /// In states that need more than `publish`, `publish` alone is refused.
  fileprivate var acceptingCommand: String? {
    replacesUnread || above != nil ? command ?? "the same command with" : nil
  }
}

extension ChannelPlace {
  /// Writes the note `lost` for each loss that the live release accepts, unless the note exists.
  ///
  /// Config says so, too. The note remains after an earlier version of contentc has dropped that.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func noteLosses(acceptedBy live: LiveRelease) throws {
    if live.acceptedLosses.isEmpty { return }
    try PurgeList(self, live: live).noteLosses()
  }
}
