import ContentStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lock of a target, on a file in its root; it ends with the process.
///
/// A class, since all who write through one target share the open file: whoever works exclusively keeps it, and writes
/// meanwhile through the same target without waiting.
final class FolderLock: Sendable {
  private struct State: ~Copyable {
    var file: Descriptor?
    var users = 0
    var isExclusive = false
  }

  static let fileName = FolderKey.reserved + "-lock"

  private let root: FolderRoot
  private let state = Mutex(State())
  private let turn = Mutex(())

  init(of root: FolderRoot) { self.root = root }

  /// Takes the lock until `release`; throws `.busy` if somebody has it.
  func take() throws(StoreError) {
    guard try isTaken(exclusively: true) else { throw .busy(folder: root.given) }
  }

  /// Gives up what `take` took.
  func release() { leave(wasExclusive: true) }

  /// Does what only one writer may do at a time; waits for those of other processes, but not for ever.
  func locked(_ work: () throws(StoreError) -> Bool) throws(StoreError) -> Bool {
    try waitUntilTaken()
    defer { leave(wasExclusive: false) }
    return try turn.withLock { _ throws(StoreError) in try work() }
  }

  private func waitUntilTaken() throws(StoreError) {
    // About 30 s: no write of a pointer takes that long, and a whole publish is not waited for.
    for attempt in 0..<1500 {
      if try isTaken(exclusively: false) { return }
      usleep(attempt < 20 ? 1000 : 20_000)
    }
    throw .busy(folder: root.given)
  }

  private func isTaken(exclusively: Bool) throws(StoreError) -> Bool {
    let folder = try root.make()
    return try state.withLock { state throws(StoreError) in
      if exclusively && state.isExclusive { return false }
      if state.users == 0 {
        guard let file = try Self.lockedFile(in: folder) else { return false }
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

  /// The lock's file, locked; `nil` if somebody else has it.
  private static func lockedFile(in folder: String) throws(StoreError) -> Descriptor? {
    let path = "\(folder)/\(fileName)"
    while true {
      let file = try open(path)
      guard try file.lock() else { return nil }
      // Somebody may have removed it before it was locked: the others lock the new one.
      if try Disk.examine(path).identity.number == UInt64(file.status().st_ino) { return file }
    }
  }

  private static func open(_ path: String) throws(StoreError) -> Descriptor {
    do {
      return try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    } catch StoreError.failed(_, _, ELOOP) {
      throw .symbolicLink(path: path)
    } catch StoreError.failed(_, _, EACCES) {
      // Another user's: a lock needs no right to write.
      return try Descriptor(path, O_RDONLY | O_NOFOLLOW)
    }
  }
}
