import SystemC

/// A folder whose files are served; nothing outside it can be opened.
struct ServedFolder: Sendable {
  /// The folder's path, which may itself be a symbolic link.
  let path: String

  /// Opens a regular file below the folder; returns `nil` if there is none.
  ///
  /// Each name is opened relative to the open parent folder, without following symbolic links. No
  /// change to the folder while this runs can lead outside it.
  func open(_ names: [String]) -> ServedFile? {
    guard !names.isEmpty, names.count <= 16, names.allSatisfy(Self.isPlain) else { return nil }
    var folder = openFile(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names.dropLast() {
      guard folder >= 0 else { return nil }
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      folder = next
    }
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    return ServedFile(
      openat(folder, names[names.count - 1], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }
}

/// Calls POSIX `open`, which the method `open` hides inside the type.
private func openFile(_ path: String, flags: Int32) -> Int32 { open(path, flags) }

/// An open regular file.
///
/// A class, since the last reference closes the file.
package final class ServedFile: Sendable {
  private let descriptor: Int32
  /// The size in bytes when the file was opened; files are replaced, never changed in place.
  let size: Int

  fileprivate init?(_ descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0 else { return nil }
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    (self.descriptor, size) = (descriptor, Int(status.st_size))
  }

  deinit { close(descriptor) }

  /// Returns some of the bytes; `nil` if they cannot be read or are no longer there.
  package func bytes(_ range: Range<Int>) -> [UInt8]? {
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
        let count = pread(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          off_t(range.lowerBound + filled))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          isWhole = false
          return
        }
        filled += count
      }
    }
    return isWhole ? bytes : nil
  }

  /// The most bytes that are read at once; larger files are sent in parts.
  static let limit = 1 << 30

  /// All bytes; `nil` above the limit.
  var bytes: [UInt8]? { size <= Self.limit ? bytes(0..<size) : nil }
}
