package import ContentCaches
package import ContentReleases
package import ContentSource
import ContentTargets
package import System

/// Removes content from every reader of a channel, including caches and apps.
///
/// The order of the steps keeps readers safe, and makes the effect of each step final:
///
/// 1. Choose the next number. Write the record and the objects of a release without the content.
///    Create the file of the number; if another purge has created this file, start again with a new
///    number. Write the note `begun`, which lists the work.
/// 2. Replace config, which makes the release live. Write the note `live`.
/// 3. Send those objects of the release again that another command has removed
///    (`EndangeredObjects`).
/// 4. Purge config in all caches until readers get the new config. Purge it once more after the
///    longest answer time of the origin.
/// 5. In a folder, update the files of `latest`.
/// 6. Stop if readers do not get the new config, or if a cache was not purged. Otherwise, list the
///    objects to remove in the note `copies-`. Take step 3 again. Remove the listed objects at the
///    target, except for objects that a live release shows. Objects that a release under way shows
///    must wait for another run.
/// 7. Purge the listed objects in all caches, now and after the longest answer time of the origin.
/// 8. If no removal has failed or must wait, request the removed files until no cache has them.
///    Then write a note `cache-` for each cache that confirmed all of its purges. Request the
///    objects that step 6 sent again.
/// 9. If no step failed, write the note `done-`.
///
/// `begin` takes steps 1 and 2, and `finish` takes the others. After an interruption, `finish`
/// takes all of its steps again, because each of them may be repeated. `PurgeList` describes the
/// notes, and `docs/reference/purges.md` has the same list of steps.
package struct Purge: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  /// The public site; `nil` if the project does not name its address.
  let site: PublicSite?
  let environment: RequestEnvironment
  let times: Times
  /// The items of `caches` in content.yaml, in the same order.
  package var layers: [CacheLayer] = []
  /// The extra files of a folder, whose names are updated, too.
  package var extras: FolderExtras?
  /// The reasons for which some caches cannot be purged, as sentences: while there are any, no
  /// purge is finished.
  package var problems: [String] = []
  /// The names of caches that are out of service: a purge is finished without them.
  package var without: [String] { lifetimesWithout.map(\.cache) }
  /// The caches that are out of service, with the seconds for which each may serve old copies.
  package var lifetimesWithout: [(cache: String, seconds: Int)] = []
  /// The objects of the release that another command may remove.
  package let endangered = EndangeredObjects()
  private let start: Int64

  /// The time limits and lifetimes, in seconds.
  package struct Times: Sendable {
    /// The longest answer time of the origin.
    package var originTimeout: Int
    /// The limit for each cache.
    package var cacheDeadline = 300
    /// The limit until readers get the right files.
    package var verification = 30
    /// The lifetime of config in an app.
    package var app: Int
    /// The lifetime of config at the origin.
    package var origin: Int
    /// The time for which an app may show content without a connection.
    package var offline: Int

    package init(originTimeout: Int, app: Int, origin: Int, offline: Int) {
      (self.originTimeout, self.app, self.origin, self.offline) = (
        originTimeout, app, origin, offline
      )
    }
  }

  package init(
    _ place: ChannelPlace, caches: CachePurge, site: PublicSite?, times: Times,
    environment: RequestEnvironment
  ) {
    (self.place, self.caches, self.site, self.times) = (place, caches, site, times)
    self.environment = environment
    start = environment.milliseconds()
  }

  package typealias Watch = (PurgeEvent) -> Void

  /// The result of a purge.
  package struct Outcome: Sendable {
    package var known: KnownPurge
    /// The objects that the purge removes, without the objects in `kept`.
    package var objects: [ReleaseObject]
    /// The names of the caches that were out of service and not purged.
    package var without: [String] = []
    /// The failures, as sentences; empty if all was done.
    ///
    /// The next run repeats the failed steps.
    package var failures: [String] = []
    /// The objects that stay public because live releases show them, with the channels of these.
    package var kept: [(object: ReleaseObject, channels: [String])] = []
    /// The seconds from the start of the command until readers got the release; `nil` if no request
    /// has shown that they get it.
    package var freshSeconds: Double?
    /// The number of objects removed at the target; `nil` if no removal was tried, since readers
    /// may still request them.
    package var removed: Int?
    /// `true` if the target has none of `objects`, which do not include `kept`.
    var allAreRemoved: Bool { removed == objects.count }
    /// The number of forms of removed files, such as the compressed form, that requests no longer
    /// get.
    package var readBack = 0
    package var caches: [CachePurge.Outcome] = []
    /// `true` if the note `done-` is written, which ends the purge.
    package var isRecorded = false
    /// The number of objects of earlier releases that show a purged entry in another form.
    package var otherForms = 0
    /// Warnings about files that are foreign or unreadable, as sentences.
    package var warnings: [String] = []

    package var begun: Begun { known.begun }
  }

  /// The seconds since this value was made.
  var seconds: Double { Double(environment.milliseconds() - start) / 1_000 }

  /// Publishes the release without the purged content: takes steps 1 and 2.
  ///
  /// If another release becomes live first, both steps are repeated after that release. If another
  /// purge takes the number first, step 1 is repeated with a new number. At a bucket, a purge does
  /// not wait for a command that removes objects: see `EndangeredObjects`.
  ///
  /// - Parameters:
  ///   - order: The purge that the user asks for.
  ///   - plan: The plan of the order for the live release.
  ///   - list: The purges of the channel.
  ///   - live: The live release.
  ///   - publisher: The channel's publisher.
  ///   - watch: Receives the event that the release is live.
  ///   - replan: Plans the purge again after another release has become live. Gets that release and
  ///     the channel's purges, and returns `nil` if no work is left.
  /// - Returns: The purge; `nil` if `replan` returned `nil`.
  /// - Throws: `DeliveryError`, after which nothing has changed for readers; `TargetError`; the
  ///   errors of `replan`.
  package func begin(
    _ order: PurgeOrder, as plan: PurgePlan, in list: PurgeList, after live: LiveRelease,
    through publisher: Publisher, watch: @escaping Watch,
    replan: (LiveRelease, PurgeList) throws -> (order: PurgeOrder, plan: PurgePlan)?
  ) throws -> KnownPurge? {
    var publication = PurgePublication(of: self, order, as: plan, in: list, after: live)
    do {
      // The outer retry repeats both steps if another release has won the swap of config. The inner
      // retry repeats only step 1, with a new number, if another purge has taken the number.
      return try publisher.retryingLostSwaps(after: live) { live in
        let outcome = try publication.retryingTakenNumbers { publication in
          // Steps 1 and 2
          try publisher.publish(
            known: live, endangered: endangered,
            beforeSwap: { record in try publication.writeBegun(for: record) }
          ) { now in try publication.draft(after: now, replan: replan) }
        }
        guard case .released(let record, _) = outcome, var known = publication.written else {
          throw DeliveryError(.lost, "the purge was not published; run again")
        }
        afterSwap(&known, record, watch: watch)
        return known
      }
    } catch {
      endangered.noteFailure()
      if error is PurgePublication.NothingLeft { return nil }
      throw error
    }
  }

  /// Publishes the release of a purge that was signed elsewhere: takes steps 1 and 2.
  ///
  /// - Returns: The purge; `nil` if its release was live already. The channel's list then has the
  ///   purge if it is unfinished.
  /// - Throws: `DeliveryError`, after which nothing has changed for readers;
  ///   `SigningDraft.Refusal` for a damaged object; `TargetError`.
  package func begin(
    _ signed: SignedDraft, work bytes: [UInt8], through publisher: Publisher, watch: Watch
  ) throws -> KnownPurge? {
    var written: KnownPurge?
    do {
      // Steps 1 and 2
      let outcome = try publisher.publish(
        signed, endangered: endangered, beforeSwap: { _ in written = try place.write(begun: bytes) }
      )
      guard var written else { return nil }
      afterSwap(&written, outcome.record, watch: watch)
      return written
    } catch {
      endangered.noteFailure()
      throw error
    }
  }

  /// Tells the observer that the release of a purge is live, and writes the note `live`.
  private func afterSwap(_ purge: inout KnownPurge, _ record: ReleaseRecord, watch: Watch) {
    watch(PurgeEvent(step: .published(release: record.number), seconds: seconds))
    purge.endangered = endangered.objects
    // The rest of step 2. It comes before the purges of caches, which may take long. After a
    // failure, `finish` writes the note.
    if let live = try? place.live(known: record) { try? place.noteLive(&purge.listed, by: live) }
  }

  /// Returns the draft that `begin` publishes, so that it can be signed elsewhere; writes nothing.
  ///
  /// - Throws: `DeliveryError` if no number is left; `TargetError`.
  package func draft(
    _ order: PurgeOrder, as plan: PurgePlan, in list: PurgeList, after live: LiveRelease
  ) throws -> Draft {
    var publication = PurgePublication(of: self, order, as: plan, in: list, after: live)
    return try publication.draft(after: live) { _, _ in nil }
  }

  /// Finishes a purge whose release is live.
  ///
  /// The outcome has the failures. If a step fails, the steps that do not depend on it are taken.
  package func finish(_ known: KnownPurge, live: LiveRelease, watch: @escaping Watch) -> Outcome {
    var run = PurgeRun(of: self, for: known, watch: watch)
    run.finish(live: live)
    return run.outcome
  }
}
