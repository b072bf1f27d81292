import Hashing
import ContentModel

extension Target {
  /// Checks that the target has a file that it says it took: something on the way may have answered
  /// in its place.
  ///
  /// - Throws: `.refused` with the consequence, where it does not; `TargetError`.
  func requireHeld(_ key: String, _ file: OutgoingFile, _ consequence: String) throws {
    if try holds(key, file) { return }
    throw DeliveryError(
      .refused, "\(name) says that it took '\(key)', and does not have it; \(consequence)")
  }

  /// Returns a file of ours, or another program's file in its place, which has no bytes if it
  /// cannot be decoded.
  ///
  /// A foreign file is not a failure of the target.
  func readAny(_ key: String) throws(TargetError) -> StoredFile? {
    do { return try read(key) } catch  where [.damaged, .tooLarge].contains(error.kind) {
      return StoredFile(bytes: [], tag: error.tag ?? "")
    }
  }

  /// Returns the record in a listed file; `nil` if the file is gone, or contentc did not write it.
  ///
  /// - Throws: `DeliveryError` for a record of a newer version; `TargetError`, also where an answer
  ///   is shorter than the file: a caller that takes that for a foreign file would remove objects
  ///   that a release needs.
  func record(in file: ListedFile) throws -> ReleaseRecord? {
    guard let bytes = try readWhole(file) else { return nil }
    guard file.key.contains("-\(Digest(of: bytes).hex.prefix(16)).") else { return nil }
    guard let record = ReleaseRecord(bytes: bytes) else {
      throw DeliveryError(
        .refused, "'\(file.key)' at \(name) was written by a newer contentc; update this one")
    }
    return record
  }

  /// Returns the bytes of a listed file; `nil` if it is gone, or cannot be decoded.
  ///
  /// - Throws: `TargetError`, also where an answer is shorter than the file.
  func readWhole(_ file: ListedFile) throws(TargetError) -> [UInt8]? {
    let stored: StoredFile?
    do { stored = try read(file.key) } catch  where [.damaged, .tooLarge].contains(error.kind) {
      return nil
    }
    guard let stored else { return nil }
    guard stored.bytes.count >= file.size else {
      throw TargetError(
        .failed,
        "\(name) gives \(stored.bytes.count) of the \(file.size) bytes of '\(file.key)'; does something on the way cut "
          + "answers? Run again; if it stays so, that file is damaged: remove it")
    }
    return stored.bytes
  }
}
