import ContentCompiler
import ContentModel
import ContentStore
import Diagnostics

/// A build whose objects are staged, ready to be put in place.
struct StagedBuild {
  /// The files that complete the staged objects.
  enum Change {
    case everything(files: [OutputFile], links: [OutputLink], config: OutputFile)
    /// What is new since an earlier build, which had this summary and left these files.
    case edit(Recompilation, after: BuildSummary, output: FolderStamps)
  }

  /// The session that holds the staged objects and the folder's lock.
  var session: BuildSession
  var change: Change
  /// The facts to report.
  var facts: BuildFacts
  /// The diagnostics as they were found, before any policy judged them.
  var diagnostics: [Diagnostic]
  /// The input of the build; `nil` if the content changed meanwhile, so that the build cannot be
  /// remembered.
  var input: BuildInput?
  /// Encodes what a later build needs to go on from this one.
  var state: @Sendable () -> NamedState?
}

/// The input of a build: the content files, and the period in which they give the same output.
struct BuildInput {
  var stamps: FolderStamps
  var digests: FileDigests
  var validFrom: Instant?
  var validBefore: Instant?
}

extension BuildInput {
  /// The input of a build that read some files.
  ///
  /// `nil` where there are no stamps, or not of all these files: one that came after the stamps
  /// were taken would go unnoticed if it went again.
  init?(
    _ stamps: FolderStamps?, _ files: [(path: String, digest: Digest)], validFrom: Instant?,
    validBefore: Instant?
  ) {
    guard let stamps, Set(names: files.map(\.path)).isSubset(of: Set(names: stamps.paths)) else {
      return nil
    }
    self.init(
      stamps: stamps, digests: FileDigests(files), validFrom: validFrom, validBefore: validBefore)
  }
}
