import Synchronization

/// Lets the system forget what a large build has written, but for its first and its last files.
///
/// A build writes each file once, and reads none of them again where there are hard links. Left
/// alone, the system keeps gigabytes of them in its page cache, at the expense of what is read, and
/// takes a page for each that was not in use before: on a virtual machine the host must find that
/// page first, which takes longer than the copy into it. Pages that are not on the disk yet when
/// their file's turn comes stay.
///
/// A class, since all threads that write share it.
final class WriteBehind: Sendable {
  private let files: Mutex<RecentFiles<OpenFile>>

  /// A class, since an array cannot hold a descriptor itself.
  private final class OpenFile: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
  }

  /// Keeps the first files, up to so many bytes: most builds are smaller than that, and what comes
  /// after them reads theirs.
  init(sparing bytes: Int = 64 << 20) { files = Mutex(RecentFiles(sparing: bytes)) }

  /// Takes a file that was written just now, whose way to the disk has begun.
  ///
  /// Does nothing where the system takes no such hint.
  func add(_ file: consuming Descriptor, size: Int) {
    #if os(Linux)
      guard size >= RecentFiles<OpenFile>.smallest else { return }
      let file = OpenFile(file)
      for past in files.withLock({ $0.add(file, size: size) }) { past.descriptor.leavePageCache() }
    #endif
  }

  /// Closes the last files, which stay in memory: while they are open, what is deleted still takes
  /// room.
  func close() { files.withLock { $0.clear() } }
}

/// The last files that were written: up to so many bytes, and so many files, since each is an open
/// one.
struct RecentFiles<File> {
  /// Bytes; what is smaller is not worth an open file.
  static var smallest: Int { 16 << 10 }
  /// Bytes.
  static var largestSum: Int { 64 << 20 }
  static var most: Int { 64 }

  private var files: [(file: File, size: Int)] = []
  private var sum = 0
  /// Bytes.
  private var spared: Int

  /// Takes no notice of files until so many bytes were written.
  init(sparing bytes: Int) { spared = bytes }

  /// Adds a file, and comes with those, oldest first, that are no longer among the last.
  mutating func add(_ file: File, size: Int) -> [File] {
    guard spared < size else {
      spared -= size
      return []
    }
    files.append((file, size))
    sum += size
    var count = 0
    while sum > Self.largestSum || files.count - count > Self.most {
      sum -= files[count].size
      count += 1
    }
    defer { files.removeFirst(count) }
    return files[..<count].map(\.file)
  }

  mutating func clear() { (files, sum) = ([], 0) }
}
