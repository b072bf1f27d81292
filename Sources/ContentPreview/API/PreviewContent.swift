import ContentModel
import ContentSource
import Synchronization

/// The content as it was at some attempt to build it.
struct ContentSnapshot: Sendable {
  /// Which attempt.
  var generation: Int
  var tree: ContentTree
  /// Whether it is what the build that is served was made of.
  var isShown: Bool

  /// An answer that says so where it tells of something else than what is served.
  func marked(_ members: Members) -> Members {
    var members = members
    if !isShown { members["isShown"] = false }
    return members
  }
}

/// The content's tree, read when it is first asked for after a change.
///
/// A class, since all who ask share what was read.
final class PreviewContent: Sendable {
  let source: PreviewSource
  private let rebuilder: Rebuilder
  /// `config` is that of the build it is known to have become.
  private let last = Mutex<(read: ContentSnapshot, config: Digest?)?>(nil)
  /// Held while it is read: who asks meanwhile waits for the same tree.
  private let reading = Mutex(())

  init(_ source: PreviewSource, _ rebuilder: Rebuilder) {
    (self.source, self.rebuilder) = (source, rebuilder)
  }

  /// How the last attempt to build it went.
  var state: PreviewState { rebuilder.current }

  /// The content's tree, read anew after each change.
  ///
  /// While the content has mistakes, that of the build that is served still, if it was asked for
  /// before; else that of the content with its mistakes, or an older one.
  func read() throws(RequestError) -> ContentSnapshot {
    if let known { return known }
    return try reading.withLock { _ throws(RequestError) in try readAnew() }
  }

  /// What was read already, where it still counts.
  var known: ContentSnapshot? { known(in: state) }

  private func readAnew() throws(RequestError) -> ContentSnapshot {
    var state = state
    for isLast in [false, true] {
      if let known = known(in: state) { return known }
      let quiet = rebuilder.quietSince
      let tree = source.read()
      let before = state
      state = self.state
      // What was read while another build began may be of either.
      if before.generation != state.generation, !isLast { continue }
      guard let tree else { break }
      // Before the first attempt nobody can know; it is under way. After a later one, whoever looks
      // asks again.
      let isShown = state.isGood || state.generation == 0
      let read = ContentSnapshot(generation: before.generation, tree: tree, isShown: isShown)
      // A build that is under way may be of what was read.
      let isCertain = state.isGood && quiet != nil && quiet == rebuilder.quietSince
      last.withLock { [state] in $0 = (read, isCertain ? state.config : nil) }
      return read
    }
    if var known = last.withLock({ $0?.read }) {
      known.isShown = false
      return known
    }
    throw RequestError(
      .serviceUnavailable, "the content cannot be read: 'content.yaml' has mistakes")
  }

  /// What was read already, if it is of the last attempt, or of the build that is served still.
  private func known(in state: PreviewState) -> ContentSnapshot? {
    guard let (read, config) = last.withLock({ $0 }) else { return nil }
    if read.generation == state.generation { return read }
    return !state.isGood && config != nil && config == state.config ? read : nil
  }

  /// A context of a tree; the source locale and the device `any`, where they are not named.
  static func context(of tree: ContentTree, _ locale: String?, _ device: String?)
    throws(RequestError)
    -> Context
  {
    let (locales, devices) = (tree.project.locales, tree.project.devices)
    guard let tag = locale.map({ LocaleTag($0) }) ?? locales.source, locales.declared.contains(tag)
    else {
      throw RequestError(
        unknown: "locale", locale ?? "", known: locales.declared.map(\.identifier), .badRequest)
    }
    let device = device ?? DeviceTree.root
    guard devices.names.contains(device) else {
      throw RequestError(unknown: "device", device, known: devices.names, .badRequest)
    }
    return Context(locale: tag, device: device, locales: locales, devices: devices)
  }
}
