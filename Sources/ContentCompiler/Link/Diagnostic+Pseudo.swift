import ContentSource
import Diagnostics
import YAML

// The texts of a pseudo-locale that do not fit their fields are listed at the text of the source.
extension Diagnostic {
  static func pseudoLength(
    _ length: Int, limit: Int, of path: String, in entry: Entry, at node: YAMLNode?
  ) -> Diagnostic {
    .warning(
      .pseudoLength, at: node?.place,
      message:
        "'\(path)' of '\(entry.id)' has \(length) characters in en-XA, and 'maxLength' is \(limit); "
        + "en-XA shows a shorter form",
      notes: [Note("a translation is often 40 % longer; allow for it, or shorten the text")])
  }

  static func pseudoPattern(
    _ pattern: String, of path: String, in entry: Entry, at node: YAMLNode?
  ) -> Diagnostic {
    .warning(
      .pseudoPattern, at: node?.place,
      message:
        "'\(path)' of '\(entry.id)' does not match its pattern \(pattern) in a pseudo-locale, "
        + "which shows the source text",
      notes: [Note("if no language may change the text, its field needs no 'localized: true'")])
  }
}
