package import ContentModel
package import Diagnostics
import YAML

extension Project {
  /// The places of settings, for messages about content that does not fit them.
  package struct Places: Sendable {
    /// The value of `sourceLocale`.
    package var source: SourceLocation?
    /// The keys of the chains in `fallback`.
    package var chains: [LocaleTag: SourceLocation] = [:]
    /// The key `bundles`.
    package var bundles: SourceLocation?
    /// The value of `locales`.
    var locales: SourceLocation?
    /// The key `devices`.
    var devices: SourceLocation?

    init() {}

    /// Finds the places in the root node of `content.yaml`.
    init(of root: YAMLNode) {
      source = root["sourceLocale"]?.place
      if let fallback = root["fallback"] {
        for (key, _) in fallback.members {
          if let locale = LocaleTag(node: key) { chains[locale] = key.location }
        }
      }
      bundles = root.member("bundles")?.key.location
      locales = root["locales"]?.location
      devices = root.member("devices")?.key.location
    }
  }
}

extension Project.Places {
  /// The missing declaration of a device that content names.
  func declaration(ofDevice name: String, among known: [String]) -> Diagnostic.Declaration {
    let advice = name.nearest(among: known).map { "write '\($0)' there" } ?? "correct them"
    return Diagnostic.Declaration(
      missingAt: devices,
      summary:
        "places are for the device '\(name)', which 'devices' lacks; declare it here, or \(advice)")
  }

  /// The missing declaration of a locale that content names.
  ///
  /// A locale also declares those in its chain, so one is missing for all locales of a language
  /// without any.
  func declaration(ofLocale text: String, among known: [LocaleTag]) -> Diagnostic.Declaration {
    let language = LocaleTag(text)?.language
    let isAlone = language != nil && !known.contains { $0.language == language }
    let nearest = text.meantLocale(among: known.map(\.identifier))
    let subject = isAlone ? "locales of the language '\(language ?? "")'" : "the locale '\(text)'"
    let advice = nearest.map { "write '\($0)' there" } ?? "correct them"
    return Diagnostic.Declaration(
      missingAt: locales,
      summary:
        "places are for \(subject), which 'locales' lacks; declare \(isAlone ? "one" : "it") here, or \(advice)"
    )
  }
}
