import ContentSource
import ContentStore
import Platform

/// Builds a content folder into an output folder, in the cheapest way that gives the same bytes.
///
/// The ways, each of which falls back to the next one: the last build again, an edit of it, another
/// machine's build, everything.
///
/// - Throws: `BuildError`, or `StoreError` for a file that cannot be read or written. The output
///   folder is as it was then, or holds the new build as a whole.
package func build(_ request: BuildRequest, progress: any BuildProgress) throws -> BuildOutcome {
  let watch = Stopwatch()
  try request.validate()
  let memory = MemoryFile(request)
  var workspace = Workspace(request, progress)
  progress.begin(.reading)
  func place(_ staged: StagedBuild, sharing exchange: BuildExchange? = nil) throws -> BuildOutcome {
    try workspace.place(staged, remembering: memory, sharing: exchange, took: watch)
  }

  if let last = memory.flatMap({ LastBuild(of: request, in: $0) }) {
    if let outcome = try last.unchanged(took: watch) { return outcome }
    if let staged = try IncrementalBuild(of: request, after: last).stage(in: &workspace) {
      return try place(staged)
    }
  }
  // Taken before anything is read: what changes from here on must show to the next build.
  let content = memory?.contentStamps()
  let exchange = try BuildExchange(for: request, in: memory, content)
  defer { _ = exchange?.finish() }
  var outcome: BuildOutcome
  if !request.isFresh, let exchange,
    let staged = try CachedBuild(of: request, from: exchange).stage(in: &workspace)
  {
    outcome = try place(staged)
  } else {
    switch try FullBuild(of: request, content).stage(in: &workspace) {
    case .staged(let staged): outcome = try place(staged, sharing: exchange)
    case .refused(let refused): outcome = refused
    }
  }
  if let warning = exchange?.finish() { outcome.diagnostics.append(warning) }
  return outcome
}
