import System
import SystemC

/// A temporary file for a program that needs a path; it is removed with the last reference.
final class ScratchFile: Sendable {
  let path: String

  /// Writes the file.
  ///
  /// - Throws: `TargetError` if the file cannot be written.
  init(_ body: FileBody, for target: String) throws(TargetError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    path = "\(parent)/contentc-\(UInt64.random(in: .min ... .max))"
    do {
      try Disk.create(path) { file throws(StoreError) in
        try body.forEachPiece { piece throws(StoreError) in try file.write(piece) }
      }
    } catch {
      unlink(path)
      throw TargetError(error, target: target)
    }
  }

  deinit { unlink(path) }
}
