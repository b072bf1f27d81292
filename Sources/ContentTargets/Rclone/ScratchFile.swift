import ContentStore
import SystemC

/// Bytes under a name, for a program that needs one; the file is removed with the last reference.
final class ScratchFile: Sendable {
  let path: String

  /// - Throws: `TargetError` where there is no room.
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
