package import ContentModel
package import ContentSource
package import Diagnostics
import System

/// The outcome of a build that ran to its end.
package struct BuildOutcome: Sendable {
  /// The build in the output folder; `nil` if the content has errors, and the folder is unchanged.
  package let product: Product?
  /// The diagnostics of the content, after the request's policy, and the warnings of the cache.
  package internal(set) var diagnostics: [Diagnostic]
  /// The files that the diagnostics point into.
  package let sources: SourceTexts

  /// A complete build in the output folder.
  package struct Product: Sendable {
    package let facts: BuildFacts
    package let summary: BuildSummary
    /// The content folder, as it was typed.
    package let content: String
    /// The output folder, as it was typed, without slashes at its end.
    package let folder: String
    /// The duration of the build, in seconds.
    package let seconds: Double

    /// The members of the JSON report.
    package var members: Members {
      var members = facts.members
      members["config"] = .string("\(folder)/\(facts.configPath)")
      members["seconds"] = .real(seconds)
      for (key, number) in summary.numbers { members[key] = .integer(Int64(number)) }
      return members
    }
  }
}

extension BuildSummary {
  /// The numbers with their names in the JSON report; `init(_:)` reads them in this order.
  var numbers: [(String, Int)] {
    [
      ("objectsWritten", objectsWritten), ("objectsKept", objectsKept),
      ("filesWritten", filesWritten),
      ("filesKept", filesKept), ("bytes", bytesTotal), ("bytesGzipped", gzipBytesTotal),
      ("bytesWritten", bytesWritten), ("straysRemoved", straysRemoved),
    ]
  }

  /// The summary of a build that found all of these files in place.
  var allKept: BuildSummary {
    var summary = BuildSummary()
    summary.objectsKept = objects
    summary.filesKept = files
    summary.bytesTotal = bytesTotal
    summary.gzipBytesTotal = gzipBytesTotal
    return summary
  }
}
