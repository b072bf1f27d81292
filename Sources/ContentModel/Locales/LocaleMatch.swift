/// The result of matching a list of preferred locales, with a step for each of them.
public struct LocaleMatch: Sendable, Equatable {
  /// The declared locale that matches; `nil` if none does and the source locale is served.
  public var locale: LocaleTag?
  /// The outcome of each requested locale, in order.
  public var steps: [Step]

  /// The relations of a declared locale to a requested one, the closest first.
  public enum Relation: String, Sendable {
    /// The same tag.
    case itself
    /// Another name of the same locale: `he` for `iw`.
    case otherName
    /// The same locale with likely subtags: `zh-Hant` for `zh-TW`.
    case likely
    /// A parent in CLDR or on Apple's systems: `en-GB` for `en-IN`.
    case ancestor
    /// Another region of the same language and script; used only if no preference matches better.
    case sibling
  }

  /// The outcome of a requested locale.
  public struct Step: Sendable, Equatable {
    /// The outcomes of a requested locale.
    public enum Outcome: Sendable, Equatable {
      /// The declared locale is served.
      case taken(LocaleTag, Relation)
      /// The declared locale is a sibling, and a better match is later in the list.
      case passedOver(LocaleTag)
      /// The language is declared only in other scripts.
      case otherScript([LocaleTag])
      /// The language is not declared.
      case undeclared
      /// The text is no language tag.
      case malformed
      /// An earlier preference is served.
      case notNeeded
    }

    /// The locale in the form of the request.
    public var requested: String
    /// The request in canonical form with likely subtags; `nil` if it is no language tag.
    public var understood: LocaleTag?
    /// The outcome.
    public var outcome: Outcome
  }
}

extension LocaleMatch {
  /// Returns a clause for each requested locale; if none matches, a last one names the source
  /// locale.
  public func explanation(source: LocaleTag) -> [String] {
    steps.map(\.explanation)
      + (locale == nil ? ["nothing matches: the source locale \(source) is served"] : [])
  }
}

extension LocaleMatch.Step {
  /// The outcome as a clause without a full stop.
  public var explanation: String {
    let name =
      understood.map { $0.identifier == requested ? requested : "\(requested) (\($0))" }
      ?? "'\(requested)'"
    switch outcome {
    case .taken(let locale, let relation): return "\(name) gets \(locale): \(relation.explanation)"
    case .passedOver(let locale):
      return "\(name) could only get \(locale), another region of its language; "
        + "a better match is later in the list"
    case .otherScript(let others):
      let list = others.map(\.identifier).joined(separator: ", ")
      return "\(name) is not declared, and \(list) is in another script, which is never crossed"
    case .undeclared: return "\(name) is not declared, nor is a parent of it"
    case .malformed: return "\(name) is not a language tag and was skipped"
    case .notNeeded: return "\(name) was not needed"
    }
  }
}

extension LocaleMatch.Relation {
  fileprivate var explanation: String {
    switch self {
    case .itself: "it is declared"
    case .otherName: "another name of the same locale"
    case .likely: "the same once likely script and region are added"
    case .ancestor: "the nearest parent that is declared"
    case .sibling:
      "another region of the same language and script; nothing else in the list matches"
    }
  }
}
