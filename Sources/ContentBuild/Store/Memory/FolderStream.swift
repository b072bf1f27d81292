import System
import SystemC

/// An open folder, read name by name.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer

  init?(_ path: String) {
    guard let stream = opendir(path) else { return nil }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Calls back with the next name that is not ignored; returns `nil` at the end.
  borrowing func next<Result>(
    ignoring: FolderStamps.Ignoring, inRoot: Bool, body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    while let entry = readdir(stream) {
      let result = withUnsafeBytes(of: &entry.pointee.d_name) { buffer -> Result?? in
        let name = UnsafeRawBufferPointer(rebasing: buffer.prefix { $0 != 0 })
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return nil }
        return ignoring.ignores(name, inRoot: inRoot) ? nil : .some(body(name))
      }
      if let result { return result }
    }
    return nil
  }

  /// The folder's own stamp.
  var stamp: FileStamp? {
    var status = stat()
    return fstat(dirfd(stream), &status) == 0 ? FileStamp(status) : nil
  }

  /// Returns the status of a name, which a zero byte must follow; links are not followed.
  borrowing func status(of name: UnsafeRawBufferPointer) -> stat? {
    guard let base = name.baseAddress else { return nil }
    var status = stat()
    let answer = fstatat(
      dirfd(stream), base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    return answer == 0 ? status : nil
  }
}
