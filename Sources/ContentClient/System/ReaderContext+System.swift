import ContentModel
import SiteFormat
import SystemC

#if canImport(Darwin)
  import Foundation
#endif

extension ReaderContext {
  /// The reader whom the system describes, on the device `any`.
  ///
  /// On Linux, languages are those of `LANGUAGE`, then that of `LC_ALL`, `LC_MESSAGES` or `LANG`,
  /// whose region is the country; the version is unknown. On Apple systems, languages and region
  /// are those of the user's settings, and the version is `CFBundleShortVersionString`.
  ///
  /// ```swift
  /// var context = ReaderContext.system
  /// context.device = "tablet"
  /// ```
  public static var system: ReaderContext {
    #if canImport(Darwin)
      let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString")
      return ReaderContext(
        locales: Locale.preferredLanguages, country: Locale.current.region?.identifier,
        appVersion: (version as? String).flatMap { AppVersion($0) })
    #else
      return ReaderContext(environment: { getenv($0).map { String(cString: $0) } })
    #endif
  }
}

extension ReaderContext {
  /// Reads the languages and the country from environment variables, as gettext does.
  ///
  /// `LANGUAGE` does not count if the locale is `C` or `POSIX`.
  init(environment: (String) -> String?) {
    self.init()
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment($0) }
    guard let locale = names.first(where: { !$0.isEmpty }).flatMap({ Self.tag($0) }) else { return }
    let languages = (environment("LANGUAGE") ?? "").split(separator: ":").compactMap {
      Self.tag(String($0))
    }
    for tag in languages + [locale] where !locales.contains(tag.description) {
      locales.append(tag.description)
    }
    if let region = locale.region, region.utf8.count == 2 { country = region }
  }

  /// Reads a name such as `fr_CA.UTF-8` or `sr_RS@latin`; `nil` for `C`, `POSIX` and unknown forms.
  private static func tag(_ name: String) -> LocaleTag? {
    let parts = name.split(separator: "@", maxSplits: 1)
    guard let first = parts.first?.split(separator: ".").first, first != "C", first != "POSIX"
    else { return nil }
    let scripts = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"]
    let script = parts.dropFirst().first.flatMap { scripts[String($0)] }
    let subtags = first.split { $0 == "_" || $0 == "-" }.map(String.init)
    guard let script, let language = subtags.first else { return LocaleTag(String(first)) }
    return LocaleTag(([language, script] + subtags.dropFirst()).joined(separator: "-"))
  }
}
