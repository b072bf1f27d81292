import ContentModel

extension ContentClient {
  /// Checks config after a push, unless its release is known; the push itself proves nothing.
  ///
  /// The check waits for a random time, so that the clients of one push do not ask all at once: up
  /// to three seconds in the foreground, and up to thirty otherwise. Pushes that arrive meanwhile
  /// wait for the same check. If the release is not there yet, the next check on schedule finds it.
  ///
  /// ```swift
  /// let outcome = await client.receivedPush(PushPayload(channel: "production", release: 12))
  /// ```
  public func receivedPush(_ payload: PushPayload) async -> RefreshOutcome {
    await check(after: payload, within: schedule.withLock { $0 != nil } ? 3 : 30)
  }

  /// Checks config after a push, within some seconds.
  func check(after payload: PushPayload, within longest: Double) async -> RefreshOutcome {
    guard payload.channel == configuration.channel, await !knows(payload) else { return .unchanged }
    let check = pushed.withLock { pushed in
      if let pushed { return pushed }
      let new = Task { [weak self, configuration] in
        try? await configuration.clock.sleep(seconds: longest * configuration.random.fraction())
        return await self?.checkNow(after: payload) ?? .failed(.cancelledRefresh)
      }
      pushed = new
      return new
    }
    return await check.value
  }

  /// Checks config once, unless other checks brought the release meanwhile.
  private func checkNow(after payload: PushPayload) async -> RefreshOutcome {
    // Later pushes are of newer releases.
    pushed.withLock { $0 = nil }
    // The refresh on its way may have checked before the push.
    if let running = refreshing {
      let outcome = await running.outcome
      if await knows(payload) { return outcome }
    }
    return await refresh(.push).outcome
  }

  private func knows(_ payload: PushPayload) async -> Bool {
    await payload.release <= refresher.state.highestRelease
  }
}

/// The content of a push: a hint to check config.
///
/// ```swift
/// let payload = PushPayload(channel: "production", release: 12, kind: .purge)
/// ```
public struct PushPayload: Hashable, Sendable {
  /// The command that made the release live, as `kind` of the machine's notification has it.
  ///
  /// ```swift
  /// let kind = PushPayload.Kind(rawValue: "maintenance")
  /// ```
  public enum Kind: String, Hashable, Sendable {
    /// New content.
    case publish
    /// The content of another channel.
    case promote
    /// The content of an earlier release.
    case rollback
    /// Content was withdrawn.
    case purge
    /// Maintenance began or ended.
    case maintenance
  }

  /// The name of the channel.
  public var channel: String
  /// The number of the release.
  public var release: Int
  /// The command that made the release live; `nil` if the push does not say it.
  ///
  /// An app may show or count it. The client treats all kinds alike, since a push is not trusted.
  public var kind: Kind?

  /// Creates a payload.
  ///
  /// ```swift
  /// let hint = PushPayload(channel: "production", release: 13, kind: .publish)
  /// ```
  public init(channel: String, release: Int, kind: Kind? = nil) {
    (self.channel, self.release, self.kind) = (channel, release, kind)
  }

  /// Compares all members, channels byte by byte.
  public static func == (a: PushPayload, b: PushPayload) -> Bool {
    a.channel.hasSameBytes(as: b.channel) && a.release == b.release && a.kind == b.kind
  }

  /// Hashes the release.
  public func hash(into hasher: inout Hasher) { hasher.combine(release) }
}
