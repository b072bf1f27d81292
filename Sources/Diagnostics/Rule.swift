/// A rule that content or a command line can break; messages end in its name, in brackets.
///
/// `Rule.all` has the name of every diagnostic. A test compares the table with the sources and
/// with `docs/rules.md`.
package struct Rule: Hashable, Sendable {
  /// The part of a run that checks a rule.
  package enum Group: String, CaseIterable, Sendable {
    /// Rules for content.
    case content
    /// Bounds and conditions that a project or a caller sets.
    case gate
    /// Arguments, local files, targets and caches.
    case command
  }

  /// The severities that a broken rule can have.
  package enum Level: String, Sendable {
    case error
    case warning
    /// An error or a warning, depending on the circumstances.
    case both = "error or warning"
  }

  /// The name in brackets, such as `unknown-field`.
  package let name: String
  package let level: Level
  package let group: Group
  /// One sentence, without a full stop.
  package let summary: String

  /// A row of a table of rules.
  typealias Row = (level: Level, name: String, summary: String)

  private init(_ row: Row, in group: Group) {
    (level, name, summary) = row
    self.group = group
  }

  /// All rules, group by group, each group sorted by name.
  package static let all = Group.allCases.flatMap { group in
    table(of: group).map { Rule($0, in: group) }.sorted { $0.name < $1.name }
  }

  /// Returns the rule with a name, or `nil`.
  package static func named(_ name: String) -> Rule? { all.first { $0.name == name } }

  private static func table(of group: Group) -> [Row] {
    switch group {
    case .content: contentRules
    case .gate: gateRules
    case .command: commandRules
    }
  }
}

extension Rule.Group {
  /// The heading of the group in the list of rules.
  package var title: String {
    switch self {
    case .content: "Content"
    case .gate: "Gates and bounds (status 2)"
    case .command: "Arguments, files, targets and caches"
    }
  }
}
