package import ContentReleases
import ContentTargets

/// The purges on which one command has worked.
package struct PurgeSession: Sendable {
  /// The results: those of earlier purges, in order, then that of the new one.
  package var outcomes: [Purge.Outcome] = []
  /// The error that ended the session; `nil` if every purge was at least tried.
  package var error: (any Error)?
}

extension Purge {
  /// Begins a purge, and finishes it and all purges that an interruption left.
  ///
  /// The order keeps bad content public as briefly as possible: (1) the new purge begins before
  /// earlier ones are finished, (2) earlier purges are finished, in order, even if (1) failed,
  /// (3) the new purge is finished.
  ///
  /// Purges that a restored config does not follow are left to the command after `publish --above`.
  ///
  /// If another command was faster with the same purge, the purges are listed again, and that purge
  /// is finished as an earlier one.
  ///
  /// - Parameters:
  ///   - list: The purges of the channel.
  ///   - live: The live release.
  ///   - commandWords: The words of the command for the new purge, as in `PurgeOrder`; empty if
  ///     only earlier purges are to be finished.
  ///   - watch: Receives each step.
  ///   - begin: Begins the new purge; returns `nil` if there is none, or if an earlier one does its
  ///     work. It may be called again with the purges as they are then.
  /// - Returns: The results of all purges, and the error that ended the work, if any.
  package func beginAndFinishAll(
    in list: PurgeList, live: LiveRelease, commandWords: [String],
    watch: @escaping Watch, beginning begin: (PurgeList, LiveRelease) throws -> KnownPurge?
  ) -> PurgeSession {
    var session = PurgeSession()
    var list = list
    var result = Result { try begin(list, live) }
    if case .success(nil) = result {
      // Nothing was begun, because another purge does the work. That purge may have begun after
      // `list` was read, and may be finished by now. If so, `begin` decides again whether work is
      // left.
      do {
        let wasUnfinished = list.unfinished(commandWords: commandWords) != nil
        let live = try requiredLive()
        list = try PurgeList(place, live: live, after: list)
        let left = list.unfinished(commandWords: commandWords)
        if wasUnfinished, left == nil { result = Result { try begin(list, live) } }
      } catch { session.error = error }
    }
    if case .failure(let error) = result, !list.unfinished.isEmpty {
      watch(PurgeEvent(step: .notBegun(error), seconds: seconds))
    }
    for left in list.unfinished {
      watch(PurgeEvent(step: .resuming(left), seconds: seconds))
      session.outcomes.append(finish(left, live: (try? requiredLive()) ?? live, watch: watch))
    }
    do {
      if let new = try result.get() {
        session.outcomes.append(finish(new, live: try requiredLive(), watch: watch))
      }
    } catch {
      session.error = error
    }
    return session
  }

  private func requiredLive() throws -> LiveRelease {
    guard let live = try place.live() else {
      throw DeliveryError(.lost, "config was removed; run again")
    }
    try place.requireSigned(live)
    return live
  }
}
