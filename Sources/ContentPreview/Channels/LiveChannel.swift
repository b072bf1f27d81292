import ContentModel
import Synchronization

/// A channel whose target is asked at most once a second.
///
/// A class, since all connections share the results.
final class LiveChannel: Sendable {
  let name: String
  private let source: ChannelSource
  private let time: @Sendable () -> ContinuousClock.Instant
  private let last = Mutex(LastResults())
  private let objects: ByteCache

  /// The target's last results, with their times.
  private struct LastResults {
    var content: (value: LiveContent, at: ContinuousClock.Instant)?
    var failure: (error: UnreadableChannel, at: ContinuousClock.Instant)?
  }

  /// The time for which a result is valid.
  static let interval = Duration.seconds(1)
  /// The most bytes of objects in memory.
  static let cacheLimit = 64 << 20

  init(
    _ source: ChannelSource, cacheLimit: Int = cacheLimit,
    time: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (name, self.source, self.time) = (source.name, source, time)
    objects = ByteCache(limit: cacheLimit)
  }

  /// Returns the live content as of the last second.
  ///
  /// Calls must not overlap: a queued call then gets the result of the one before.
  func content() throws(UnreadableChannel) -> LiveContent {
    try rethrowRecentFailure()
    let known = last.withLock { $0.content }
    if let known, isRecent(known.at) { return known.value }
    let content = try recordingFailure { () throws(UnreadableChannel) in try source.readLive() }
    last.withLock { $0.content = (content, time()) }
    return content
  }

  /// Returns an object of the live content; `nil` if the release does not name it.
  ///
  /// Several threads may call it.
  func object(_ path: String, of content: LiveContent) throws(UnreadableChannel) -> [UInt8]? {
    guard content.objects.contains(path) else { return nil }
    if let bytes = objects[path] { return bytes }
    try rethrowRecentFailure()
    let bytes = try recordingFailure { () throws(UnreadableChannel) in
      try content.readObject(path)
    }
    objects.insert(bytes, for: path)
    return bytes
  }

  /// Returns the differences between the live content of one side and the build.
  func changes(
    of content: LiveContent, _ side: LiveContent.Side
  ) throws(UnreadableChannel) -> Members {
    try content.changes(side) { [self] path throws(UnreadableChannel) in
      guard let bytes = try object(path, of: content) else {
        throw UnreadableChannel("'\(path)' is in no release")
      }
      return bytes
    }
  }

  /// Throws a recent failure again, so that queued requests do not wait for the target one by one.
  private func rethrowRecentFailure() throws(UnreadableChannel) {
    if let failure = last.withLock({ $0.failure }), isRecent(failure.at) { throw failure.error }
  }

  private func recordingFailure<Result>(
    _ work: () throws(UnreadableChannel) -> Result
  ) throws(UnreadableChannel) -> Result {
    do throws(UnreadableChannel) { return try work() } catch {
      last.withLock { $0.failure = (error, time()) }
      throw error
    }
  }

  private func isRecent(_ instant: ContinuousClock.Instant) -> Bool {
    time() - instant < Self.interval
  }
}
