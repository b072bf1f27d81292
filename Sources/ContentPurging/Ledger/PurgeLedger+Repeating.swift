import ContentModel
package import ContentReleases
import ContentTargets
import Parallel

/// Purges that a user asks for in the same words again.
extension PurgeLedger {
  /// Plans an order; returns `nil` if it needs no new purge, because a purge in the same words is
  /// unfinished, or because its work is still done.
  ///
  /// A repeated restoration would give readers an even earlier form. Entries whose restoration is
  /// still done are therefore left out. For other orders, earlier manifests are read only if the plan
  /// changes nothing for readers: reading a thousand of them takes time while readers see the
  /// content.
  ///
  /// - Throws: The errors of `PurgePlanner.plan`; `DeliveryError` if a manifest or record cannot be
  ///   read; `TargetError`.
  package func planUnlessRepeated(
    _ order: PurgeOrder, by planner: PurgePlanner
  ) throws -> PurgePlan? {
    let live = planner.live
    if try resumed(by: order, live: live) != nil { return nil }
    let isUnfinished = unfinished(commandWords: order.commandWords) != nil
    var order = order
    if case .restoration = order.remedy, case .entries(let ids) = order.subject {
      let undone = try undone(ids, commandWords: order.commandWords)
      if undone.isEmpty { return nil }
      order.subject = .entries(undone)
    }
    let plan: PurgePlan
    do { plan = try planner.plan(order) } catch let error as DeliveryError
      where error.kind == .unknown || order.ids.isEmpty && error.kind != .lost
    {
      if try isUnfinished || isDone(order, live: live) { return nil }
      throw error
    }
    let isShown = plan.contentRelease == live.record.contentRelease
    return try isShown && (isUnfinished || isDone(order, live: live)) ? nil : plan
  }

  /// Returns the latest unfinished purge that a user asked for in the same words; `nil` for no
  /// words.
  package func unfinished(commandWords: [String]) -> PurgeManifest? {
    commandWords.isEmpty ? nil : unfinished.last { $0.commandWords == commandWords }
  }

  /// Returns the unfinished purge that an order in the same words resumes; `nil` if there is none, or
  /// if the order includes what was published since.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func resumed(by order: PurgeOrder, live: LiveRelease) throws -> PurgeManifest? {
    guard let left = unfinished(commandWords: order.commandWords) else { return nil }
    return try order.includesLater && isOvertaken(left, live: live) ? nil : left
  }

  /// Returns whether a release that followed an unfinished purge may show its content: one with other
  /// content, or that of a later purge after which readers see some of the entries.
  ///
  /// Only the user knows whether that release shows bad content or the correction.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func isOvertaken(_ manifest: PurgeManifest, live: LiveRelease) throws -> Bool {
    if try !isUntouched(since: manifest) { return true }
    let entries = Set(manifest.entries)  // String keys: ids are ASCII
    let latest = try last { !entries.isDisjoint(with: $0.entries) }
    guard let latest, latest.sequence != manifest.sequence else { return false }
    let reader = ReleaseReader(live.content(at: place.target))
    return try manifest.entries.contains { try reader.holders(of: $0)?.isEmpty == false }
  }

  /// Returns whether the work of an order was done by purges in the same words, and is not undone.
  ///
  /// Any later release may contain the entries again, with other text, and a later purge of them may
  /// have undone the work. A release or an asset is always the same, so only files that are public
  /// again undo the work.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func isDone(_ order: PurgeOrder, live: LiveRelease) throws -> Bool {
    let commandWords = order.commandWords
    if commandWords.isEmpty { return false }
    if case .entries(let ids) = order.subject {
      return try undone(ids, commandWords: commandWords).isEmpty
    }
    let shown = ReleaseReader(live.content(at: place.target))
    let done = try last { manifest in
      guard manifest.commandWords == commandWords else { return false }
      let isKnown = !manifest.contents.isEmpty || !manifest.assets.isEmpty
      let isGone =
        try manifest.record == live.record.digest || isKnown && !Self.isShown(manifest, in: shown)
      return try isGone && !hasFiles(of: manifest)
    }
    return done != nil
  }

  /// Returns those of some entries whose purge in the same words was undone by a later release or by
  /// a later purge of them, and those without such a purge.
  private func undone(_ ids: [String], commandWords: [String]) throws -> [String] {
    if commandWords.isEmpty { return ids }
    // String keys: ids are ASCII
    var (left, undone): (Set<String>, Set<String>) = (Set(ids), [])
    _ = try last { manifest in
      let isSame = manifest.commandWords == commandWords
      let concerned = isSame ? left : left.intersection(manifest.entries)
      if try !isSame || !isUntouched(since: manifest) { undone.formUnion(concerned) }
      left.subtract(concerned)
      return left.isEmpty
    }
    return ids.filter { undone.contains($0) || left.contains($0) }
  }

  /// Returns whether the target has files of a purge that no live release shows: after another
  /// release, which need not be live, or after a channel that needed them has dropped them.
  private func hasFiles(of manifest: PurgeManifest) throws -> Bool {
    let target = place.target
    let files = manifest.assets.isEmpty ? manifest.objects.map(\.digest) : manifest.assets
    let present = try files.mapOverlapped { digest in
      try target.list(below: digest.objectPath(extension: "")).isEmpty ? nil : digest
    }.compactMap(\.self)
    if present.isEmpty { return false }
    let named = try NamedObjects(shownAround: place)
    return present.contains { named.shown[$0] == nil }
  }

  /// Returns whether every release since a purge is a purge, too, or repeats its content.
  ///
  /// Releases before one that repeats the content do not count.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func isUntouched(since manifest: PurgeManifest) throws -> Bool {
    var chain = try place.chain()
    while let record = try chain.next() {
      if record.digest == manifest.record { return true }
      // A release shows that content again if it follows the purge. After config was restored from a
      // backup, another release may have the number.
      if record.contentRelease == manifest.release {
        while let earlier = try chain.next(), earlier.number >= manifest.release {
          if earlier.digest == manifest.record { return true }
        }
        return false
      }
      guard record.contentRelease == record.number, try isPurge(record) else { return false }
    }
    return false
  }

  /// Returns the number of the purge in a release's message; `nil` if it names none.
  static func purge(namedBy record: ReleaseRecord) -> Int? {
    guard let words = record.message?.prefix(while: { $0 != ":" }), words.hasPrefix("purge ")
    else { return nil }
    return Int(words.dropFirst("purge ".count))
  }

  /// Returns whether a purge published a release.
  func isPurge(_ record: ReleaseRecord) throws -> Bool {
    // The message names the purge, and the manifest proves it. The manifest alone does not: earlier
    // versions finished some purges as those of a publication since.
    guard let sequence = Self.purge(namedBy: record) else { return false }
    if unfinished.contains(where: { $0.record == record.digest }) { return true }
    let named = files.filter { $0.sequence == sequence }
    let proof = place.signing == nil ? nil : PurgeProof(record)
    return try readUnproven(named).contains { manifest in
      guard let manifest, manifest.record == record.digest else { return false }
      return try proof?.fits(manifest) ?? true
    }
  }
}
