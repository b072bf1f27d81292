import ContentModel
import ContentSource

/// A value as one context sees it, which still knows where it was written.
struct Resolved: Sendable {
  enum Shape: Sendable {
    case scalar(Value)
    case link(EntryID)
    case address(String)
    case asset(String)
    case list([Resolved])
    case object([Member])
  }

  struct Member: Sendable {
    var key: String
    var value: Resolved
  }

  var shape: Shape
  /// The most specific node that had a say.
  var origin: YAMLNode
  private var guardian: Guardian?

  /// Of a list's item: what locale and device leave undecided.
  var condition: Condition? {
    get { guardian?.condition }
    set { guardian = newValue.map(Guardian.init) }
  }

  init(shape: Shape, origin: YAMLNode) { (self.shape, self.origin) = (shape, origin) }

  /// A condition.
  ///
  /// A class, since few values have one, and all would have to carry its room.
  private final class Guardian: Sendable {
    let condition: Condition

    init(_ condition: Condition) { self.condition = condition }
  }
}

/// An entry as one context sees it.
struct ResolvedEntry: Sendable {
  /// In order of keys.
  var members: [Resolved.Member]
  /// What locale and device leave undecided: country, version, and the times that readers apply.
  var condition: Condition?
}

/// Something that is wrong with an entry in some contexts only.
struct ResolutionProblem: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case missing
    case removed
  }

  var rule: Rule
  /// As in `badges[new].label`.
  var path: String
  /// The field's own name.
  var field: String
}
