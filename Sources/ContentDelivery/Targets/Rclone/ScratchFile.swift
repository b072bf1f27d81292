import ContentStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes under a name, for a program that wants one; the file goes with the last reference.
final class ScratchFile: Sendable {
  let path: String

  /// - Throws: `TargetError` where there is no room.
  init(_ bytes: [UInt8]) throws(TargetError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    path = "\(parent)/contentc-\(UInt64.random(in: .min ... .max))"
    do {
      try AtomicFile(path).write(bytes, durably: false)
    } catch {
      throw TargetError(.failed, "\(error)")
    }
  }

  deinit { unlink(path) }
}
