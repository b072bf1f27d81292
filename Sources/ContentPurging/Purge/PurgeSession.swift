package import ContentReleases
import ContentTargets

/// The purges on which one command has worked.
package struct PurgeSession: Sendable {
  /// The results: those of earlier purges, in order, then that of the new one.
  package var outcomes: [Purge.Outcome] = []
  /// The error that ended the session; `nil` if every purge was at least tried.
  package var error: (any Error)?
  /// The unfinished purge that the user asked for again, if a release was published since it began:
  /// that release is not changed.
  package var overtaken: PurgeManifest?
}

extension Purge {
  /// Begins a purge, and finishes it and all purges that an interruption left.
  ///
  /// The order keeps bad content public as briefly as possible: (1) the new purge begins before
  /// earlier ones are finished, (2) earlier purges are finished, in order, even if (1) failed,
  /// (3) the new purge is finished, (4) if there was no purge and no error, leftover manifests are
  /// removed.
  ///
  /// Step (2) includes purges that were live before config was restored from a backup, once the live
  /// release shows none of their content, or content was published since.
  ///
  /// If another command was faster with the same purge, the purges are listed again, and that purge
  /// is finished as an earlier one.
  ///
  /// - Parameters:
  ///   - ledger: The purges of the channel.
  ///   - live: The live release.
  ///   - commandWords: The words of the command for the new purge, as in `PurgeOrder`; empty if
  ///     only earlier purges are to be finished.
  ///   - includesLater: `true` if the new purge includes what was published since an unfinished one.
  ///   - watch: Receives each step.
  ///   - begin: Begins the new purge; returns `nil` if there is none, or if an earlier one does its
  ///     work. It may be called again with the purges as they are then.
  /// - Returns: The results of all purges, and the error that ended the work, if any.
  package func beginAndFinishAll(
    in ledger: PurgeLedger, live: LiveRelease, commandWords: [String], includesLater: Bool = false,
    watch: @escaping Watch, beginning begin: (PurgeLedger, LiveRelease) throws -> PurgeManifest?
  ) -> PurgeSession {
    var session = PurgeSession()
    var ledger = ledger
    var begun = Result { try begin(ledger, live) }
    if case .success(nil) = begun, !commandWords.isEmpty {
      do {
        // The purge that does the work may have begun since, or may have been finished.
        let wasUnfinished = ledger.unfinished(commandWords: commandWords) != nil
        let live = try requiredLive()
        ledger = try PurgeLedger(place, live: live, after: ledger)
        let left = ledger.unfinished(commandWords: commandWords)
        if wasUnfinished, left == nil { begun = Result { try begin(ledger, live) } }
        if let left, !includesLater, try ledger.isOvertaken(left, live: live) {
          session.overtaken = left
          watch(PurgeEvent(step: .overtaken(left), seconds: seconds))
        }
      } catch { session.error = error }
    }
    if case .failure(let error) = begun, !ledger.interrupted.isEmpty {
      watch(PurgeEvent(step: .notBegun(error), seconds: seconds))
    }
    for left in ledger.unfinished {
      watch(PurgeEvent(step: .resuming(left), seconds: seconds))
      session.outcomes.append(finish(left, live: (try? requiredLive()) ?? live, watch: watch))
    }
    for left in ledger.overwritten {
      watch(PurgeEvent(step: .resuming(left), seconds: seconds))
      session.outcomes.append(finishOverwritten(left, watch: watch))
    }
    do {
      if let new = try begun.get() {
        session.outcomes.append(finish(new, live: try requiredLive(), watch: watch))
      }
    } catch {
      session.error = error
    }
    // A recorded purge has removed these files, and after a failure, the next command does.
    if session.outcomes.isEmpty, session.error == nil { try? sweep(ledger) }
    return session
  }

  /// Finishes a purge whose release config no longer knows, as a purge of the live release; while
  /// there is an `obstacle`, the outcome is a failure that says so.
  private func finishOverwritten(_ manifest: PurgeManifest, watch: @escaping Watch) -> Outcome {
    do {
      return finish(try adopted(manifest), live: try requiredLive(), watch: watch)
    } catch {
      var outcome = Outcome(manifest: manifest)
      outcome.failures = ["\(error)"]
      outcome.isOverwritten = true
      watch(PurgeEvent(step: .failed("\(error)"), seconds: seconds))
      return outcome
    }
  }

  private func requiredLive() throws -> LiveRelease {
    guard let live = try place.live() else {
      throw DeliveryError(.lost, "config was removed; run again")
    }
    try place.requireSigned(live)
    return live
  }

  /// Records the remaining work of a purge as that of the live release.
  ///
  /// - Throws: `DeliveryError` if readers see content of the purge, and no content was published
  ///   since; `TargetError`.
  private func adopted(_ manifest: PurgeManifest) throws -> PurgeManifest {
    let live = try requiredLive()
    if let obstacle = try PurgeLedger(place, live: live).obstacle(to: manifest, live: live) {
      throw DeliveryError(.refused, obstacle)
    }
    var adopted = manifest
    (adopted.release, adopted.record) = (live.number, live.record.digest)
    let (key, file) = (adopted.pendingKey(place.channel), try adopted.file)
    if try place.target.create(key, as: file) {
      try place.target.requireHeld(file, at: key, otherwise: "run again")
    }
    try place.target.remove(manifest.pendingKey(place.channel))
    return adopted
  }
}

extension PurgeLedger {
  /// Returns the interrupted purges that the next `Purge.beginAndFinishAll` finishes.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func finishable(live: LiveRelease) throws -> [PurgeManifest] {
    try interrupted.filter { try obstacle(to: $0, live: live) == nil }
  }

  /// Returns the next step of an interrupted purge, as a sentence.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  package func nextStep(of manifest: PurgeManifest, live: LiveRelease) throws -> String {
    try obstacle(to: manifest, live: live)
      ?? "'contentc purge --channel \(place.channel)' finishes it"
  }

  /// Returns the reason why an overwritten purge cannot be finished yet, with the remedy; `nil` if
  /// the next `Purge.beginAndFinishAll` finishes the purge.
  ///
  /// There is none if the live release shows none of the purge's content, or if content was
  /// published since: objects that this publication shows stay anyway.
  ///
  /// - Throws: `DeliveryError` if a manifest or record cannot be read; `TargetError`.
  func obstacle(to manifest: PurgeManifest, live: LiveRelease) throws -> String? {
    guard overwritten.contains(where: { $0.record == manifest.record }),
      try Self.isShown(manifest, in: ReleaseReader(live.content(at: place.target))),
      try !hasContent(since: manifest)
    else { return nil }
    let names = manifest.entries.prefix(3).joined(separator: ", ")
    let others = manifest.entries.count > 3 ? " and others" : ""
    return
      "config was restored from a backup, so readers may see \(names)\(others) again as it was; purge it again, or "
      + "correct it, publish, and then run 'contentc purge \(place.channel)'"
  }
}
