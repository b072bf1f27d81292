public import ContentModel
import SiteFormat

/// The reader for whom content is chosen: languages, device, country and version of the app.
///
/// ```swift
/// var context = ReaderContext(locales: ["fr-CA", "en"])
/// context.device = "tablet"
/// context.appVersion = AppVersion("2.1")
/// ```
public struct ReaderContext: Hashable, Sendable {
  /// The preferred languages as tags (BCP 47), the most wanted first.
  public var locales: [String]
  /// The name of the device, as `devices` in `content.yaml` declares it; `any` for none of them.
  public var device: String
  /// The country as two capital letters (ISO 3166-1); `nil` if it is unknown.
  public var country: String?
  /// The version of the app; `nil` if it is unknown.
  public var appVersion: AppVersion?

  /// Creates a context.
  public init(
    locales: [String] = [], device: String = "any", country: String? = nil,
    appVersion: AppVersion? = nil
  ) {
    (self.locales, self.device) = (locales, device)
    (self.country, self.appVersion) = (country, appVersion)
  }

  /// Compares texts byte by byte.
  public static func == (a: ReaderContext, b: ReaderContext) -> Bool {
    a.locales.elementsEqual(b.locales) { $0.hasSameBytes(as: $1) }
      && a.device.hasSameBytes(as: b.device) && a.country.hasSameBytes(as: b.country)
      && a.appVersion == b.appVersion
  }

  /// Hashes languages and device.
  public func hash(into hasher: inout Hasher) {
    for locale in locales { locale.hashBytes(into: &hasher) }
    device.hashBytes(into: &hasher)
  }
}

// MARK: The site of a reader

extension SiteConfig {
  /// Returns the locale and device that a reader gets.
  func served(_ reader: ReaderContext) -> ServedContext {
    served(locales: reader.locales, device: reader.device)
  }
}

extension BundleRow {
  /// Returns the version that a reader gets.
  func version(for reader: ReaderContext) -> Version {
    version(country: reader.country, app: reader.appVersion)
  }

  /// Returns whether a reader gets the version that startup bundles have in the index itself.
  func isOwn(for reader: ReaderContext) -> Bool {
    isOwn(country: reader.country, app: reader.appVersion)
  }
}
