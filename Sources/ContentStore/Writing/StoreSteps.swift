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
  /// Remove what an earlier build wrote and this one did not name.
  case removeStray(String)
  /// Remove what only this build needed.
  case discard(String)
}

/// The door through which tests stop a build anywhere.
package struct StoreSteps: Sendable {
  /// Called before each step; what it throws ends the build there.
  package var willPerform: @Sendable (StoreStep) throws(StoreError) -> Void

  package init(willPerform: @escaping @Sendable (StoreStep) throws(StoreError) -> Void) {
    self.willPerform = willPerform
  }

  /// Lets everything happen.
  package static let live = StoreSteps { _ throws(StoreError) in }
}
