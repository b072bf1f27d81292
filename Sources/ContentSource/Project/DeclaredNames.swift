package import ContentModel

/// The names that `content.yaml` declares, for suggestions while a user types a command.
///
/// A name is missing if its setting has a mistake.
package struct DeclaredNames: Sendable {
  package var channels: [String] = []
  package var locales: [LocaleTag] = []
  package var sourceLocale: LocaleTag?
  /// The declared devices, without `any`.
  package var devices: [String] = []
  package var bundles: [String] = []
  /// The caches of all channels, each once.
  package var caches: [CacheName] = []
}

extension DeclaredNames {
  init(_ reading: ProjectReading) {
    channels = reading.delivery.channels.map(\.name)
    locales = reading.delivery.locales?.declared ?? []
    sourceLocale = reading.delivery.locales?.source
    devices = reading.project?.devices.declared.map(\.name) ?? []
    bundles = reading.project?.bundles.map(\.name) ?? []
    for cache in reading.delivery.channels.flatMap(\.caches) where !caches.contains(cache.name) {
      caches.append(cache.name)
    }
  }
}
