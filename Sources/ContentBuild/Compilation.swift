package import ContentCompiler
package import ContentModel
package import ContentSource
package import Diagnostics

/// A content folder compiled, and all that was found wrong with it.
package struct Compilation {
  /// `nil` if an error is among the diagnostics.
  package let build: Build?
  /// The diagnostics as the policy judges them.
  package let diagnostics: [Diagnostic]
  /// The diagnostics as they were found, before any policy judged them.
  package let found: [Diagnostic]

  /// Compiles what was read, even if it has mistakes already: all of them are reported in one run.
  ///
  /// - Throws: what `emit` throws.
  package init(
    _ input: consuming ContentInput, at instant: Instant, remembers: Bool = false,
    judgedBy policy: WarningPolicy,
    emit: @escaping @Sendable (OutputObject) throws -> Void
  ) throws {
    let read = input.diagnostics
    // Nobody else has the tree now: what the compiler lets go of it is freed.
    var compiled: Diagnosed<Build?>?
    if let tree = input.takeTree() {
      compiled = try compile(consume tree, at: instant, remembers: remembers, emit: emit)
    }
    found = read + (compiled?.diagnostics ?? [])
    diagnostics = policy.judge(found)
    build = diagnostics.hasErrors ? nil : compiled?.output
  }
}

extension Build.Counts {
  /// For a program.
  package var members: Members {
    Members([
      ("entries", .integer(Int64(entries))), ("contexts", .integer(Int64(contexts))),
      ("bundles", .integer(Int64(bundles))), ("objects", .integer(Int64(objects))),
    ])
  }
}
