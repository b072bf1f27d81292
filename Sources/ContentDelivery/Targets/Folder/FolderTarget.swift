import ContentStore

/// A folder: any web server's document root.
///
/// What is created is not waited for; a replacement first waits until all that came before it is on the disk, so that a
/// pointer never names what a crash of the machine could take back. The root may be a symbolic link, nothing below it.
package struct FolderTarget: Target {
  package let name: String
  let root: FolderRoot
  let lock: FolderLock
  /// How new files get their names: the first way that the file system has.
  let placings: [Placing]
  let steps: StoreSteps

  /// A folder by its path; it is made by the first write if the one that holds it is there.
  package init(_ path: String) { self.init(path, steps: .live) }

  init(_ path: String, placings: [Placing] = Placing.allCases, steps: StoreSteps = .live) {
    name = path
    root = FolderRoot(path)
    lock = FolderLock(of: root)
    self.placings = placings
    self.steps = steps
  }

  package func holdsConditions() -> Bool { true }

  package var hasLock: Bool { true }

  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try reporting { () throws(StoreError) in try lock.take() }
    defer { lock.release() }
    return try work()
  }

  func reporting<Result>(_ work: () throws(StoreError) -> Result) throws(TargetError) -> Result {
    do { return try work() } catch { throw TargetError(error, target: name) }
  }
}
