/// A part of a build that takes time.
package enum BuildStage: Sendable { case reading, compiling, fetching, writing }

/// An observer that a build tells how far it is.
package protocol BuildProgress: Sendable {
  /// Another part of the work begins.
  func begin(_ stage: BuildStage)

  /// One more object is staged; called from any thread.
  func advance()
}

/// An observer that ignores all progress.
package struct NoProgress: BuildProgress {
  package init() {}

  package func begin(_ stage: BuildStage) {}
  package func advance() {}
}
