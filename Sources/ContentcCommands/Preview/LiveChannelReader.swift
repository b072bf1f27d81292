import ContentBuild
import ContentDelivery
import ContentModel
import ContentPreview
import Diagnostics
import Synchronization

/// Looks at what is live in a channel, again and again.
///
/// A class, since it remembers the release it saw last.
private final class LiveChannelReader: Sendable {
  private let place: ChannelPlace
  private let built: BuiltContent
  private let fresh: FreshFiles
  private let last = Mutex<(release: LiveRelease, content: LiveContent)?>(nil)

  init(_ place: ChannelPlace, _ built: BuiltContent, _ fresh: FreshFiles) {
    (self.place, self.built, self.fresh) = (place, built, fresh)
  }

  func look() throws -> LiveContent {
    let known = last.withLock { $0 }
    guard let release = try place.live(known: known?.release) else { return content(nil) }
    if let known, known.release.bytes == release.bytes { return known.content }
    let content = content(release)
    last.withLock { $0 = (release, content) }
    return content
  }

  private func content(_ release: LiveRelease?) -> LiveContent {
    let live = release?.content(at: place.target)
    let objects = Dictionary((live?.objects ?? []).map { ($0.key, $0) }) { first, _ in first }
    let config = release.map {
      LiveContent.Config(
        release: $0.number, bytes: $0.bytes, fileExtension: $0.format.fileExtension)
    }
    return LiveContent(config: config, objects: Set(objects.keys)) {
      path throws(UnreadableChannel) in
      try UnreadableChannel.telling {
        guard let live, let object = objects[path] else {
          throw UnreadableChannel("'\(path)' is in no release")
        }
        return try live.file(object).body.bytes
      }
    } changes: { [built, fresh] read throws(UnreadableChannel) in
      try UnreadableChannel.telling {
        var old = live
        old?.file = { object in
          OutgoingFile(
            bytes: try read(object.key), headers: FileHeaders(contentType: "", cacheControl: ""))
        }
        let diff = try ReleaseDiff(
          from: old, to: try built.content { fresh[$0] }, explainsSent: true)
        return DiffPage(diff: diff).members.asPrinted
      }
    }
  }
}

extension ChannelSource {
  /// What is live in a channel, held against what is built in a folder, `fresh` files of it
  /// included.
  init(_ place: ChannelPlace, _ built: BuiltContent, _ fresh: FreshFiles) {
    let look = LiveChannelReader(place, built, fresh)
    self.init(name: place.channel) { () throws(UnreadableChannel) in
      try UnreadableChannel.telling { try look.look() }
    }
  }
}

extension UnreadableChannel {
  /// Does what may fail at a target; its errors are sentences that hold no secret.
  fileprivate static func telling<Result>(_ work: () throws -> Result) throws(UnreadableChannel)
    -> Result
  {
    do { return try Failure.ofDelivery(work) } catch let error as UnreadableChannel {
      throw error
    } catch let failure as Failure {
      throw UnreadableChannel(failure.diagnostic.message)
    } catch {
      throw UnreadableChannel("the build and what is live cannot be compared")
    }
  }
}
