package import ArgumentParser
package import CommandReports
import ContentSource
import Diagnostics

/// A command that does its work in `perform`; running it prints the report and chooses the exit
/// status.
package protocol ContentcCommand: ParsableCommand {
  /// The flags that all commands have.
  var common: CommonOptions { get }

  /// The content folder of the command; `nil` for commands that need none.
  var project: ContentOptions? { get }

  /// Does the work, and returns the report.
  func perform() throws -> Report
}

extension ContentcCommand {
  package var project: ContentOptions? { nil }

  /// Performs the command, and prints the diagnostics to standard error and the result to standard
  /// output.
  package func run() throws {
    try common.style.run {
      if let project { try common.style.printProject(isNamed: project.named != nil) }
      return try Report.of(perform)
    }
  }
}

/// A command that reads a content folder.
package protocol ContentCommand: ContentcCommand {
  var input: ContentOptions { get }
}

extension ContentCommand {
  package var project: ContentOptions? { input }
}

extension ReportStyle {
  /// Prints the project that is used if no option names it and it was found above the current folder.
  fileprivate func printProject(isNamed: Bool) throws(Failure) {
    guard !isNamed, !quiet, !json, let above = ProjectLocation.found.above else { return }
    try Terminal.error.write(
      "note: using the project in \(above), whose content is \(ProjectLocation.found.content)\n")
  }
}

extension Report {
  /// Returns the report of a command, or of the mistakes in content for which it did nothing.
  ///
  /// - Throws: `Failure` for errors outside the content.
  package static func of(_ perform: () throws -> Report) throws -> Report {
    do { return try Failure.ofDelivery(perform) } catch let mistakes as ContentMistakes {
      return Report(mistakes)
    }
  }
}
