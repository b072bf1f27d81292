import ContentModel
import System
import SystemC

/// A target in a folder, such as the document root of a web server.
///
/// Creating a file does not wait for the disk. A replacement first waits for all earlier files, so
/// that a pointer never names a file that a crash of the machine could lose. The root may be a
/// symbolic link, but nothing below it.
package struct FolderTarget: Target {
  package let name: String
  let root: FolderRoot
  let lock: FolderLock
  /// The ways to give a new file its name, in order of preference; the first that the file system
  /// supports is used.
  let placings: [Placing]
  let steps: StoreSteps

  /// Creates a target for the folder at a path, which the first write creates if its parent exists.
  ///
  /// With `emergency`, its writes have precedence over others that wait for the folder's lock.
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

  package var location: String {
    if name.hasBytePrefix("/") { return name }
    guard let current = getcwd(nil, 0) else { return name }
    defer { free(current) }
    return "\(String(cString: current))/\(name)"
  }

  package func honorsConditions() -> Bool { true }

  package var hasLock: Bool { true }

  /// The kernel usually answers from memory.
  ///
  /// More threads would wait for each other's locks, which costs more processor time than reading
  /// the files.
  package var readsAtOnce: Int { 4 }

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
    let place = "'\(name)': another publisher is at work there"
    let wait = "wait until it has finished, then try again"
    guard let (holder, file) = lock.holder else { return "\(place); \(wait)" }
    if holder.isEmergency { return "'\(name)': \(holder.emergencySentence(holding: file))" }
    let next = holder.isStopped ? "continue it with 'kill -CONT \(holder.process)'" : wait
    return "\(place), \(holder.holding(file)); \(next), or end it with '\(holder.ending)'"
  }
}
