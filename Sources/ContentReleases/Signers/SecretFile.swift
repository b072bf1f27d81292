import System
import SystemC

/// A file with a secret key, which only its owner may read.
struct SecretFile {
  let path: String

  /// The most bytes: a key has about 120.
  private static let limit = 16 << 10

  init(_ path: String) { self.path = path }

  /// Returns the bytes.
  ///
  /// - Throws: `Signer.Failure` for a file that others may read, or that is no regular file.
  func contents() throws(Signer.Failure) -> [UInt8] {
    // Without O_NONBLOCK, a pipe without a writer would stop the command.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Signer.Failure("'\(path)' is no regular file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw Signer.Failure("other users may read '\(path)'; run: chmod 600 \(path.shellWord)")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw Signer.Failure("'\(path)' belongs to another user")
    }
    guard status.st_size <= Self.limit else {
      throw Signer.Failure("'\(path)' is too large for a key")
    }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, filled in
      count = read(descriptor, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    guard count >= 0 else { throw failure(errno) }
    return bytes
  }

  private func failure(_ code: CInt) -> Signer.Failure {
    Signer.Failure("'\(path)' cannot be read: \(String(cString: strerror(code)))")
  }
}
