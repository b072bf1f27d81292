import ContentModel

extension ContentClient {
  /// Looks after a push, unless its release is known; the push itself proves nothing.
  ///
  /// The look waits for a random time of up to three seconds in the foreground, and of up to thirty
  /// otherwise, so that the clients of one push do not ask at once. Pushes that arrive meanwhile
  /// wait for the same look. If the release is not there yet, the next look on schedule finds it.
  ///
  /// ```swift
  /// let outcome = await client.receivedPush(PushPayload(channel: "production", release: 12))
  /// ```
  public func receivedPush(_ payload: PushPayload) async -> RefreshOutcome {
    await look(after: payload, within: schedule.withLock { $0 != nil } ? 3 : 30)
  }

  /// Looks after a push, within some seconds.
  func look(after payload: PushPayload, within longest: Double) async -> RefreshOutcome {
    guard payload.channel == configuration.channel, await !knows(payload) else { return .unchanged }
    let look = pushed.withLock { pushed in
      if let pushed { return pushed }
      let new = Task { [weak self, configuration] in
        try? await configuration.clock.sleep(seconds: longest * configuration.random.fraction())
        return await self?.lookNow(after: payload) ?? .failed(.cancelledRefresh)
      }
      pushed = new
      return new
    }
    return await look.value
  }

  /// Looks once, unless other looks brought the release meanwhile.
  private func lookNow(after payload: PushPayload) async -> RefreshOutcome {
    // Later pushes are of newer releases.
    pushed.withLock { $0 = nil }
    // The refresh on its way may have looked before the push.
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

/// The content of a push: a hint to look.
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
  /// An app may show it, or count it. The client looks alike for all kinds: a push is not trusted.
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
