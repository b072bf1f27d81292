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

  init(_ source: PreviewSource, _ rebuilder: Rebuilder) { (self.source, self.rebuilder) = (source, rebuilder) }

  /// How the last attempt to build it went.
  var state: PreviewState { rebuilder.current }

  /// The tree, and of which generation it is.
  ///
  /// While the content has mistakes, that of the build that is served still, if it was asked for before.
  func tree() throws(Refusal) -> (generation: Int, tree: ContentTree) {
    let state = state
    let known = last.withLock { $0 }
    if let known, known.generation == state.generation || !state.isGood { return known }
    guard let tree = source.read() else {
      throw Refusal(.serviceUnavailable, "the content cannot be read: 'content.yaml' has mistakes")
    }
    last.withLock { $0 = (state.generation, tree) }
    return (state.generation, tree)
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
