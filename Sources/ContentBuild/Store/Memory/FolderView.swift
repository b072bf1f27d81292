import System
import SystemC

/// The root of folder views, held open so that the paths of the folders below it are short.
struct FolderViewRoot: ~Copyable, Sendable {
  private let path: String
  /// `nil` if the folder cannot be opened.
  fileprivate let descriptor: Int32?

  init(_ path: String) {
    self.path = path
    descriptor = Self.open(path, in: AT_FDCWD)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Returns the full path of a folder below the root.
  func path(of folder: String) -> String { folder.isEmpty ? path : "\(path)/\(folder)" }

  fileprivate static func open(_ path: String, in folder: Int32) -> Int32? {
    #if os(Linux)
      // The value of `O_PATH`, which Glibc declares for GNU C only: names can be looked up, but not
      // read.
      let flags = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
    #else
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif
    let opened = openat(folder, path, flags)
    return opened >= 0 ? opened : nil
  }
}

/// A folder whose files are examined.
struct FolderView: ~Copyable {
  /// The folder in which names are looked up: the folder itself, or one above it.
  private let descriptor: Int32
  private let isOwn: Bool
  /// The prefix of each name; empty if names are looked up in the folder itself.
  private let prefix: [UInt8]
  /// The folder's own path below the descriptor.
  private let path: String

  /// A folder below the root, in which `count` files are examined.
  ///
  /// For more than a few files the folder is opened, so that the kernel does not walk a path for
  /// each of them.
  init?(_ path: String, in root: borrowing FolderViewRoot, count: Int) {
    guard let top = root.descriptor else { return nil }
    if path.isEmpty {
      (descriptor, isOwn, prefix, self.path) = (top, false, [], ".")
    } else if count <= Self.few {
      (descriptor, isOwn, prefix, self.path) = (
        top, false, Array(path.utf8) + [UInt8(ascii: "/")], path
      )
    } else {
      guard let opened = FolderViewRoot.open(path, in: top) else { return nil }
      (descriptor, isOwn, prefix, self.path) = (opened, true, [], ".")
    }
  }

  private static let few = 6

  deinit { if isOwn { close(descriptor) } }

  /// The folder's own stamp.
  var stamp: FileStamp? {
    var status = stat()
    return fstatat(descriptor, path, &status, 0) == 0 ? FileStamp(status) : nil
  }

  /// Returns the stamp of a name, which a zero byte must follow; links are not followed.
  borrowing func stamp(of name: UnsafeRawBufferPointer) -> FileStamp? {
    if prefix.isEmpty { return Self.stamp(of: name, in: descriptor) }
    let count = prefix.count + name.count + 1
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { whole in
      whole.copyBytes(from: prefix)
      UnsafeMutableRawBufferPointer(rebasing: whole[prefix.count...]).copyBytes(from: name)
      whole[count - 1] = 0
      return Self.stamp(of: UnsafeRawBufferPointer(whole), in: descriptor)
    }
  }

  private static func stamp(of path: UnsafeRawBufferPointer, in folder: Int32) -> FileStamp? {
    guard let base = path.baseAddress else { return nil }
    var status = stat()
    let answer = fstatat(
      folder, base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    return answer == 0 ? FileStamp(status) : nil
  }
}
