/// What a list of preferred locales gets, and what was tried on the way.
public struct LocaleMatch: Sendable, Equatable {
  /// The declared locale that was matched; `nil` where none was, and the source locale is served.
  public var locale: LocaleTag?
  /// What became of each requested locale, in their order.
  public var steps: [Step]

  /// How a declared locale relates to the requested one, the closest relation first.
  public enum Relation: String, Sendable {
    /// The same tag.
    case itself
    /// Another name of the same locale: `he` for `iw`.
    case otherName
    /// The same locale once likely subtags are added: `zh-Hant` for `zh-TW`.
    case likely
    /// A parent, as CLDR or Apple's systems have it: `en-GB` for `en-IN`.
    case ancestor
    /// Another region of the same language and script; it counts only if nothing else in the list
    /// matches.
    case sibling
  }

  /// What became of one requested locale.
  public struct Step: Sendable, Equatable {
    /// What a requested locale led to.
    public enum Outcome: Sendable, Equatable {
      /// This declared locale is served.
      case taken(LocaleTag, Relation)
      /// A sibling that was passed over, since another preference matched better.
      case passedOver(LocaleTag)
      /// The language is declared in other scripts only.
      case otherScript([LocaleTag])
      /// The language is not declared.
      case undeclared
      /// Not a language tag.
      case malformed
      /// An earlier preference was taken.
      case notNeeded
    }

    /// The locale as it was requested.
    public var requested: String
    /// The request in canonical form with its likely subtags; `nil` if it is not a language tag.
    public var understood: LocaleTag?
    /// What it led to.
    public var outcome: Outcome
  }
}

extension LocaleMatch {
  /// One sentence for each requested locale; where none was matched, a last one names what is
  /// served instead.
  public func explanation(source: LocaleTag) -> [String] {
    steps.map(\.explanation)
      + (locale == nil ? ["nothing matches: the source locale \(source) is served"] : [])
  }
}

extension LocaleMatch.Step {
  /// One sentence that says what became of the request, without a full stop.
  public var explanation: String {
    let name =
      understood.map { $0.identifier == requested ? requested : "\(requested) (\($0))" }
      ?? "'\(requested)'"
    switch outcome {
    case .taken(let locale, let relation): return "\(name) gets \(locale): \(relation.explanation)"
    case .passedOver(let locale):
      return
        "\(name) could only get \(locale), another region of its language; a better match is later in the list"
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
