import ContentModel
import ContentSource
import Dispatch
import Synchronization

/// The live content of channels: all files below `/channels/`, and the resource `/api/changes`.
///
/// A class, since it keeps the last comparison. It has queues of its own, so that slow targets do
/// not delay responses about the build.
final class LiveChannels: Sendable {
  private let channels: [LiveChannel]
  private let rebuilder: Rebuilder
  private let lastComparison = Mutex<Comparison?>(nil)
  private let contentQueues: [ExactString: DispatchQueue]
  private let comparisonQueue = DispatchQueue(label: "contentc.changes")
  /// The queues for objects; an object always uses the same queue, so it is read once.
  private let objectQueues = (0..<4).map { DispatchQueue(label: "contentc.channel.\($0)") }

  /// The differences between one build and one side of a release.
  private struct Comparison {
    var channel: String
    var side: LiveContent.Side
    var build: Digest?
    var live: [UInt8]?
    var members: Members
  }

  init(_ source: PreviewSource, rebuilder: Rebuilder) {
    self.rebuilder = rebuilder
    channels = source.channels.map { LiveChannel($0) }
    contentQueues = Dictionary(
      firstOf: channels.map { ($0.name, DispatchQueue(label: "contentc.channel.\($0.name)")) })
  }

  /// Returns the requested file, by the path's names after `channels`.
  func file(
    _ names: [String], for request: PreviewRequest
  ) async throws(RequestError) -> PreviewResponse {
    let (channel, rest) = (try channel(named: names.first ?? ""), Array(names.dropFirst()))
    let digest = BuildFiles.objectDigest(of: rest)
    let isConfig = rest.count == 2 && rest[0] == channel.name && rest[1].hasBytePrefix("config.")
    guard digest != nil || isConfig else { throw .notFound }
    let live = try await liveContent(of: channel)
    if let digest {
      let object = try await object(digest, path: rest, of: live, in: channel)
      return object.response(to: request)
    }
    guard let config = live.config else {
      throw RequestError(
        .notFound, message: "nothing was published in '\(channel.name)' yet")
    }
    guard rest[1] == "config.\(config.fileExtension)" else { throw .notFound }
    return Representation(
      bytes: config.bytes, type: .contentType(of: config.fileExtension)
    ).response(to: request)
  }

  private func object(
    _ digest: Digest, path names: [String], of live: LiveContent, in channel: LiveChannel
  ) async throws(RequestError) -> Representation {
    let queue = objectQueues[Int(digest.bytes.first ?? 0) % objectQueues.count]
    let bytes = try await queue.run { () throws(RequestError) in
      try RequestError.unavailable { () throws(UnreadableChannel) in
        try channel.object(names.joined(separator: "/"), of: live)
      }
    }
    guard let bytes else { throw .notFound }
    let fileExtension = BuildFiles.fileExtension(of: names[names.count - 1])
    return Representation(
      object: bytes, digest: digest, type: .contentType(of: fileExtension))
  }

  /// Returns the resource `/api/changes`.
  func changes(_ request: PreviewRequest) async throws(RequestError) -> PreviewResponse {
    let parameters = try request.parameters(["rollout"], required: ["channel"])
    let channel = try channel(named: parameters["channel"] ?? "")
    let side = try side(parameters["rollout"])
    let live = try await liveContent(of: channel)
    return try await comparisonQueue.run { [self] () throws(RequestError) in
      let generation = rebuilder.current.generation
      var members = try comparison(of: channel, with: live, side)
      for (key, value) in live.members(of: channel.name, side) { members[key] = value }
      members["generation"] = .integer(Int64(generation))
      return .json(.dictionary(members))
    }
  }

  /// Returns the side of the rollout for the value of the parameter `rollout`.
  private func side(_ name: String?) throws(RequestError) -> LiveContent.Side {
    switch name {
    case nil: return .stable
    case "next": return .next
    default: throw RequestError(.badRequest, message: "'rollout' must be 'next', or absent")
    }
  }

  private func comparison(
    of channel: LiveChannel, with live: LiveContent, _ side: LiveContent.Side
  ) throws(RequestError) -> Members {
    for isLast in [false, true] {
      let build = rebuilder.current.config
      let known = lastComparison.withLock { $0 }
      if let known, known.channel == channel.name, known.side == side,
        known.build == build, known.live == live.config?.bytes
      {
        return known.members
      }
      do throws(UnreadableChannel) {
        let members = try channel.changes(of: live, side)
        // Another build may have finished meanwhile.
        guard rebuilder.current.config == build else { continue }
        let comparison = Comparison(
          channel: channel.name, side: side, build: build, live: live.config?.bytes,
          members: members)
        lastComparison.withLock { $0 = comparison }
        return members
      } catch {
        if isLast || rebuilder.current.config == build {
          throw RequestError(.serviceUnavailable, message: error.message)
        }
      }
    }
    throw RequestError(
      .serviceUnavailable, message: "the content is being built; ask again")
  }

  private func channel(named name: String) throws(RequestError) -> LiveChannel {
    guard let channel = channels.first(where: { $0.name == name }) else {
      throw RequestError(
        .notFound, message: "the preview was not started with '--channel \(name)'")
    }
    return channel
  }

  private func liveContent(of channel: LiveChannel) async throws(RequestError) -> LiveContent {
    guard let queue = contentQueues[channel.name] else { throw .notFound }
    return try await queue.run { () throws(RequestError) in
      try RequestError.unavailable { () throws(UnreadableChannel) in try channel.content() }
    }
  }
}

extension RequestError {
  /// Performs work that needs a target, and throws a failure as `serviceUnavailable`.
  fileprivate static func unavailable<Result>(
    _ work: () throws(UnreadableChannel) -> Result
  ) throws(RequestError) -> Result {
    do throws(UnreadableChannel) { return try work() } catch {
      throw RequestError(.serviceUnavailable, message: error.message)
    }
  }
}
