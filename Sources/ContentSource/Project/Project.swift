package import ContentModel
package import Diagnostics

/// The settings in `content.yaml`.
package struct Project: Sendable {
  /// The settings that deliver releases.
  package var delivery: DeliverySettings
  package var locales: LocaleSet
  package var devices: DeviceTree
  package var minimumApp: AppVersion?
  package var bundles: [BundleDefinition]
  package var sources: [SourceOptions]
  /// A Boolean value that indicates whether binary bundles have recipes, which are text.
  package var transfersText = false
  /// The places of the settings in `content.yaml`.
  package var places = Places()
  /// `true` if an error about locales was reported, so that an unknown locale may be one that could
  /// not be read.
  var mayLackLocales = false
  /// The texts in `locales` that are no language tags, whose error is reported in `locales` only.
  var unreadableLocales: Set<ExactString> = []
  /// `true` if a reported error is that `locales` lacks the source locale.
  var hasUndeclaredSource = false
  /// `true` if an error about devices was reported, so that an unknown device may be an unreadable
  /// one.
  var mayLackDevices = false

  /// The app's name, which config begins with.
  package var app: String { delivery.app }
  package var format: PropertyListFormat { delivery.format }
  package var lifetimes: DeliverySettings.Lifetimes { delivery.lifetimes }

  /// The options of the files that a pattern matches.
  package struct SourceOptions: Sendable {
    package var pattern: Glob
    /// The severity of a duplicate key; `nil` if the pattern does not set it.
    package var duplicateKeys: Diagnostic.Severity?
    /// `true` if translations may have other placeholders than the source locale's texts; `nil` if
    /// the pattern does not set it.
    package var allowsOtherPlaceholders: Bool?
  }

  /// Returns the severity of a duplicate key in a file, by its path below the content folder.
  package func duplicateKeys(in path: String) -> Diagnostic.Severity {
    setting(\.duplicateKeys, for: path) ?? .error
  }

  /// Returns `true` if the texts in a file may have other placeholders than those of the source
  /// locale, by the file's path below the content folder.
  package func allowsOtherPlaceholders(in path: String) -> Bool {
    setting(\.allowsOtherPlaceholders, for: path) ?? false
  }

  /// Returns the value of the last pattern that matches a path and sets one.
  private func setting<Setting>(
    _ setting: (SourceOptions) -> Setting?, for path: String
  ) -> Setting? {
    sources.last { setting($0) != nil && $0.pattern.matches(path) }.flatMap(setting)
  }
}

/// A mutable pointer to a release, and the target of its publications.
package struct Channel: Sendable {
  package var name: String
  package var location: SourceLocation
  /// The address of the target; `TargetKind` has its forms.
  package var target: String
  package var url: String?
  /// The caches before the target, from the origin outward.
  package var caches: [CacheLayer]
  /// The maximum time for an answer of the origin, which may put old bytes into a cache after a
  /// purge.
  package var originTimeout: TimeSpan
  /// A Boolean value that indicates whether a folder gets a file `_headers`, for hosts that read
  /// it.
  package var writesHeaders = false
  /// A Boolean value that indicates whether a folder also gets the live bundles under readable
  /// names.
  package var hasLatest = false
  /// The signing of config; `nil` for a channel whose configs are not signed.
  package var signing: Signing?
  /// A Boolean value that indicates whether releases have the pseudo-locales, too.
  package var hasPseudoLocales = false

  /// The signing of a channel's configs.
  package struct Signing: Hashable, Sendable {
    /// The folder with the key documents, relative to the content folder.
    package var keys: String
    /// The time for which a signed config is current.
    package var validFor: TimeSpan
  }
}

extension Project {
  /// Adds the pseudo-locales, whose texts are made from those of the source locale.
  ///
  /// A pseudo-locale that the project declares stays a locale like any other, which is an error.
  package mutating func addPseudoLocales() -> [Diagnostic] {
    let declared = locales.declared.filter(\.isPseudo)
    locales = locales.addingPseudoLocales()
    return declared.map { locale in
      .error(
        .declaredPseudoLocale, at: places.locales,
        message:
          "'locales' must not have '\(locale)' in a build with pseudo-locales; delete it there",
        notes: [Diagnostic.Note("the build makes its texts, and needs no files for it")])
    }
  }
}
