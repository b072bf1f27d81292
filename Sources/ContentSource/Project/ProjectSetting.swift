import Diagnostics

/// A setting of `content.yaml` that a command can use.
package enum ProjectSetting: String, CaseIterable, Sendable {
  // Settings of the project; `locales` includes `sourceLocale` and `fallback`.
  case app, locales, devices, format, ttl, stalenessLimit, minimumApp, bundles, sources
  case transfer
  /// The names of the channels, for a command that chooses channels by itself.
  case channels
  // Settings of a channel.
  case target, url, cdn, originTimeout, signing, headers, latest, pseudo

  /// Creates the setting that a key of the project or of a channel belongs to.
  init?(key: String) {
    self.init(rawValue: ["sourceLocale", "fallback"].contains(key) ? "locales" : key)
  }
}

/// A mistake in `content.yaml`, and the setting that it concerns.
struct SettingMistake: Sendable {
  let diagnostic: Diagnostic
  /// The setting; `nil` if the mistake may concern any.
  private let setting: ProjectSetting?
  /// The channel whose setting it is; `nil` for the project.
  private let channel: String?

  /// Creates a mistake in the value of a key; `nil` if it may concern the value of any key.
  init(_ diagnostic: Diagnostic, inValueOf key: String?, of channel: String? = nil) {
    (self.diagnostic, self.channel) = (diagnostic, channel)
    setting = key.flatMap(ProjectSetting.init(key:))
  }

  /// Returns `true` if the mistake concerns one of some settings, of the project or of some channels.
  func concerns(_ settings: Set<ProjectSetting>, of channels: [String]) -> Bool {
    (setting.map(settings.contains) ?? true) && (channel.map(channels.contains) ?? true)
  }
}
