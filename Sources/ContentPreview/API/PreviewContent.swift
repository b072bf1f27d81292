import ContentModel
import ContentSource
import Synchronization

/// The content's tree, read when it is first asked for after a change.
///
/// A class, since all who ask share what was read.
final class PreviewContent: Sendable {
  let source: PreviewSource
  private let rebuilder: Rebuilder
  private let last = Mutex<(generation: Int, tree: ContentTree)?>(nil)
  /// Held while it is read: who asks meanwhile waits for the same tree.
  private let reading = Mutex(())

  init(_ source: PreviewSource, _ rebuilder: Rebuilder) { (self.source, self.rebuilder) = (source, rebuilder) }

  /// How the last attempt to build it went.
  var state: PreviewState { rebuilder.current }

  /// The tree, and of which generation it is.
  ///
  /// While the content has mistakes, that of the build that is served still, if it was asked for before.
  func tree() throws(Refusal) -> (generation: Int, tree: ContentTree) {
    if let known { return known }
    return try reading.withLock { _ throws(Refusal) in
      if let known { return known }
      let generation = state.generation
      guard let tree = source.read() else {
        throw Refusal(.serviceUnavailable, "the content cannot be read: 'content.yaml' has mistakes")
      }
      last.withLock { $0 = (generation, tree) }
      return (generation, tree)
    }
  }

  /// What was read, where it still counts.
  var known: (generation: Int, tree: ContentTree)? {
    let state = state
    return last.withLock { $0 }.flatMap { $0.generation == state.generation || !state.isGood ? $0 : nil }
  }

  /// The tree, and a context of it.
  func context(_ locale: String?, _ device: String?) throws(Refusal) -> (
    generation: Int, tree: ContentTree, context: Context
  ) {
    let (generation, tree) = try tree()
    let (locales, devices) = (tree.project.locales, tree.project.devices)
    guard let tag = locale.map({ LocaleTag($0) }) ?? locales.source, locales.declared.contains(tag) else {
      throw Refusal(unknown: "locale", locale ?? "", known: locales.declared.map(\.identifier), .badRequest)
    }
    let device = device ?? DeviceTree.root
    guard devices.names.contains(device) else {
      throw Refusal(unknown: "device", device, known: devices.names, .badRequest)
    }
    return (generation, tree, Context(locale: tag, device: device, locales: locales, devices: devices))
  }
}
