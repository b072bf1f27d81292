/// A rule that content or a command line can break; messages end in its name, in brackets.
///
/// Every name that a diagnostic carries is in `Rule.all`: a test holds the table against the
/// sources, and `docs/rules.md` against the table.
package struct Rule: Hashable, Sendable {
  /// The part of a run in which a rule is checked.
  package enum Group: String, CaseIterable, Sendable {
    /// Rules for content.
    case content
    /// Bounds and conditions that a project or a caller sets; one that is not met is no mistake.
    case gate
    /// Arguments, local files, targets and caches.
    case command
  }

  /// How much it matters that a rule is broken.
  package enum Level: String, Sendable {
    case error
    case warning
    /// Either, as the message's circumstances decide.
    case both = "error or warning"
  }

  /// The name in brackets, such as `unknown-field`.
  package let name: String
  package let level: Level
  package let group: Group
  /// One sentence, without a full stop.
  package let summary: String

  init(_ level: Level, _ name: String, _ summary: String, in group: Group) {
    (self.name, self.level, self.group, self.summary) = (name, level, group, summary)
  }

  /// All rules, group by group, each group by name.
  package static let all = Group.allCases.flatMap { group in
    table(of: group).map { Rule($0.level, $0.name, $0.summary, in: group) }.sorted {
      $0.name < $1.name
    }
  }

  /// The rule of a name.
  package static func named(_ name: String) -> Rule? { all.first { $0.name == name } }

  private typealias Row = (level: Level, name: String, summary: String)

  private static func table(of group: Group) -> [Row] {
    switch group {
    case .content: contentRules
    case .gate: gateRules
    case .command: commandRules
    }
  }
}
