import ContentCompiler
import ContentModel
import Diagnostics
import System

/// A build whose objects are staged, ready to be put in place.
struct StagedBuild {
  /// The files that complete the staged objects.
  enum Change {
    case everything(files: [OutputFile], links: [OutputLink], config: OutputFile)
    /// The files that are new since an earlier build, with that build's summary and output.
    case edit(Recompilation, after: BuildSummary, output: FolderStamps)
  }

  /// The session that holds the staged objects and the folder's lock.
  var session: BuildSession
  var change: Change
  /// The facts to report.
  var facts: BuildFacts
  /// The diagnostics before any policy was applied.
  var diagnostics: [Diagnostic]
  /// The input of the build; `nil` if the content changed meanwhile, so that the build cannot be
  /// remembered.
  var input: BuildInput?
  /// Encodes the state from which a later build can continue.
  var encodeState: @Sendable () -> NamedState?
}

/// The input of a build: the content files, and the period in which they give the same output.
struct BuildInput {
  var stamps: FolderStamps
  var digests: FileDigests
  var validFrom: Instant?
  var validBefore: Instant?
}

extension BuildInput {
  /// The input of a build that read some files; `nil` if the stamps are not of all these files.
  ///
  /// A file that was added after the stamps were taken could otherwise be removed unnoticed.
  init?(
    _ stamps: FolderStamps?, of files: [(path: String, digest: Digest)], validFrom: Instant?,
    validBefore: Instant?
  ) {
    guard let stamps, Set(names: files.map(\.path)).isSubset(of: Set(names: stamps.paths)) else {
      return nil
    }
    self.init(
      stamps: stamps, digests: FileDigests(files), validFrom: validFrom, validBefore: validBefore)
  }
}
