import ContentSource
import SourceYAML

/// A problem of an entry that only some contexts have.
package struct ResolutionProblem: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case missing
    case removed
  }

  package var rule: Rule
  /// The path, as in `badges[new].label`.
  package var path: String
  /// The name of the field.
  package var field: String

  /// One step from an entry to a value in it.
  enum Step {
    case key(String)
    case item(Int)
    case identified(YAMLNode)
  }

  init(_ rule: Rule, of field: Field, at steps: [Step]) {
    (self.rule, path, self.field) = (rule, steps.path, field.name)
  }
}

extension [ResolutionProblem.Step] {
  fileprivate var path: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key : "\(text).\(key)"
      case .item(let index): "\(text)[\(index)]"
      case .identified(let id): "\(text)[\(id.text)]"
      }
    }
  }
}
