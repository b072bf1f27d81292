import SystemC

/// An open regular file.
///
/// A class, since the last reference closes the file.
package final class ServedFile: Sendable {
  private let descriptor: Int32
  /// The size in bytes when the file was opened; files are replaced, never changed in place.
  let size: Int

  init?(_ descriptor: Int32) {
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
