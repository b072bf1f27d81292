import ContentModel
package import ContentTargets
import Hashing

extension Target {
  /// Checks that the target has a file that it says it took: something on the way may have answered
  /// in its place.
  ///
  /// - Throws: `.refused` with the consequence, where it does not; `TargetError`.
  package func requireHeld(_ key: String, _ file: OutgoingFile, _ consequence: String) throws {
    if try holds(key, file) { return }
    throw DeliveryError(
      .refused, "\(name) says that it took '\(key)', and does not have it; \(consequence)")
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
}
