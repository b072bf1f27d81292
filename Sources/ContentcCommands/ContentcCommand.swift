package import ArgumentParser
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
    try common.style.run(isProjectNamed: project.map { $0.named != nil }, perform)
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
  /// Performs a command as `run` does, after the project that it uses is printed.
  ///
  /// `isProjectNamed` is `true` if an option names the project, and `nil` for a command without one.
  package func run(isProjectNamed: Bool?, _ perform: () throws -> Report) throws {
    try run {
      if let isProjectNamed { try printProject(isNamed: isProjectNamed) }
      return try Report.of(perform)
    }
  }

  /// Prints the project that is used if no option names it and it was found above the current folder.
  private func printProject(isNamed: Bool) throws(Failure) {
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
