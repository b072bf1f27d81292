import ContentCompiler
import ContentModel
import Diagnostics

/// A content folder compiled, and all that was found wrong with it, as the flags judge it.
struct Compilation {
  /// `nil` if an error is among the diagnostics.
  let build: Build?
  let diagnostics: [Diagnostic]
  /// The same as they were found, before any flag judged them.
  let found: [Diagnostic]

  /// Compiles what was read, even if it has mistakes already: all of them are reported in one run.
  init(
    _ input: ContentInput, at instant: Instant, remembers: Bool = false, _ common: CommonOptions,
    emit: @escaping @Sendable (OutputObject) throws -> Void
  ) throws {
    let compiled = try input.tree.map { try compile($0, at: instant, remembers: remembers, emit: emit) }
    found = input.diagnostics + (compiled?.diagnostics ?? [])
    diagnostics = common.judge(found)
    let hasErrors = diagnostics.contains { $0.severity == .error }
    build = hasErrors ? nil : compiled?.output
  }
}

extension Build.Counts {
  /// For a program.
  var members: Members {
    Members([
      ("entries", .integer(Int64(entries))), ("contexts", .integer(Int64(contexts))),
      ("bundles", .integer(Int64(bundles))), ("objects", .integer(Int64(objects))),
    ])
  }
}
