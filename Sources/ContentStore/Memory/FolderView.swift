#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder whose files are looked at.
struct FolderView: ~Copyable {
  private let path: String
  /// `nil` for a folder with few files.
  private let descriptor: Int32?

  /// Opens a folder in which so many files are to be looked at.
  ///
  /// By their names alone, no path is walked for each, but for a few files opening the folder takes longer.
  init?(_ path: String, count: Int) {
    self.path = path
    guard count > Self.few else {
      descriptor = nil
      return
    }
    #if canImport(Glibc)
      let opened = open(path, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    #else
      let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #endif
    guard opened >= 0 else { return nil }
    descriptor = opened
  }

  private static let few = 6

  #if canImport(Glibc)
    /// `O_PATH`, which Glibc shows to GNU C alone: names can be looked up, nothing can be read.
    private static let pathOnly: Int32 = 0o10_000_000
  #endif

  deinit { if let descriptor { close(descriptor) } }

  /// The folder's own stamp.
  var stamp: FileStamp? {
    guard let descriptor else { return FileStamp(at: path) }
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStamp(status) : nil
  }

  /// The stamp of what stands under a name, which a zero byte must follow; links are not followed.
  borrowing func stamp(of name: UnsafeRawBufferPointer) -> FileStamp? {
    if let descriptor { return Self.stamp(of: name, in: descriptor) }
    let whole = Array(path.utf8) + [UInt8(ascii: "/")] + name + [0]
    return whole.withUnsafeBytes { Self.stamp(of: $0, in: AT_FDCWD) }
  }

  private static func stamp(of path: UnsafeRawBufferPointer, in folder: Int32) -> FileStamp? {
    guard let base = path.baseAddress else { return nil }
    var status = stat()
    let answer = fstatat(folder, base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    return answer == 0 ? FileStamp(status) : nil
  }
}
