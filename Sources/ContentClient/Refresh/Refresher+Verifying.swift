import ContentModel
import SiteFormat

/// Step 2 of a refresh: verify.
extension Refresher {
  /// Returns the config to load; `nil` if the shown content is the newest.
  ///
  /// `time` is that of the check's beginning, by which signatures are judged.
  func accepted(
    _ answer: ContentResponse, at time: Instant
  ) throws(ContentError) -> SiteConfig? {
    switch answer.status {
    case 200: break
    case 304: return try acceptedAgain()
    case Redirection.refused:
      throw ContentError(.refused, because: "a redirection leads elsewhere")
    default:
      noteRetryAfter(answer.header("Retry-After"))
      throw ContentError(.server(status: answer.status), because: "config answers \(answer.status)")
    }
    let config: SiteConfig
    if state.trust == nil {
      config = try unsigned(answer.body)
    } else if let verified = try verified(answer.body, at: time) {
      config = verified
    } else {
      return try acceptedAgain()
    }
    state.config = config.bytes
    state.entityTag = answer.header("ETag")
    state.highestRelease = config.release
    let side = readersSide(of: config)
    state.noteAccepted(side)
    noteCheck(at: clock.moment)
    return side
  }

  /// Returns the reader's side of a config; the first rollout draws the unit.
  private func readersSide(of config: SiteConfig) -> SiteConfig {
    if config.rollout != nil { drawUnit() }
    return state.side(of: config, for: unit)
  }

  /// Returns the config to load, of an answer or of a later one that only the origin has; `nil` if
  /// the shown content is the newest.
  func acceptedOrRenewed(
    _ answer: ContentResponse, at time: Instant
  ) async throws(ContentError) -> SiteConfig? {
    if let renewed = await renewedConfig(after: answer) {
      do { return try accepted(renewed, at: time) } catch {
        // The stored config is confirmed nevertheless.
        presenter.report(error.kind == .refused ? .refused(error) : .failed(error))
      }
    }
    return try accepted(answer, at: time)
  }

  /// Returns whether a config of this generation is shown to its reader.
  func shows(_ config: SiteConfig) -> Bool {
    presenter.shows(config) && presenter.readerOfShown == presenter.reader
      && presenter.release?.generation == state.generation
  }

  /// Accepts the stored config once more; returns it unless it is shown.
  private func acceptedAgain() throws(ContentError) -> SiteConfig? {
    // An answer may have raised the floors since the condition was sent.
    guard let config = newest.map(readersSide), isNewestAccepted(config) else {
      throw ContentError(.refused, because: "304 without a condition that is met")
    }
    state.lowerSince = nil
    let isComplete = shows(config) && hasObjects(of: config)
    if isComplete { (state.backoff, offlineUntil, isWhole) = (Backoff(), nil, true) }
    noteCheck(at: clock.moment)
    store(isDurable: false)
    return isComplete ? nil : config
  }

  private func noteCheck(at moment: Moment) {
    let hadExpired = presenter.hasExpired(at: moment)
    state.lastCheck = moment
    presenter.apply(rules)
    // Entries whose lifetime had ended are shown again.
    if hadExpired { presenter.announceTime() }
  }

  // MARK: Without signatures

  private func unsigned(_ bytes: [UInt8]) throws(ContentError) -> SiteConfig {
    let moment = clock.moment
    let config: SiteConfig
    do { config = try SiteConfig(bytes) } catch { throw ContentError(refusal: error) }
    let check = ConfigCheck(
      app: configuration.app, channel: configuration.channel, state: state, known: knownConfigs)
    switch try check.verdict(on: config, at: moment) {
    case .accepted: (state.lowerSince, state.hasMoved) = (nil, false)
    case .lower:
      if state.lowerSince == nil { state.lowerSince = moment }
      store(isDurable: false)
      throw ContentError(
        .refused, because: "release \(config.release) is older than \(state.highestRelease)")
    case .reset: beginGeneration(with: config)
    }
    return config
  }

  // MARK: With signatures

  /// Verifies a signed config; returns `nil` for the stored one whose statements have ended.
  ///
  /// Key documents that pass are trusted, even if the config is not accepted.
  private func verified(
    _ bytes: [UInt8], at time: Instant
  ) throws(ContentError) -> SiteConfig? {
    guard var trust = state.trust else { return nil }
    let verified: VerifiedConfig
    do {
      verified = try trust.verify(
        bytes, of: configuration.app, channel: configuration.channel, at: time)
    } catch {
      adopt(trust)
      // Expired is only the proof that there is no newer one.
      if case .expired(_, _, let release) = error, isStored(release) { return nil }
      throw ContentError(refusal: error)
    }
    adopt(trust)
    // Another process may have stored a later release meanwhile, or a recovery.
    guard state.trust?.release == verified.release.release,
      state.trust?.config == verified.release.config
    else { throw ContentError(.refused, because: "another process knows a later release") }
    guard let config = try? SiteConfig(verified.bytes) else {
      throw ContentError(
        .refused, because: "the signed config of release \(verified.release.release) is not usable")
    }
    guard
      ConfigCheck.isConsistent(config, app: configuration.app, channel: configuration.channel)
    else { throw ContentError(.refused, because: "the config withdraws its own release") }
    return config
  }

  private func isStored(_ release: ReleaseStatement) -> Bool {
    newest?.release == release.release && newest?.digest == release.config
  }

  /// Takes over key documents and floors, and stores them before anything is loaded.
  private func adopt(_ new: TrustMemory) {
    guard let known = state.trust, new != known else { return }
    let isLaterDocument = new.document.version > known.document.version
    state.adopt(new)
    presenter.apply(rules)
    if isLaterDocument { presenter.report(.trusted(document: new.document.version)) }
    store(isDurable: isLaterDocument)
  }

  /// Returns whether a config is the newest that was accepted, so that 304 says something.
  func isNewestAccepted(_ config: SiteConfig) -> Bool {
    guard let trust = state.trust else { return config.release == state.highestRelease }
    return config.release == trust.release && config.digest == trust.config
  }

  // MARK: Statements that end

  /// The seconds between two requests for later statements.
  private static let renewalPause = 6 * 3_600.0

  /// Returns the whole config, past all caches, if 304 confirmed a config whose statements end
  /// soon; otherwise `nil`.
  ///
  /// A cache that says 304 for ever, or is made to, would otherwise keep the later statements away.
  private func renewedConfig(after answer: ContentResponse) async -> ContentResponse? {
    guard answer.status == 304, let trust = state.trust, let fresh = trust.fresh else { return nil }
    let moment = clock.moment
    let validity = fresh.expires.secondsSinceReferenceDate - fresh.issued.secondsSinceReferenceDate
    let time = trust.time(at: configuration.verificationClock.now)
    let left = trust.validUntil.secondsSinceReferenceDate - time.secondsSinceReferenceDate
    guard left < validity / 4 else { return nil }
    if let last = state.renewal, let age = moment.seconds(since: last), age < Self.renewalPause {
      return nil
    }
    state.renewal = moment
    // The stored config is confirmed in any case.
    noteCheck(at: moment)
    store(isDurable: false)
    guard let later = try? await requestConfig(asksOrigin: true, isConditional: false) else {
      return nil
    }
    if later.status != 200 { noteRetryAfter(later.header("Retry-After")) }
    return later.status == 200 ? later : nil
  }
}
