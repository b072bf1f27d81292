import Synchronization
import System
import SystemC

/// The lock of a target, on a file in its root; the system releases it when the process ends.
///
/// A second file gives emergencies precedence: an emergency holds it while it waits for the lock,
/// and other writers do not take the lock meanwhile. Only their owner can read the two files,
/// because any process that can open a file can lock it.
///
/// A class, since all writers through one target share the open file: the thread with exclusive
/// access keeps it, and still writes through the same target without waiting.
final class FolderLock: Sendable {
  private struct State: ~Copyable {
    var file: Descriptor?
    var users = 0
    var isExclusive = false
  }

  static let fileName = FolderKey.reserved + "-lock"
  /// The file that an emergency locks while it waits.
  static let emergencyFileName = FolderKey.reserved + "-lock-emergency"

  private let root: FolderRoot
  private let emergency: EmergencyPatience?
  private let state = Mutex(State())
  private let turn = Mutex(())

  /// Creates the lock of a folder; with `emergency`, its holder has precedence over other writers.
  init(of root: FolderRoot, emergency: EmergencyPatience? = nil) {
    (self.root, self.emergency) = (root, emergency)
  }

  /// Takes the lock until `release`.
  ///
  /// An emergency waits for the present holder; any other caller does not wait.
  ///
  /// - Throws: `.busy` if another writer holds the lock.
  func take() throws(StoreError) {
    if emergency != nil { return try waitAsEmergency(exclusively: true) }
    guard try tryTake(exclusively: true) else { throw .busy(folder: root.given) }
  }

  /// Releases the lock that `take` took.
  func release() { leave(wasExclusive: true) }

  /// Runs work under the lock; waits for other processes, but not for ever.
  func locked(_ work: () throws(StoreError) -> Bool) throws(StoreError) -> Bool {
    try waitUntilTaken()
    defer { leave(wasExclusive: false) }
    return try turn.withLock { _ throws(StoreError) in try work() }
  }

  /// `true` if an emergency waits for the lock.
  var isWantedByEmergency: Bool {
    guard let folder = try? root.find(),
      let file = try? Self.open("\(folder)/\(Self.emergencyFileName)")
    else {
      return false
    }
    guard (try? file.lockShared()) == false else { return false }
    return true
  }

  /// The process that holds one of the two files, and that file, for messages; `nil` if the system
  /// does not show it.
  var holder: (process: LockHolder, file: String)? {
    guard let folder = try? root.find() else { return nil }
    let first = LockHolder(of: "\(folder)/\(Self.emergencyFileName)").flatMap { process in
      // An emergency that waits holds the file itself.
      emergency == nil || process.process != getpid()
        ? (process, "\(root.given)/\(Self.emergencyFileName)") : nil
    }
    // Another command waits for an emergency, whatever that one waits for.
    if emergency == nil, let first, first.0.isEmergency { return first }
    if let process = LockHolder(of: "\(folder)/\(Self.fileName)") {
      return (process, "\(root.given)/\(Self.fileName)")
    }
    return first
  }

  private func waitUntilTaken() throws(StoreError) {
    if emergency != nil { return try waitAsEmergency(exclusively: false) }
    // The attempts take about 30 s: longer than any write of a pointer, shorter than a whole
    // publication.
    for attempt in 0..<1500 {
      if try tryTake(exclusively: false) { return }
      usleep(attempt < 20 ? 1000 : 20_000)
    }
    throw .busy(folder: root.given)
  }

  /// Takes the lock before all other writers; reports once which process it waits for.
  private func waitAsEmergency(exclusively: Bool) throws(StoreError) {
    if try tryTake(exclusively: exclusively, heedsEmergencies: false) { return }
    guard let patience = emergency else { throw .busy(folder: root.given) }
    let watch = Stopwatch()
    var hasPrecedence = false
    var isTold = false
    let first = try Self.open("\(root.make())/\(Self.emergencyFileName)")
    defer { first.unlock() }
    while watch.seconds < Double(patience.seconds) {
      if !hasPrecedence { hasPrecedence = try first.lock() }
      if hasPrecedence, try tryTake(exclusively: exclusively, heedsEmergencies: false) { return }
      if !isTold, watch.seconds > 0.3 {
        isTold = true
        patience.told(
          holder.map { process, file in
            if process.isEmergency {
              return "\(process.holding(file)); "
                + (process.isStopped
                  ? "continue it: kill -CONT \(process.process)"
                  : "this command goes on once that one has ended")
            }
            let next =
              process.isStopped
              ? "continue it: kill -CONT \(process.process), or end it" : "if it hangs, end it"
            return "\(process.holding(file)); \(next): \(process.ending)"
          } ?? "another process, which holds '\(root.given)/\(Self.fileName)'")
      }
      usleep(2_000)
    }
    throw .busy(folder: root.given)
  }

  /// Takes the lock without waiting; returns `false` if it is held, or an emergency wants it.
  private func tryTake(exclusively: Bool, heedsEmergencies: Bool = true) throws(StoreError) -> Bool
  {
    let folder = try root.make()
    return try state.withLock { state throws(StoreError) in
      if exclusively && state.isExclusive { return false }
      if state.users == 0 {
        guard let file = try Self.lockedFile(in: folder, heedsEmergencies: heedsEmergencies) else {
          return false
        }
        state.file = consume file
      }
      state.users += 1
      if exclusively { state.isExclusive = true }
      return true
    }
  }

  private func leave(wasExclusive: Bool) {
    state.withLock { state in
      state.users -= 1
      if wasExclusive { state.isExclusive = false }
      guard state.users == 0 else { return }
      state.file?.unlock()
      state.file = nil
    }
  }

  /// Returns the locked file of the lock; `nil` if another writer holds it, or an emergency wants
  /// it.
  private static func lockedFile(in folder: String, heedsEmergencies: Bool) throws(StoreError)
    -> Descriptor?
  {
    let path = "\(folder)/\(fileName)"
    // The shared lock is kept until the other one is taken, so that an emergency in between waits
    // for it.
    let first = try open("\(folder)/\(emergencyFileName)")
    if heedsEmergencies {
      guard try first.lockShared() else { return nil }
    }
    defer { first.unlock() }
    while true {
      let file = try open(path)
      guard try file.lock() else { return nil }
      // Another process may have removed the file before it was locked; others then lock the new
      // one.
      if try Disk.examine(path).identity.number == UInt64(file.status().st_ino) { return file }
    }
  }

  /// Opens a lock's file and restricts it to its owner: an earlier version let all users open it.
  ///
  /// A file of several names keeps its mode, because one of the names may be another file's.
  private static func open(_ path: String) throws(StoreError) -> Descriptor {
    do throws(StoreError) {
      let file = try Descriptor(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      let status = try file.status()
      if status.st_mode & 0o077 != 0, status.st_uid == geteuid(), status.st_nlink == 1 {
        file.setMode(0o600)
      }
      return file
    } catch {
      guard case .failed(_, _, let code) = error else { throw error }
      if code == ELOOP { throw .symbolicLink(path: path) }
      if code == EISDIR { throw .folderInPlaceOfFile(path: path) }
      guard code == EACCES else { throw error }
      // The file belongs to another user's earlier version; locking it needs no permission to
      // write.
      do throws(StoreError) { return try Descriptor(path, flags: O_RDONLY | O_NOFOLLOW) } catch {
        guard case .failed(_, _, ENOENT) = error else { throw error }
        // There is no file yet, so it is the folder that must not be written to.
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
        throw .failed(.write, path: folder, errno: EACCES)
      }
    }
  }
}

/// The way in which an emergency command waits for a folder's lock.
package struct EmergencyPatience: Sendable {
  /// The number of seconds to wait for the command that holds the lock.
  var seconds = 600
  /// The function that is called once with the process that is waited for, its file and the
  /// remedy, if the wait is noticeable.
  var told: @Sendable (String) -> Void

  package init(told: @escaping @Sendable (String) -> Void) { self.told = told }
}
