package import ArgumentParser
import ContentSource
import Diagnostics

/// A command that does its work in `perform`; running it prints the report and chooses the exit
/// status.
///
/// The static members are what others must know about the command. Its help, `docs/reference/json.md` and the
/// tests of all commands are derived from them.
package protocol ContentcCommand: ParsableCommand {
  /// The folders and targets that the command reads although no argument names their files.
  static var reads: Set<CommandSource> { get }

  /// `true` if the command writes to the target of a channel.
  static var changesChannel: Bool { get }

  /// `true` if the command works only with signers, or on a channel that is signed.
  static var needsSigners: Bool { get }

  /// The exit statuses with a specific meaning for the command.
  static var exitStatuses: [CommandStatus] { get }

  /// The examples in the help, one a line.
  static var examples: String { get }

  /// The keys of the JSON result.
  static var result: [ResultRow] { get }

  /// The flags that all commands have.
  var common: CommonOptions { get }

  /// The content folder of the command; `nil` for commands that need none.
  var project: ContentOptions? { get }

  /// Does the work, and returns the report.
  func perform() throws -> Report
}

extension ContentcCommand {
  package var project: ContentOptions? { nil }

  /// Returns the text of the help: what the command does, its exit statuses and its examples.
  static func help(_ discussion: String = "") -> String {
    let lines = examples.split(separator: "\n")
    let parts = [
      discussion,
      exitStatuses.isEmpty
        ? "" : "Exit status:\n" + exitStatuses.map(\.lines).joined(separator: "\n"),
      (lines.count > 1 ? "Examples:" : "Example:") + lines.map { "\n  \($0)" }.joined(),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// All exit statuses with which the command may end.
  package static var possibleStatuses: [ExitStatus] {
    ExitStatus.allCases.filter { status in
      if exitStatuses.contains(where: { $0.status == status }) { return true }
      switch status {
      case .done, .usage, .inputOutput, .interrupted: return true
      // A flag can raise the warnings about content and targets.
      case .contentErrors, .gate, .missingInput: return !reads.isEmpty
      case .unavailable: return reads.contains(.target)
      case .tryAgain: return changesChannel
      case .notNotified: return false
      }
    }
  }

  /// Performs the command, and prints the diagnostics to standard error and the result to standard
  /// output.
  package func run() throws {
    try common.style.run(isProjectNamed: project.map { $0.named != nil }, perform)
  }
}

extension CommandStatus {
  /// The lines in the help, which fit in a narrow terminal.
  fileprivate var lines: String {
    var lines = ["  \("\(status.rawValue)".padded(to: 2)) "]
    for word in meaning.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 78 { lines.append("     ") }
      lines[lines.count - 1] += " \(word)"
    }
    return lines.joined(separator: "\n")
  }
}

/// A command that reads a content folder.
package protocol ContentCommand: ContentcCommand {
  var input: ContentOptions { get }
}

extension ContentCommand {
  package static var changesChannel: Bool { false }
  package static var needsSigners: Bool { false }

  package var project: ContentOptions? { input }
}

extension ReportStyle {
  /// Prints the project that a command uses, and then performs the command as `run` does.
  ///
  /// `isProjectNamed` is `true` if an option names the project, and `nil` for a command without one.
  package func run(isProjectNamed: Bool?, _ perform: () throws -> Report) throws {
    try run {
      if let isProjectNamed { try printProject(isNamed: isProjectNamed) }
      return try Report.of(perform)
    }
  }

  /// Prints which project is used, unless an option names it or it is in the current folder.
  private func printProject(isNamed: Bool) throws(Failure) {
    guard !isNamed, !quiet, !json, let above = ProjectLocation.found.above else { return }
    try Terminal.error.write(
      "note: using the project in \(above), whose content is \(ProjectLocation.found.content)\n")
  }
}

extension Report {
  /// Returns the report of a command.
  ///
  /// If mistakes in the content have stopped the command, reports these mistakes.
  ///
  /// - Throws: `Failure` for errors outside the content.
  package static func of(_ perform: () throws -> Report) throws -> Report {
    do { return try Failure.ofDelivery(perform) } catch let mistakes as ContentMistakes {
      return Report(mistakes)
    } catch let raised as RaisedWarnings {
      return raised.report
    }
  }
}
