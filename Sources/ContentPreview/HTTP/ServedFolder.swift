#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder of which files are served, and nothing that lies outside it.
struct ServedFolder: Sendable {
  /// May be a symbolic link itself: whoever started the server named it.
  let path: String

  /// A plain file below the folder; `nil` where there is none.
  ///
  /// Goes down name by name from a folder that is open already, and follows no symbolic link:
  /// whatever is put into the folder while this runs, it never leaves it.
  func open(_ names: [String]) -> ServedFile? {
    guard !names.isEmpty, names.count <= 16, names.allSatisfy(Self.isPlain) else { return nil }
    var folder = openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names.dropLast() {
      guard folder >= 0 else { return nil }
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      folder = next
    }
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    // A FIFO would wait for a writer for ever.
    return ServedFile(
      openat(folder, names[names.count - 1], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }
}

/// Beside the type, whose own `open` would hide that of POSIX.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

/// An open plain file.
///
/// A class, since the file is closed when nobody reads it any more.
package final class ServedFile: Sendable {
  private let descriptor: Int32
  /// In bytes, when it was opened: files are replaced by renaming, never written in place.
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

  /// Some of its bytes; `nil` where they cannot be read, or are not there any more.
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

  /// The most bytes that are read as a whole: of what is answered, any number goes out in parts.
  static let limit = 1 << 30

  /// All of it; `nil` where that is more than the limit.
  var bytes: [UInt8]? { size <= Self.limit ? bytes(0..<size) : nil }
}
