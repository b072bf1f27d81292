package import ContentModel
package import ContentSource
package import ContentStore
package import Diagnostics

/// The end of a build that neither the disk nor a person stopped.
package struct BuildOutcome: Sendable {
  /// The build in the output folder; `nil` if content errors left the folder unchanged.
  package let product: Product?
  /// The diagnostics of the content, after the request's policy, and the warnings of the cache.
  package internal(set) var diagnostics: [Diagnostic]
  /// The files that the diagnostics are about.
  package let sources: SourceTexts

  /// A whole build.
  package struct Product: Sendable {
    package let facts: BuildFacts
    package let summary: BuildSummary
    /// The folders, as they were typed.
    package let content: String
    package let folder: String
    /// How long it took to make.
    package let seconds: Double

    /// For a program.
    package var members: Members {
      var members = facts.members
      members["config"] = .string("\(folder)/\(facts.configPath)")
      members["seconds"] = .real(seconds)
      for (key, number) in summary.numbers { members[key] = .integer(Int64(number)) }
      return members
    }
  }
}
