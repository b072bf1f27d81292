import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

/// A channel of a project, with its target.
struct OpenChannel {
  let project: DeliverySettings
  let channel: Channel
  var place: ChannelPlace
  /// The path of the content folder.
  let content: String
  let memory: ConditionsMemory
  /// `true` if the channel's writes have priority over those of other commands.
  let isEmergency: Bool
  /// The notes about what the channel's use waits for.
  var notes = WaitNotes.none
  /// `true` if a publication may change whether the channel is signed.
  var changesSigning = false
  /// `true` if a publication replaces a config that does not verify.
  var replacesUnverified = false
  /// What the command does if the machine's clock is behind a signed live config.
  var clockRule = IssueTime.Rule.refuse
  /// The draft to write; `nil` for a command that publishes.
  var drafting: DraftRequest?
  /// `true` if the same command, once its release is live, takes the steps that are left.
  var canBeRepeated = false

  /// Does work that waits for the target, also for a folder of a file server.
  func waiting<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try SlowStep.run(place.target.name, tell: notes.waits, work)
  }

  /// Publishes a draft.
  ///
  /// After an unexpected end, the next publication tests the target again.
  func publish(
    known: LiveRelease? = nil, repairs: Bool = false,
    progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in },
    _ draft: (LiveRelease?) throws -> Draft
  ) throws -> Publisher.Outcome {
    do {
      let outcome = try publisher.publish(
        known: known, repairs: repairs, progress: progress, draft)
      rememberRelease(of: outcome)
      return outcome
    } catch {
      memory.forget(place.target)
      throw failure(ofDenied: error, after: known) ?? error
    }
  }

  /// Publishes a rollback or a switch of maintenance, with priority over other commands.
  ///
  /// A purge calls `Purge.begin` instead.
  func publishUrgently(
    after live: LiveRelease, endangered: EndangeredObjects, _ draft: (LiveRelease) throws -> Draft
  ) throws -> Publisher.Outcome {
    do {
      let outcome = try publisher.publishUrgently(after: live, endangered: endangered, draft)
      rememberRelease(of: outcome)
      return outcome
    } catch {
      memory.forget(place.target)
      throw failure(ofDenied: error, after: live) ?? error
    }
  }

  /// Publishes a signed draft.
  ///
  /// `Purge.begin` publishes the draft of a purge.
  func publish(
    _ signed: SignedDraft, endangered: EndangeredObjects,
    progress: @escaping @Sendable (_ bytes: Int) -> Void
  ) throws -> Publisher.Outcome {
    do {
      let outcome = try publisher.publish(signed, endangered: endangered, progress: progress)
      // Objects removed before the swap are sent again now; later ones once caches are purged.
      try? endangered.putBack(at: place)
      rememberRelease(of: outcome)
      return outcome
    } catch {
      memory.forget(place.target)
      throw failure(ofDenied: error, importing: signed) ?? error
    }
  }

  /// The publisher of the channel.
  var publisher: Publisher {
    var publisher = Publisher(
      place, configHeaders: configHeaders, now: { Clock.now },
      makeRunToken: { "\(UInt64.random(in: .min ... .max))" }, refusing: PurgeList.rule)
    let rules =
      channel.writesHeaders
      ? FolderExtras.rules(config: configHeaders, format: project.format) : nil
    publisher.givesWay = !isEmergency
    publisher.changesSigning = changesSigning
    publisher.clockRule = clockRule
    publisher.replacesUnverified = replacesUnverified
    publisher.settings = ChannelSettings(channel).digests
    publisher.extras = FolderExtras(place.target, headers: rules, latest: channel.hasLatest)
    publisher.watchSwap = { [self] in setLastLine(after: $0) }
    return publisher
  }

  /// Sets the line by which Control-C tells what the command has changed: nothing before its first swap.
  func setLastLine(after step: Publisher.SwapStep = .isLost) {
    let name = channel.name
    let line: TerminalText
    switch step {
    case .isLost:
      line = "Interrupted: readers of '\(name)' see no change; run the same command again"
    case .begins(let release):
      line =
        "Interrupted: it is unknown whether release \(release) is live; run 'contentc status \(name)'"
    case .isLive(let release) where canBeRepeated:
      line =
        "Interrupted: release \(release) of '\(name)' is live; run the same command again to finish"
    case .isLive(let release):
      line =
        "Interrupted: release \(release) of '\(name)' is live; readers get it within the bound "
        + "that 'contentc staleness' shows; 'contentc notify \(name)' sends its notification"
    }
    Terminal.setLastLine(line)
  }

  /// The headers of config.
  ///
  /// The edge has a header of its own, because `s-maxage` forbids stale answers.
  private var configHeaders: FileHeaders {
    let times = project.lifetimes
    return FileHeaders(
      contentType: project.format == .json ? "application/json" : "application/x-plist",
      cacheControl: "public, max-age=\(times.app.seconds)",
      cdnCacheControl: "max-age=\(times.edge.seconds), "
        + "stale-while-revalidate=\(times.staleWhileRevalidate.seconds), "
        + "stale-if-error=\(times.staleIfError.seconds)")
  }

  /// The staleness bound of the channel.
  var bound: StalenessBound { project.bound(of: channel) }

  /// Returns the channel for a command that brings new content to readers.
  ///
  /// - Throws: A failure if a correction may take longer than the project allows.
  func withinLimit() throws(Failure) -> OpenChannel {
    guard let excess else { return self }
    throw excess
  }

  /// The warning of an emergency command, which may exceed the limit.
  var limitWarning: Diagnostic? {
    guard var warning = excess?.diagnostic else { return nil }
    warning.severity = .warning
    return warning
  }

  private var excess: Failure? {
    guard let limit = project.stalenessLimit, bound.correction > limit.limit else { return nil }
    return Failure(
      .gate, .staleness,
      "'stalenessLimit' is \(limit.limit), but a correction in '\(channel.name)' takes up to "
        + "\(bound.correction)",
      at: limit.location.path.text, notes: ["'contentc staleness' shows it layer by layer"])
  }

  /// The URL at which apps find config; `nil` if the channel has no `url`.
  var configURL: String? {
    channel.url.map {
      "\($0.withoutTrailingSlashes)/\(channel.name)/config.\(project.format.fileExtension)"
    }
  }
}

extension OpenChannel {
  /// Returns the report of a dry run, which fails as the publication of the draft would; `text`
  /// returns the text for the changes.
  func dryRun(
    of draft: Draft, after live: LiveRelease?, repairs: Bool = false, text: (DiffPage) -> String
  ) throws -> Report {
    try publisher.check(draft, after: live, repairs: repairs)
    let assumed = repairs ? [] : live?.record.objects ?? []
    if draft.contentRelease != nil { try requireObjects(of: draft.content, besides: assumed) }
    let page = DiffPage(diff: try difference(from: live, to: draft.content))
    var report = Report(text: text(page), json: page.members, isResult: true)
    report.jobSummary = { [name = channel.name] in page.jobSummary(of: name) }
    report.diagnostics = try missingObjectsWarning(live, in: page.diff)
    return report
  }

  /// Throws the error that a publication throws if the target lacks an object of the release.
  private func requireObjects(of content: ReleaseContent, besides assumed: [ReleaseObject]) throws {
    let known = Set(assumed)
    let present = Set(names: try place.target.list(below: "objects/").map(\.key))
    let missing = content.objects.first { !known.contains($0) && !present.contains($0.key) }
    if let missing { _ = try content.file(missing) }
  }
}

extension [ReleaseObject] {
  /// The number of bytes of the objects in this list that the live release lacks.
  func lacking(in live: LiveRelease?) -> Int {
    let present = Set(live?.record.objects ?? [])
    return filter { !present.contains($0) }.map(\.size).reduce(0, +)
  }
}

extension OpenChannel {
  /// Returns the changes for readers, or `nil` if comparing would fetch half of the live release.
  func summary(from live: LiveRelease?, to content: ReleaseContent) -> DiffPage? {
    (try? difference(from: live, to: content, limit: 200)).map { DiffPage(diff: $0) }
  }

  /// Returns the changes that readers of the live release would see.
  func difference(
    from live: LiveRelease?, to content: ReleaseContent, limit: Int = .max
  ) throws -> ReleaseDiff {
    try ReleaseDiff(
      from: live?.content(at: place.target), to: content, limit: limit, skipsMissing: true,
      explainsSent: true)
  }
}
