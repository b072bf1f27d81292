#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder whose files are looked at by their names alone, so that no path is walked for each.
struct FolderView: ~Copyable {
  private let descriptor: Int32

  init?(_ path: String) {
    #if canImport(Glibc)
      descriptor = open(path, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
    #else
      descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #endif
    if descriptor < 0 { return nil }
  }

  #if canImport(Glibc)
    /// `O_PATH`, which Glibc shows to GNU C alone: names can be looked up, nothing can be read.
    private static let pathOnly: Int32 = 0o10_000_000
  #endif

  deinit { close(descriptor) }

  /// The folder's own stamp.
  var stamp: FileStamp? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStamp(status) : nil
  }

  /// The stamp of what stands under a name, which a zero byte must follow; links are not followed.
  borrowing func stamp(of name: UnsafeRawBufferPointer) -> FileStamp? {
    guard let base = name.baseAddress else { return nil }
    var status = stat()
    let answer = fstatat(descriptor, base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    return answer == 0 ? FileStamp(status) : nil
  }
}
