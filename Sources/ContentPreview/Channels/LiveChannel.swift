import ContentModel
import Synchronization

/// A channel's target, asked no more often than it must be.
///
/// A class, since all connections share what was read.
final class LiveChannel: Sendable {
  let name: String
  private let source: ChannelSource
  private let time: @Sendable () -> ContinuousClock.Instant
  private let last = Mutex(Last())
  private let objects: ByteCache

  /// How the target answered, and when.
  private struct Last {
    var content: (LiveContent, at: ContinuousClock.Instant)?
    var problem: (UnreadableChannel, at: ContinuousClock.Instant)?
  }

  /// For how long an answer counts.
  static let interval = Duration.seconds(1)
  /// The most bytes of objects that are kept for the next who asks.
  static let memory = 64 << 20

  init(
    _ source: ChannelSource, memory: Int = memory,
    time: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    (name, self.source, self.time, objects) = (
      source.name, source, time, ByteCache(limit: memory)
    )
  }

  /// What is live, by the target's word of the last second.
  ///
  /// Called by one thread, one call after the other: who waited finds what the one before was told.
  func content() throws(UnreadableChannel) -> LiveContent {
    try refuseWhileIll()
    let known = last.withLock { $0.content }
    if let known, isRecent(known.at) { return known.0 }
    let content = try noting { () throws(UnreadableChannel) in try source.look() }
    last.withLock { $0.content = (content, time()) }
    return content
  }

  /// An object of what is live, or `nil` for one that the release does not name.
  ///
  /// Several threads may ask.
  func object(_ path: String, of content: LiveContent) throws(UnreadableChannel) -> [UInt8]? {
    guard content.objects.contains(path) else { return nil }
    if let kept = objects[path] { return kept }
    try refuseWhileIll()
    let bytes = try noting { () throws(UnreadableChannel) in try content.read(path) }
    objects.keep(bytes, as: path)
    return bytes
  }

  /// What its readers would see change, as `contentc diff --json` tells it.
  func changes(of content: LiveContent) throws(UnreadableChannel) -> Members {
    try content.changes { [self] path throws(UnreadableChannel) in
      guard let bytes = try object(path, of: content) else {
        throw UnreadableChannel("'\(path)' is in no release")
      }
      return bytes
    }
  }

  /// A target that does not answer makes everybody wait once, not one after the other.
  private func refuseWhileIll() throws(UnreadableChannel) {
    if let problem = last.withLock({ $0.problem }), isRecent(problem.at) { throw problem.0 }
  }

  private func noting<Result>(
    _ work: () throws(UnreadableChannel) -> Result
  ) throws(UnreadableChannel) -> Result {
    do throws(UnreadableChannel) { return try work() } catch {
      last.withLock { $0.problem = (error, time()) }
      throw error
    }
  }

  private func isRecent(_ instant: ContinuousClock.Instant) -> Bool {
    time() - instant < Self.interval
  }
}
