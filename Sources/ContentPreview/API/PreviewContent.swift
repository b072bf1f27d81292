import ContentModel
import ContentSource
import Synchronization

/// The content as it was at one attempt to build it.
struct AttemptedContent: Sendable {
  /// The number of the attempt.
  var generation: Int
  var tree: ContentTree
  /// `true` if the served build was made of this content.
  var isShown: Bool

  /// Returns members with a mark if they describe other content than the served build.
  func marked(_ members: Members) -> Members {
    var members = members
    if !isShown { members["isShown"] = false }
    return members
  }
}

/// The content's tree, read at the first request after a change.
///
/// A class, since all connections share the tree.
final class PreviewContent: Sendable {
  let source: PreviewSource
  private let rebuilder: Rebuilder
  /// The last snapshot, with the digest of the build's config where it is known to be its source.
  private let last = Mutex<(snapshot: AttemptedContent, config: Digest?)?>(nil)
  /// Held during a read, so that concurrent requests wait for the same tree.
  private let reading = Mutex(())

  init(_ source: PreviewSource, rebuilder: Rebuilder) {
    (self.source, self.rebuilder) = (source, rebuilder)
  }

  /// The state after the last attempt to build.
  var state: PreviewState { rebuilder.current }

  /// Returns the content's tree, which is read once after each change.
  ///
  /// While the content has mistakes, the tree is that of the served build if it was read before.
  /// Otherwise it has the mistakes, or is an older one.
  func read() throws(RequestError) -> AttemptedContent {
    if let known { return known }
    return try reading.withLock { _ throws(RequestError) in try readAgain() }
  }

  /// The last snapshot, if it is still valid.
  var known: AttemptedContent? { known(in: state) }

  private func readAgain() throws(RequestError) -> AttemptedContent {
    var state = state
    for isLast in [false, true] {
      if let known = known(in: state) { return known }
      let quiet = rebuilder.quietSince
      let tree = source.read()
      let before = state
      state = self.state
      // If a build began meanwhile, the tree may be from before or after the change.
      if before.generation != state.generation, !isLast { continue }
      guard let tree else { break }
      // Before the first attempt, the result is not known yet. Pages ask again after it.
      let isShown = state.isGood || state.generation == 0
      let snapshot = AttemptedContent(generation: before.generation, tree: tree, isShown: isShown)
      // A running build may be of this tree or not.
      let isCertain = state.isGood && quiet != nil && quiet == rebuilder.quietSince
      last.withLock { [state] in $0 = (snapshot, isCertain ? state.config : nil) }
      return snapshot
    }
    if var known = last.withLock({ $0?.snapshot }) {
      known.isShown = false
      return known
    }
    throw .unreadableContent
  }

  /// Returns the last snapshot if it is of the last attempt or of the served build.
  private func known(in state: PreviewState) -> AttemptedContent? {
    guard let (snapshot, config) = last.withLock({ $0 }) else { return nil }
    if snapshot.generation == state.generation { return snapshot }
    return !state.isGood && config != nil && config == state.config ? snapshot : nil
  }

  /// Returns a context of a tree; by default for the source locale and the device `any`.
  static func context(
    of tree: ContentTree, locale: String?, device: String?
  ) throws(RequestError) -> Context {
    let (locales, devices) = (tree.project.locales, tree.project.devices)
    guard let tag = locale.map({ LocaleTag($0) }) ?? locales.source, locales.declared.contains(tag)
    else {
      throw RequestError(
        unknown: "locale", name: locale ?? "", known: locales.declared.map(\.identifier))
    }
    let device = device ?? DeviceTree.root
    guard devices.names.contains(device) else {
      throw RequestError(unknown: "device", name: device, known: devices.names)
    }
    return Context(locale: tag, device: device, locales: locales, devices: devices)
  }
}
