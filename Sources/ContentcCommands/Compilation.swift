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
    _ input: consuming ContentInput, at instant: Instant, remembers: Bool = false, _ style: ReportStyle,
    emit: @escaping @Sendable (OutputObject) throws -> Void
  ) throws {
    let read = input.diagnostics
    // Nobody else has the tree now: what the compiler lets go of it is freed.
    var compiled: Diagnosed<Build?>?
    if let tree = input.takeTree() {
      compiled = try compile(consume tree, at: instant, remembers: remembers, emit: emit)
    }
    found = read + (compiled?.diagnostics ?? [])
    diagnostics = style.judge(found)
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
