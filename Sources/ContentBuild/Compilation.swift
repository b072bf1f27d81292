package import ContentCompiler
package import ContentModel
package import ContentSource
package import Diagnostics

/// The result of compiling a content folder.
package struct Compilation {
  /// The build; `nil` if an error is among the diagnostics.
  package let build: Build?
  /// The diagnostics, after the policy has raised some warnings to errors.
  package let diagnostics: [Diagnostic]
  /// The diagnostics before the policy was applied.
  package let found: [Diagnostic]

  /// Compiles the input, even if it has errors, so that one run reports all of them.
  ///
  /// - Throws: errors of `emit`.
  package static func compiling(
    _ input: consuming ContentInput, at instant: Instant, remembers: Bool = false,
    judgedBy policy: WarningPolicy,
    emit: @escaping @Sendable (OutputObject) throws -> Void
  ) throws -> Compilation {
    let read = input.diagnostics
    let source = input.tree?.project.places.source
    // The compiler has the only reference to the tree, so texts that it discards are freed.
    var compiled: Diagnosed<Build?>?
    if let tree = input.takeTree() {
      compiled = try compile(consume tree, at: instant, remembers: remembers, emit: emit)
    }
    let found = (read + (compiled?.diagnostics ?? [])).unexplained(bySourceLocaleAt: source)
    let diagnostics = policy.judge(found)
    return Compilation(
      build: diagnostics.hasErrors ? nil : compiled?.output, diagnostics: diagnostics, found: found)
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics without those that only follow from a wrong source locale.
  ///
  /// A catalog's texts seem to be unknown or wrong if `sourceLocale` names another locale than their
  /// own.
  fileprivate func unexplained(bySourceLocaleAt place: SourceLocation?) -> [Diagnostic] {
    guard let place,
      contains(where: {
        $0.severity == .error && ($0.location == place || $0.declaration?.location == place)
      })
    else { return self }
    return filter { mistake in
      let traits = mistake.rule.traits
      let mayBeRight = mistake.severity == .error && !traits.contains(.followsFromSourceLocale)
      return mayBeRight || !traits.contains(.comparesCatalogs)
    }
  }
}

extension Build.Counts {
  /// The members of the JSON report.
  package var members: Members {
    Members([
      ("entries", .integer(Int64(entries))), ("contexts", .integer(Int64(contexts))),
      ("bundles", .integer(Int64(bundles))), ("objects", .integer(Int64(objects))),
    ])
  }
}
