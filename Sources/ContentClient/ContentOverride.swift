public import ContentModel

/// Another channel, reader or time of day, for debug builds.
///
/// The content of an override is stored in a folder of its own, `override` in that of the client,
/// so that what users see later is not mixed with it. ``ContentClient/override`` shows it.
///
/// ```swift
/// #if DEBUG
///   configuration.override = ContentOverride(channel: "staging")
/// #endif
/// ```
public struct ContentOverride: Hashable, Sendable {
  /// The name of another channel.
  ///
  /// An app that pins a key document needs one that names this channel, too: ``trust``.
  public var channel: String?
  /// Another reader, at opening; ``ContentClient/select(_:)`` changes it.
  public var context: ReaderContext?
  /// The time of day at opening, by which entries, list items and maintenance appear and disappear.
  public var instant: Instant?

  /// The signatures of the other channel; `nil` for those of the configuration.
  public var trust: ContentConfiguration.Trust?

  /// Creates an override.
  public init(
    channel: String? = nil, context: ReaderContext? = nil, instant: Instant? = nil,
    trust: ContentConfiguration.Trust? = nil
  ) {
    (self.channel, self.context, self.instant) = (channel, context, instant)
    self.trust = trust
  }

  /// Compares all members, channels byte by byte.
  public static func == (a: ContentOverride, b: ContentOverride) -> Bool {
    a.channel.hasSameBytes(as: b.channel) && a.context == b.context && a.instant == b.instant
      && a.trust == b.trust
  }

  /// Hashes the reader and the time.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(context)
    hasher.combine(instant)
  }
}

extension ContentConfiguration {
  /// The configuration with its override in place of what it overrides.
  var overridden: ContentConfiguration {
    guard let override else { return self }
    var changed = self
    if let channel = override.channel { changed.channel = channel }
    if let trust = override.trust { changed.trust = trust }
    if let context = override.context { changed.context = context }
    if let instant = override.instant {
      changed.originalClock = clock
      changed.clock = ShiftedClock(
        clock, by: instant.secondsSinceReferenceDate - clock.now.secondsSinceReferenceDate)
    }
    if case .folder(let path) = storage { changed.storage = .folder(path: "\(path)/override") }
    return changed
  }
}

/// A clock whose time of day is that of another one, some seconds later or earlier.
private struct ShiftedClock: ContentClock {
  private let clock: any ContentClock
  private let shift: Double

  init(_ clock: any ContentClock, by seconds: Double) { (self.clock, shift) = (clock, seconds) }

  var now: Instant {
    Instant(secondsSinceReferenceDate: clock.now.secondsSinceReferenceDate + shift)
  }

  var uptime: Uptime { clock.uptime }

  func sleep(seconds: Double) async throws { try await clock.sleep(seconds: seconds) }
}
