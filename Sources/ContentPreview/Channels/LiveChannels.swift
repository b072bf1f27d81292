import ContentModel
import ContentSource
import Dispatch
import Synchronization

/// What is live in channels, beside the build: everything below `/channels/`, and what would
/// change.
///
/// A class, since it keeps the last comparison; none of its answers keeps those of the build
/// waiting.
final class LiveChannels: Sendable {
  private let channels: [LiveChannel]
  private let rebuilder: Rebuilder
  private let compared = Mutex<Comparison?>(nil)
  private let looking: [String: DispatchQueue]
  private let comparing = DispatchQueue(label: "contentc.changes")
  /// A page asks for many objects at once, each of which may take a while; the same one is read
  /// once.
  private let lanes = (0..<4).map { DispatchQueue(label: "contentc.channel.\($0)") }

  /// What came of one build and one release.
  private struct Comparison {
    var channel: String
    var build: Digest?
    var live: [UInt8]?
    var members: Members
  }

  init(_ source: PreviewSource, _ rebuilder: Rebuilder) {
    self.rebuilder = rebuilder
    channels = source.channels.map { LiveChannel($0) }
    looking = Dictionary(
      channels.map { ($0.name, DispatchQueue(label: "contentc.channel.\($0.name)")) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The file that a question asks for, by the names after `channels`.
  func file(_ names: [String], _ request: PreviewRequest) async throws(RequestError)
    -> PreviewResponse
  {
    let (channel, rest) = (try channel(names.first ?? ""), Array(names.dropFirst()))
    let object = BuildFiles.object(rest)
    guard
      object != nil || (rest.count == 2 && rest[0] == channel.name && rest[1].hasPrefix("config."))
    else {
      throw .nothingHere
    }
    let live = try await live(channel)
    if let object {
      return try await self.object(object, rest, of: live, channel).response(to: request)
    }
    guard let config = live.config else {
      throw RequestError(.notFound, "nothing was published in '\(channel.name)' yet")
    }
    guard rest[1] == "config.\(config.fileExtension)" else { throw .nothingHere }
    return Representation(
      content: .bytes(config.bytes), tag: EntityTag(Digest(of: config.bytes).hex),
      type: .contentType(of: config.fileExtension), cacheControl: "no-cache"
    ).response(to: request)
  }

  private func object(
    _ digest: Digest, _ names: [String], of live: LiveContent, _ channel: LiveChannel
  ) async throws(RequestError) -> Representation {
    let lane = lanes[Int(digest.bytes.first ?? 0) % lanes.count]
    let bytes = try await lane.run { () throws(RequestError) in
      try RequestError.unavailable { () throws(UnreadableChannel) in
        try channel.object(names.joined(separator: "/"), of: live)
      }
    }
    guard let bytes else { throw .nothingHere }
    return Representation(
      content: .bytes(bytes), tag: EntityTag(digest.hex),
      type: .contentType(of: BuildFiles.fileExtension(of: names[names.count - 1])),
      cacheControl: BuildFiles.forever)
  }

  /// The answer of `/api/changes`.
  func changes(_ request: PreviewRequest) async throws(RequestError) -> PreviewResponse {
    let asked = try request.parameters([], required: ["channel"])
    let channel = try channel(asked["channel"] ?? "")
    let live = try await live(channel)
    return try await comparing.run { [self] () throws(RequestError) in
      let generation = rebuilder.current.generation
      var members = try comparison(of: channel, live)
      members["channel"] = .string(channel.name)
      members["release"] = live.config.map { .integer(Int64($0.release)) }
      members["generation"] = .integer(Int64(generation))
      return .json(.dictionary(members))
    }
  }

  private func comparison(of channel: LiveChannel, _ live: LiveContent) throws(RequestError)
    -> Members
  {
    for isLast in [false, true] {
      let build = rebuilder.current.config
      let known = compared.withLock { $0 }
      if let known, known.channel == channel.name, known.build == build,
        known.live == live.config?.bytes
      {
        return known.members
      }
      do throws(UnreadableChannel) {
        let members = try channel.changes(of: live)
        // Another build may have come meanwhile.
        guard rebuilder.current.config == build else { continue }
        let comparison = Comparison(
          channel: channel.name, build: build, live: live.config?.bytes, members: members)
        compared.withLock { $0 = comparison }
        return members
      } catch {
        if isLast || rebuilder.current.config == build {
          throw RequestError(.serviceUnavailable, error.message)
        }
      }
    }
    throw RequestError(.serviceUnavailable, "the content is being built; ask again")
  }

  private func channel(_ name: String) throws(RequestError) -> LiveChannel {
    guard let channel = channels.first(where: { $0.name == name }) else {
      throw RequestError(.notFound, "the preview was not started with '--channel \(name)'")
    }
    return channel
  }

  private func live(_ channel: LiveChannel) async throws(RequestError) -> LiveContent {
    guard let queue = looking[channel.name] else { throw .nothingHere }
    return try await queue.run { () throws(RequestError) in
      try RequestError.unavailable { () throws(UnreadableChannel) in try channel.content() }
    }
  }
}

extension RequestError {
  /// Does what needs a target, which may not be there.
  fileprivate static func unavailable<Result>(
    _ work: () throws(UnreadableChannel) -> Result
  ) throws(RequestError) -> Result {
    do throws(UnreadableChannel) { return try work() } catch {
      throw RequestError(.serviceUnavailable, error.message)
    }
  }
}
