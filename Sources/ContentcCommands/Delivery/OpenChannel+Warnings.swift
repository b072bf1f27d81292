import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

extension OpenChannel {
  /// Returns the state of a config that was restored from a backup; `nil` if config follows all purges,
  /// or if another publisher was faster.
  ///
  /// - Throws: `DeliveryError` if config cannot be read; `TargetError`.
  func restoredConfig(_ list: PurgeList) throws -> RestoredConfig? {
    do { return try RestoredConfig(list) } catch let error as DeliveryError
      where error.kind == .lost
    {
      return nil
    }
  }

  /// Returns the failure of a target that denied a write, which says that readers see no change; `nil`
  /// for other errors, and if `live` is not the live release any more.
  func failure(ofDenied error: any Error, after live: LiveRelease?) -> Failure? {
    guard let error = error as? TargetError, error.kind == .denied else { return nil }
    do {
      guard try place.live()?.record.digest == live?.record.digest else { return nil }
    } catch { return nil }
    let seen = live.map { ": readers still see release \($0.number) and its content" }
    return Failure(error).noting(
      "nothing was changed\(seen ?? ""); once this command may write there, run it again"
    )
  }

  /// Returns the failure of a target that denied a write of a draft, as for other releases; `nil` for
  /// other errors, and if the draft's release is live.
  func failure(ofDenied error: any Error, importing signed: SignedDraft) -> Failure? {
    guard let live = try? place.live(), live.record.digest != signed.record.digest else {
      return nil
    }
    return failure(ofDenied: error, after: live)
  }

  /// Returns the reason why the channel has no config, as a sentence, which names the command that
  /// publishes again.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  func reasonForNoConfig() throws -> String {
    let reason = try place.reasonForNoConfig(
      publishing: restoredConfig(PurgeList(place, live: nil))?.command)
    return foreignRelease(above: 0).map { "\(reason); \($0)" } ?? reason
  }

  /// Returns a sentence if readers get a release of this app that the target does not have, as in a
  /// wrong folder; `nil` for other answers, and without an answer within a few seconds.
  ///
  /// A release below `live`, the number of the live release, is not foreign. Neither are releases that
  /// another publisher has made live meanwhile.
  func foreignRelease(above live: Int) -> String? {
    guard let url = channel.url?.withoutTrailingSlashes else { return nil }
    let site = PublicSite(url, send: Self.send(requestSeconds: 3), environment: .system)
    return SlowStep.run(url, tell: notes.waits) {
      site.foreignRelease(above: live, in: place, format: project.format)
    }
  }

  /// Returns the warning that readers get a release of another target; none if they do not.
  func foreignReleaseWarning(after live: LiveRelease) -> [Diagnostic] {
    foreignRelease(above: live.number).map { [.warning(.publicURL, at: nil, message: $0)] } ?? []
  }

  /// Refuses a command if config was restored from a backup.
  ///
  /// - Throws: `DeliveryError`, which names the command that ends this state; `TargetError`.
  func refuseRestoredConfig(_ live: LiveRelease?) throws {
    let list = try PurgeList(place, live: live)
    if let restored = try restoredConfig(list) { throw restored.refusal }
  }

  /// Refuses a command if config was restored from a backup, or if a file of a purge is missing.
  ///
  /// - Throws: `DeliveryError`, which names the command that ends this state; `TargetError`.
  func requireKnownPurges(_ live: LiveRelease?) throws {
    let list = try PurgeList(place, live: live)
    if let restored = try restoredConfig(list) { throw restored.refusal }
    try list.refuseLost()
  }

  /// Returns the warning about purges whose files are missing; none without such a purge.
  ///
  /// If config was restored from a backup, only the command that ends this state can accept the
  /// loss.
  func warning(of missing: [LostPurge], in list: PurgeList) -> [Diagnostic] {
    if missing.isEmpty { return [] }
    let command = (try? restoredConfig(list))?.command
    let refusing =
      "put the file of a backup back; 'publish', 'promote', 'rollback' and 'prune' refuse until then"
    return [
      .warning(
        .missingPurge, at: nil, message: list.sentence(on: missing),
        notes: ([refusing] + list.notes(on: missing, acceptedBy: command)).map {
          Diagnostic.Note($0)
        })
    ]
  }

  /// Returns the warning of an emergency command if the file of the last purge is missing; none if the
  /// target cannot be read.
  func missingPurgeWarning(_ list: PurgeList) -> [Diagnostic] {
    warning(of: (try? list.lost(readingAll: false)) ?? [], in: list)
  }

  /// Returns the warning of an emergency command after which config is still a restored one; none if the
  /// target cannot be read.
  func restoredConfigWarning(_ list: PurgeList, hidesContent: Bool = false) -> [Diagnostic] {
    guard let restored = try? restoredConfig(list) else { return [] }
    let notes = hidesContent ? [restored.mending] : [restored.hiding, restored.mending]
    return [
      .warning(
        .restoredConfig, at: nil, message: restored.sentence,
        notes: notes.map { Diagnostic.Note($0) })
    ]
  }

  /// Returns diagnostics about the numbers of a live release that leave no room for later ones.
  func diagnostics(
    ofNumbersIn live: LiveRelease?, _ severity: Diagnostic.Severity
  ) -> [Diagnostic] {
    guard let live else { return [] }
    return place.numbersWithoutRoom(in: live).map { problem in
      let error = place.error(of: problem, in: live)
      return Diagnostic(
        severity, rule: .numberRoom, at: nil, message: error.description,
        notes: error.notes.map { Diagnostic.Note($0) })
    }
  }

  /// Returns a warning if the target has objects again that purges removed, as after a backup of them was
  /// restored, or if nobody can tell.
  func returnedObjectsWarning() -> [Diagnostic] {
    var prune = Prune(place.target, keep: 1, grace: .days(1), now: Clock.now)
    prune.own = place
    prune.purges = PurgeList.purges
    let message: String
    do {
      let count = try prune.returnedObjects().count
      if count == 0 { return [] }
      message =
        "\(count.counted("object")) that earlier purges removed \(count == 1 ? "is" : "are") public again at "
        + place.target.name
    } catch {
      message = "objects that earlier purges removed may be public again: \(error)"
    }
    return [
      .warning(
        .returnedObjects, at: nil, message: message,
        notes: [
          Diagnostic.Note("'contentc prune \(channel.name)' removes such objects, also from caches")
        ])
    ]
  }

  /// Returns a warning if a comparison with the live release left out entries, because the target
  /// lacks objects.
  func missingObjectsWarning(
    _ live: LiveRelease?, in diff: ReleaseDiff
  ) throws -> [Diagnostic] {
    guard let live, !diff.isComplete else { return [] }
    let present = Set(names: try place.target.list(below: "objects/").map(\.key))
    let missing = live.record.objects.count { !present.contains($0.key) }
    let lack =
      missing == 0 ? "has damaged objects" : "lacks \(missing.counted("object"))"
    return [
      .warning(
        .missingObjects, at: nil,
        message:
          "\(place.target.name) \(lack) of release \(live.number): "
          + "the changes of what they show are not listed",
        notes: [
          Diagnostic.Note(
            "'contentc publish \(channel.name) --repair' sends them if the content is not refused")
        ])
    ]
  }

  /// Returns whether the channel has finished or unfinished purges; `false` if the target cannot be
  /// read.
  func hasPurges() -> Bool {
    guard let live = try? place.live(), let list = try? PurgeList(place, live: live) else {
      return false
    }
    return !list.isEmpty
  }

  /// The warnings about caches that cannot be purged.
  var unpurgedWarnings: [Diagnostic] {
    cachesWithoutSettings.map { name in
      Diagnostic(
        .warning, rule: .cachePurge, at: nil,
        message: "\(name) is not purged: content.yaml has no settings for it",
        notes: [Diagnostic.Note("its copies expire; 'contentc staleness' shows when")])
    }
  }
}

extension PurgeList {
  /// The warnings about files that are foreign, damaged or of a newer version.
  var leftAloneWarnings: [Diagnostic] {
    warnings.map { .warning(.leftAlone, at: nil, message: $0) }
  }
}
