/// A cache between the origin and the app.
package struct CacheLayer: Hashable, Sendable {
  /// The name in `content.yaml`.
  package let name: CacheName
  /// The values in `content.yaml` by key; ``CacheName/settings`` lists the keys.
  package var settings: [String: [String]]

  /// Creates a cache with some settings.
  package init(_ name: CacheName, settings: [String: [String]] = [:]) {
    (self.name, self.settings) = (name, settings)
  }

  /// `true` if `content.yaml` has every key that a purge requires.
  ///
  /// The values of the named environment variables are not checked.
  package var isPurgeable: Bool {
    name.settings.allSatisfy { !$0.isRequired || !(settings[$0.name] ?? []).isEmpty }
  }
}
