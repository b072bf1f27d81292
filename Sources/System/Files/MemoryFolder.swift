import SystemC

/// The folder `.contentc`, which holds the caches and memories of a machine.
package enum MemoryFolder {
  /// Makes the folder if it is missing, and keeps it out of repositories; returns `false` for a
  /// symbolic link, which may lead anywhere.
  @discardableResult package static func make(_ path: String) -> Bool {
    if isLink(path) { return false }
    if mkdir(path, 0o777) == 0 {
      try? AtomicFile("\(path)/.gitignore").write(Array("*\n".utf8), durably: false)
    }
    return true
  }

  /// Returns `true` if the path is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
