import ArgumentParser
import ContentModel
import Diagnostics

/// Lists the rules that messages name in brackets.
struct Rules: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules that messages name in brackets, and what each requires.",
    discussion: help(
      """
      With names, lists only these rules. '--error-on NAME' turns the warnings of a rule into \
      errors; '--warnings-as-errors' does so for all rules. 'contentc help rules' prints the list, \
      too.
      """))

  static let examples = """
    contentc rules
    contentc rules unread-file
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      [
        "rules[].name": .string, "rules[].severity": .string, "rules[].group": .string,
        "rules[].summary": .string,
      ],
      "as in [rules.md](rules.md)")
  ]

  @Argument(
    help: ArgumentHelp("The names of rules. Default: all of them.", valueName: "rules"),
    completion: .rules)
  var names: [String] = []
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let rules = names.isEmpty ? Rule.all : try names.map(rule)
    let width = rules.map(\.name.count).max() ?? 0
    let text = Rule.Group.allCases.map { group in
      let lines = rules.filter { $0.group == group }.map { rule in
        "  \(rule.name.padded(to: width))  \(rule.level.rawValue): \(rule.summary)\n"
      }
      return lines.isEmpty ? "" : group.title + "\n" + lines.joined()
    }
    let values = rules.map { rule -> Value in
      [
        "name": .string(rule.name), "severity": .string(rule.level.rawValue),
        "group": .string(rule.group.rawValue),
        "summary": .string(rule.summary),
      ]
    }
    return Report(
      text: text.filter { !$0.isEmpty }.joined(separator: "\n"), json: ["rules": .array(values)],
      isResult: true)
  }

  private func rule(_ name: String) throws(Failure) -> Rule {
    if let rule = Rule(rawValue: name) { return rule }
    throw Failure(.usage, unknown: .unknownRule, name, known: Rule.all.map(\.name))
  }
}
