import ContentModel

/// The part of a channel's content that an app ships with.
package struct BakeOrder: Sendable {
  /// The assets that the app ships with.
  package enum Assets: String, CaseIterable, Sendable {
    case none, startup, all
  }

  /// The declared locales; empty for all.
  package var locales: [String] = []
  /// The declared devices, and `any`; empty for all.
  package var devices: [String] = []
  /// The bundles besides those with `startup: true`, also split ones such as `product` or
  /// `product/rose`; empty for all.
  package var bundles: [String] = []
  package var assets = Assets.all

  package init() {}

  /// Returns whether the order includes a bundle, by the bundle's name or that of its split bundle.
  func includes(bundle name: String) -> Bool {
    bundles.isEmpty || bundles.contains { Self.includes(name, in: $0) }
  }

  /// Returns whether a bundle is the bundle with a name, or a part of that bundle.
  static func includes(_ bundle: String, in name: String) -> Bool {
    bundle.hasSameBytes(as: name) || bundle.hasBytePrefix("\(name)/")
  }
}
