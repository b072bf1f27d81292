package import ContentModel
import ContentSource
import YAML

/// A problem of an entry that only some contexts have.
package struct ResolutionProblem: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case missing
    case removed
    /// The text of a pseudo-locale is longer than the field allows.
    case pseudoLength(Int, limit: Int)
    /// The text of a pseudo-locale does not match the pattern of the field.
    case pseudoPattern(String)
  }

  package var rule: Rule
  /// The path, as in `badges[new].label`.
  package var path: ExactString
  /// The name of the field.
  package var field: ExactString

  /// `true` if the entry cannot be built; the problems of pseudo-locales are only listed.
  package var isError: Bool { rule == .missing || rule == .removed }

  /// One step from an entry to a value in it.
  enum Step {
    case key(ExactString)
    case item(Int)
    case identified(YAMLNode)
  }

  init(_ rule: Rule, of field: Field, at steps: [Step]) {
    (self.rule, path, self.field) = (rule, ExactString(steps.path), field.name)
  }
}

extension [ResolutionProblem.Step] {
  fileprivate var path: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key.text : "\(text).\(key)"
      case .item(let index): "\(text)[\(index)]"
      case .identified(let id): "\(text)[\(id.text)]"
      }
    }
  }
}
