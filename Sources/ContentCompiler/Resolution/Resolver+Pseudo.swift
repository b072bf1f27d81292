import ContentModel
import ContentSource
import Markdown
import YAML

// The texts of a pseudo-locale are made from those of the source locale. Everything else, such as
// the merging of layers, is as in other locales.
extension Resolver {
  /// Returns a localized value as a pseudo-locale shows it; values other than texts are unchanged.
  mutating func pseudo(
    _ value: Resolved, of field: Field, in pseudo: PseudoLocale
  ) -> Resolved {
    guard field.isText else { return value }
    var value = value
    switch value.shape {
    case .scalar(.string(let text)):
      value.shape = .scalar(.string(self.pseudo(text, of: field, in: pseudo, from: value)))
    case .markdown(let markdown):
      let source = markdown.text
      let text = fitting(source, of: field, in: pseudo, from: value) { form in
        form.map { pseudo.markdown(source, as: $0) } ?? source
      } plain: {
        $0.plain
      }
      value.shape = .markdown(ResolvedMarkdown(text, like: markdown, in: pseudo.locale))
    case .plural(let plural):
      let texts = pseudo.categories(for: plural.texts.map(\.category)).compactMap {
        category, source in
        plural.texts.first { $0.category == source }.map { source in
          ResolvedPlural.Text(
            category: category, text: self.pseudo(source, of: field, in: pseudo, from: value))
        }
      }
      value.shape = .plural(ResolvedPlural(texts, in: pseudo.locale, for: pseudo.locale))
    case .scalar, .link, .address, .asset, .list, .object: break
    }
    return value
  }

  /// Returns a text of a plural, and notes a limit that the text breaks.
  private mutating func pseudo(
    _ source: ResolvedPlural.Text, of field: Field, in pseudo: PseudoLocale, from value: Resolved
  ) -> String {
    steps.append(.key(ExactString(source.category.rawValue)))
    defer { steps.removeLast() }
    var value = value
    value.origin = value.origin[source.category.rawValue] ?? value.origin
    return self.pseudo(source.text, of: field, in: pseudo, from: value)
  }

  private mutating func pseudo(
    _ source: String, of field: Field, in pseudo: PseudoLocale, from value: Resolved
  ) -> String {
    fitting(source, of: field, in: pseudo, from: value) { form in
      form.map { pseudo.text(source, as: $0) } ?? source
    } plain: {
      $0
    }
  }

  /// Returns the longest form of a text that fits its field, and notes a limit that the full form
  /// breaks.
  ///
  /// `make` returns the text in a form; without a form, it returns the text of the source.
  private mutating func fitting<Text>(
    _ source: Text, of field: Field, in pseudo: PseudoLocale, from value: Resolved,
    make: (PseudoLocale.Form?) -> Text, plain: (Text) -> String
  ) -> Text {
    let full = make(.full)
    let limits = field.limits
    // A text that must match a pattern is usually a code, so the text of the source is used.
    if let pattern = limits.pattern, !pattern.matchesWhole(plain(full)) {
      add(
        ResolutionProblem(.pseudoPattern(pattern.text), of: field, at: steps), at: value.origin)
      return make(nil)
    }
    // The marks of a mirrored text are invisible and do not count.
    guard pseudo == .accented, let limit = limits.maximumLength else { return full }
    let length = plain(full).unicodeScalars.count
    guard length > limit else { return full }
    add(
      ResolutionProblem(.pseudoLength(length, limit: limit), of: field, at: steps), at: value.origin
    )
    let shorter = make(.bracketed)
    return plain(shorter).unicodeScalars.count <= limit ? shorter : make(.plain)
  }
}

extension LocaleSet {
  /// Returns the pseudo-locale whose texts are generated for a locale; `nil` if the texts of the
  /// locale are as written.
  func pseudo(_ locale: LocaleTag) -> PseudoLocale? {
    generated.contains(locale) ? PseudoLocale(locale) : nil
  }
}
