import ContentBuild
import ContentModel
import ContentPreview
import ContentReleases
import ContentTargets
import Diagnostics
import SiteFormat
import Synchronization

/// A reader of a channel's live release, for repeated use.
///
/// A class, since it keeps the last release.
private final class LiveChannelReader: Sendable {
  private let place: ChannelPlace
  private let built: BuiltContent
  private let fresh: FreshFiles
  private let last = Mutex<(release: LiveRelease, content: LiveContent)?>(nil)

  init(_ place: ChannelPlace, built: BuiltContent, fresh: FreshFiles) {
    (self.place, self.built, self.fresh) = (place, built, fresh)
  }

  func read() throws -> LiveContent {
    let known = last.withLock { $0 }
    guard let release = try place.live(known: known?.release.record) else {
      return content(of: nil)
    }
    if let known, known.release.config == release.config { return known.content }
    let content = content(of: release)
    last.withLock { $0 = (release, content) }
    return content
  }

  private func content(of release: LiveRelease?) -> LiveContent {
    let config = release.map {
      LiveContent.Config(
        release: $0.number, bytes: $0.config, fileExtension: $0.format.fileExtension,
        facts: facts(of: $0.record))
    }
    return LiveContent(
      release?.content(at: place.target), config: config, comparedWith: built, fresh: fresh)
  }

  private func facts(of record: ReleaseRecord) -> Members {
    let members = ReleasePage(record: record).members
    let shown = ["of", "issued", "rollout"]
    return Members(shown.compactMap { key in members[key].map { (key, $0) } })
  }
}

extension LiveContent {
  /// The content of a release, which is compared with a build, including `fresh` files.
  init(
    _ live: ReleaseContent?, config: Config?, comparedWith built: BuiltContent, fresh: FreshFiles
  ) {
    let objects = Dictionary(firstOf: (live?.objects ?? []).map { ($0.key, $0) })
    self.init(config: config, objects: Set(objects.keys)) {
      path throws(UnreadableChannel) in
      try UnreadableChannel.wrapping {
        guard let live, let object = objects[path] else {
          throw UnreadableChannel("'\(path)' is in no release")
        }
        return try live.file(object).body.bytes
      }
    } reached: { locales, devices throws(UnreadableChannel) in
      try UnreadableChannel.wrapping {
        do {
          return try (live?.sides ?? []).flatMap {
            try $0.objects(forLocales: locales, devices: devices).map(\.key)
          }
        } catch let error as BakeError {
          throw UnreadableChannel(error.description)
        }
      }
    } changes: { side, readObject throws(UnreadableChannel) in
      try UnreadableChannel.wrapping {
        var old = side == .next ? live?.sides.last : live?.sides.first
        old?.file = { object in
          OutgoingFile(
            bytes: try readObject(object.key),
            headers: FileHeaders(contentType: "", cacheControl: ""))
        }
        let diff = try ReleaseDiff(
          from: old, to: try built.content { fresh[$0] }, explainsSent: true)
        return DiffPage(diff: diff).members.asPrinted
      }
    }
  }
}

extension ReleaseContent {
  /// The stable side and, in a rollout, the next one, each with the objects of both.
  fileprivate var sides: [ReleaseContent] {
    [members.stableSide, members.nextSide].compactMap { members in
      members.map { members in
        var side = self
        side.members = members
        return side
      }
    }
  }
}

extension ChannelSource {
  /// Creates the source of a channel that is compared with a build, including `fresh` files.
  init(_ place: ChannelPlace, built: BuiltContent, fresh: FreshFiles) {
    let reader = LiveChannelReader(place, built: built, fresh: fresh)
    self.init(name: place.channel) { () throws(UnreadableChannel) in
      try UnreadableChannel.wrapping { try reader.read() }
    }
  }
}

extension UnreadableChannel {
  /// Performs work at a target, and throws its errors as sentences without secrets.
  fileprivate static func wrapping<Result>(_ work: () throws -> Result) throws(UnreadableChannel)
    -> Result
  {
    do { return try Failure.ofDelivery(work) } catch let error as UnreadableChannel {
      throw error
    } catch let failure as Failure {
      throw UnreadableChannel(failure.diagnostic.message)
    } catch {
      throw UnreadableChannel("the build and the live release cannot be compared")
    }
  }
}
