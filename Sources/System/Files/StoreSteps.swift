/// The steps of a build that change the disk.
package enum StoreStep: Hashable, Sendable {
  case makeFolder(String)
  /// Write a file under a temporary name.
  case stage(String)
  /// Rename a file to its final name.
  case place(String)
  case syncFile(String)
  case syncFolder(String)
  case syncFileSystem
  /// Remove a file of an earlier build that this build does not name.
  case removeStray(String)
  /// Remove a temporary file of this build.
  case discard(String)
}

/// The hook by which tests stop a build before any step.
package struct StoreSteps: Sendable {
  /// Called before each step; an error that it throws ends the build.
  package var willPerform: @Sendable (StoreStep) throws(StoreError) -> Void

  package init(willPerform: @escaping @Sendable (StoreStep) throws(StoreError) -> Void) {
    self.willPerform = willPerform
  }

  /// Performs every step.
  package static let live = StoreSteps { _ throws(StoreError) in }
}
