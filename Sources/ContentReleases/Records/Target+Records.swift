import ContentModel
package import ContentTargets

extension Target {
  /// Checks that the target has a file that it reported as written: a proxy may have answered in
  /// its place.
  ///
  /// - Throws: A `DeliveryError` of kind `refused` that ends with `consequence` if the target does
  ///   not have the file; `TargetError`.
  package func requireHeld(
    _ file: OutgoingFile, at key: String, otherwise consequence: String
  ) throws {
    if try holds(key, as: file) { return }
    if case .bytes(let sent)? = file.compressed, try readAny(key)?.bytes == sent {
      throw DeliveryError(
        .refused,
        "\(name) keeps '\(key)' compressed without 'Content-Encoding: gzip', so readers cannot decode it: "
          + "write 'encoding=identity' in the address of the bucket; \(consequence)")
    }
    throw DeliveryError(
      .refused, "\(name) says that it took '\(key)', and does not have it; \(consequence)")
  }

  /// Removes a file, and checks that it is gone.
  ///
  /// - Throws: A `DeliveryError` of kind `refused` that ends with `consequence` if the target still
  ///   has the file; `TargetError`.
  package func requireRemoved(_ key: String, otherwise consequence: String) throws {
    try remove(key)
    if try readAny(key) == nil { return }
    throw DeliveryError(
      .refused, "\(name) says that it removed '\(key)', and still has it; \(consequence)")
  }

  /// Returns whether the target has a file, without reading it.
  package func lists(_ key: String) throws(TargetError) -> Bool {
    try list(below: key).contains { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// Returns the record in a listed file; `nil` if the file is gone, or contentc did not write it.
  ///
  /// - Throws: `DeliveryError` for a record of a newer version; `TargetError`, also if an answer is
  ///   shorter than the file: a caller that took it for a foreign file would remove objects that a
  ///   release needs.
  func record(in file: ListedFile) throws -> ReleaseRecord? {
    guard let bytes = try readWhole(file) else { return nil }
    guard file.key.contains("-\(Digest(of: bytes).hex.prefix(16)).") else { return nil }
    let location = "'\(file.key)' at \(name)"
    guard let record = try ReleaseRecord.read(bytes, at: location) else {
      // Its bytes are whole, since they have the hash in its name.
      throw DeliveryError(
        .refused,
        "\(location) was written by a newer contentc, and this program cannot read it: update the program"
      )
    }
    return record
  }
}
