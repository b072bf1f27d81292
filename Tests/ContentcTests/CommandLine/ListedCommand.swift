import ArgumentParser
import ContentSource
import Testing

@testable import ContentcCommands

/// A command of the program, with what its type says about it.
///
/// Suites that try all commands take them from `all`, so that they try a new command, too.
struct ListedCommand: Sendable, CustomTestStringConvertible {
  /// The words after `contentc`, such as `keys init`.
  let name: String
  let reads: Set<CommandSource>
  let changesChannel: Bool
  let needsSigners: Bool
  /// The exit statuses with a specific meaning for the command.
  let exitStatuses: [CommandStatus]
  /// All exit statuses with which the command may end.
  let possibleStatuses: [Int32]
  let result: [ResultRow]
  /// The examples in the help, one a line.
  let examples: [String]
  /// The long options in the help.
  let options: [String]
  /// The long options in the help that have a value.
  let valuedOptions: [String]
  /// `true` for a command about a channel that only reads.
  let onlyReadsChannel: Bool
  /// `true` for a command about a channel that uses the setting of the channel's target.
  let usesTarget: Bool

  init(_ name: String, _ type: any ContentcCommand.Type) {
    self.name = name
    (reads, changesChannel, needsSigners) = (type.reads, type.changesChannel, type.needsSigners)
    (exitStatuses, possibleStatuses) = (
      type.exitStatuses, type.possibleStatuses.map(\.rawValue)
    )
    result = type.result
    examples = type.examples.split(separator: "\n").map(String.init)
    options = Contentc.options(of: type)
    valuedOptions = Contentc.helpMessage(for: type, columns: 200)
      .matches(of: /\n {2}(?:-[a-z], )?(--[a-z-]+) </).map { String($0.output.1) }
    usesTarget = (type as? any ChannelCommand.Type)?.uses.contains(.target) ?? false
    onlyReadsChannel =
      (type as? any ChannelCommand.Type).map { Self.hasReadingOptions($0) } ?? false
  }

  private static func hasReadingOptions<Command: ChannelCommand>(_: Command.Type) -> Bool {
    Command.Delivery.self == ReadingOptions.self
  }

  var testDescription: String { name }

  static let all = Contentc.commands.map { ListedCommand($0.words, $0.type) }

  /// The commands for channels that are not signed.
  static let unsigned = all.filter { !$0.needsSigners }

  /// The addresses and folders that examples name, and their replacements in suites.
  static let places = [
    ("https://content.example.com/production/", "site/qa/"), ("/media/stick/", "secrets/"),
    ("~/keys", "made"), ("/tmp/proof", "proof"), ("http://10.0.0.5", "http://127.0.0.1"),
  ]

  /// Returns the command that the words after `contentc` begin with; `nil` if there is none.
  static func named(by words: [String]) -> ListedCommand? {
    all.last { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
  }

  /// `true` for the preview, which would run until it is interrupted.
  ///
  /// `lines` therefore adds an invalid port, so that the preview ends with a usage error.
  var listens: Bool { name == "preview" }

  /// Returns the words of each example after `contentc`, with some texts replaced.
  ///
  /// With `isDry`, adds `--dry-run` if the command has that option.
  func lines(replacing texts: [(String, String)] = [], isDry: Bool = false) -> [[String]] {
    examples.map { example in
      let line = texts.reduce(example) { $0.replacing($1.0, with: $1.1) }
      var words = Self.words(of: line)
      if isDry, options.contains("--dry-run"), !words.contains("--dry-run") {
        words.append("--dry-run")
      }
      return listens ? words + ["--port", "70000"] : words
    }
  }

  /// Returns the words of a shell command, without `contentc`, comments and redirections.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    for word in line.matches(of: /"([^"]*)"|'([^']*)'|([^\s"']+)/) {
      let text = String(word.output.1 ?? word.output.2 ?? word.output.3 ?? "")
      if ["#", "<", ">"].contains(text) { break }
      words.append(text)
    }
    return Array(words.dropFirst())
  }
}
