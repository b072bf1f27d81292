import ContentStore

/// A folder: any web server's document root.
///
/// Creating a file does not wait for the disk. A replacement first waits for all earlier files, so
/// that a pointer never names a file that a crash of the machine could lose. The root may be a
/// symbolic link, nothing below it.
package struct FolderTarget: Target {
  package let name: String
  let root: FolderRoot
  let lock: FolderLock
  /// The ways to give a new file its name, best first: the first one that the file system supports
  /// is used.
  let placings: [Placing]
  let steps: StoreSteps

  /// A folder by its path; it is made by the first write if the one that holds it is there.
  ///
  /// With `emergency`, its writes go before those of others that wait for the folder's lock.
  package init(_ path: String, emergency: EmergencyPatience? = nil) {
    self.init(path, steps: .live, emergency: emergency)
  }

  init(
    _ path: String, placings: [Placing] = Placing.allCases, steps: StoreSteps = .live,
    emergency: EmergencyPatience? = nil
  ) {
    name = path
    root = FolderRoot(path)
    lock = FolderLock(of: root, emergency: emergency)
    self.placings = placings
    self.steps = steps
  }

  package func holdsConditions() -> Bool { true }

  package var hasLock: Bool { true }

  package var isWantedByEmergency: Bool { lock.isWantedByEmergency }

  package func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try reporting { () throws(StoreError) in try lock.take() }
    defer { lock.release() }
    return try work()
  }

  func reporting<Result>(_ work: () throws(StoreError) -> Result) throws(TargetError) -> Result {
    do { return try work() } catch {
      guard case .busy = error else { throw TargetError(error, target: name) }
      throw TargetError(.busy, busySentence)
    }
  }

  private var busySentence: String {
    let wait = "wait until it has finished, then try again"
    guard let holder = lock.holder else {
      return "'\(name)': another publisher is at work there; \(wait)"
    }
    return
      "'\(name)': another publisher is at work there, \(holder), which holds '\(name)/\(FolderLock.fileName)'; "
      + "\(wait), or end it with 'kill \(holder.process)'"
  }
}
