package import ArgumentParser
import ContentReleases
import System

/// The option that names the machine's settings file.
package struct SettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The settings of this machine. Default: CONTENTC_SETTINGS, else "
        + "~/.config/contentc/settings.yaml.",
      valueName: "file"), completion: .yamlFiles)
  package var settings: String?

  package init() {}

  /// Reads the `notify` commands for a channel of an app.
  package func notifier(app: String, channel: String) -> Notifier {
    Notifier(
      SettingsFile(named: settings, environment: Environment.value), app: app, channel: channel)
  }
}
