import ContentCaches
import ContentModel
package import ContentReleases
package import ContentSource
import ContentTargets
import System

/// A round in which all caches forget finished purges again.
package struct CacheRound: Sendable {
  /// The purges that caches were told to forget, in order.
  package var purges: [KnownPurge]
  /// The result of the round, whose purge is the last of them, and whose objects are those of all of them.
  package var outcome: Purge.Outcome

  /// `true` if every cache has confirmed all purges, and none of them has a removed object.
  package var isConfirmed: Bool { outcome.failures.isEmpty }
}

extension PurgeList {
  /// Reads the finished purges that a cache has not confirmed, in order, or else the newest finished one.
  ///
  /// - Parameters:
  ///   - layers: The caches of content.yaml that must confirm purges.
  ///   - choosesNewest: `true` to choose the newest purge if caches have confirmed all of them.
  /// - Returns: The purges, and the reasons for which others cannot be read, as sentences.
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func purgesToSendAgain(
    to layers: [CacheLayer], orNewest choosesNewest: Bool
  ) throws -> (purges: [KnownPurge], problems: [String]) {
    let unconfirmed = try CacheConfirmations(of: self, by: layers).unconfirmed
    if unconfirmed.isEmpty {
      guard choosesNewest else { return ([], []) }
      let finished = try readAll().filter { $0.listed.state == .finished }
      let newest = try finished.last { try $0.listed.hasObjects } ?? finished.last
      return ([newest].compactMap(\.self), [])
    }
    let known = try unconfirmed.mapOverlapped { try read($0) }
    let problems = zip(unconfirmed, known).filter { $0.1 == nil }.map { purge, _ in
      let key = PurgeName.note(.begun, in: purge.folder).key(in: place.channel)
      return
        "purge \(purge.folder.number) is not sent: \(place.location(of: key)) is missing or damaged; put the file of a "
        + "backup back"
    }
    return (known.compactMap(\.self), problems)
  }
}

extension Purge {
  /// Makes all caches forget finished purges again, and notes which caches confirmed that.
  ///
  /// 1. Purge config in all caches until readers get the live release, and again after the longest answer
  ///    time of the origin.
  /// 2. Purge the objects of all purges, and again after that time.
  /// 3. Request the objects that the target lacks, until no cache has them.
  /// 4. Note in `cache-` which caches confirmed all of their purges.
  ///
  /// - Parameters:
  ///   - purges: The finished purges, in order.
  ///   - problems: The reasons for which others are left out, as sentences.
  ///   - live: The live release.
  ///   - watch: Receives each step.
  /// - Returns: The result; `nil` without a purge.
  package func sendAgain(
    _ purges: [KnownPurge], besides problems: [String], live: LiveRelease, watch: @escaping Watch
  ) -> CacheRound? {
    guard let last = purges.last else { return nil }
    var run = PurgeRun(of: self, for: last, watch: watch)
    for problem in problems { run.fail(problem) }
    run.sendAgain(purges, live: live)
    return CacheRound(purges: purges, outcome: run.outcome)
  }
}

extension PurgeRun {
  /// Takes the steps of `Purge.sendAgain`.
  fileprivate mutating func sendAgain(_ purges: [KnownPurge], live: LiveRelease) {
    let found = purges.mapOverlapped { [place] purge in
      (purge, Result { try place.objectsInCaches(of: purge) })
    }
    var sent: [KnownPurge] = []
    var objects: [ReleaseObject] = []
    for (purge, result) in found {
      attempt(orFail: "purge \(purge.begun.number) is not sent") { _ in
        objects += try result.get()
        sent.append(purge)
      }
    }
    var known: Set<ReleaseObject> = []
    outcome.objects = objects.filter { known.insert($0).inserted }
    // Step 1
    let (isFresh, _) = purgeConfig(release: live.record.identity, format: live.format)
    // Step 2
    purgeObjects(outcome.objects)
    // Step 3
    var areGone = false
    attempt(orFail: "removed objects are not requested") { run in
      // Some were published again, or another channel shows them.
      let present = Set(names: try run.place.target.names(below: "objects/"))
      areGone = run.readBack(run.outcome.objects.filter { !present.contains($0.key) })
    }
    // Step 4
    guard isFresh, areGone else { return }
    noteCaches(of: sent.filter { $0.listed.manifest == nil })
    outcome.isRecorded = outcome.failures.isEmpty
  }
}
