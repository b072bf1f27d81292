extension Target {
  /// Returns a file, even a foreign one; a file that cannot be decoded has no bytes.
  ///
  /// A foreign file in the place of one of contentc is not a failure of the target.
  package func readAny(_ key: String) throws(TargetError) -> StoredFile? {
    do { return try read(key) } catch  where [.damaged, .tooLarge].contains(error.kind) {
      return StoredFile(bytes: [], tag: error.tag ?? "")
    }
  }

  /// Returns the bytes of a listed file; `nil` if the file is gone or cannot be decoded.
  ///
  /// - Throws: `TargetError`, also if the answer is shorter than the file.
  package func readWhole(_ file: ListedFile) throws(TargetError) -> [UInt8]? {
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
