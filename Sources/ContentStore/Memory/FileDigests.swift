package import ContentModel

/// The SHA-256 of many files by path, which stays encoded, since builds look up few of them.
package struct FileDigests: Sendable {
  /// For each file the count of its path's bytes, the path, and 32 bytes of hash.
  private(set) var bytes: ArraySlice<UInt8>

  /// The digests of some files.
  package init(_ digests: [(path: String, digest: Digest)]) {
    var output = ByteBuilder()
    for (path, digest) in digests {
      output.append(path)
      output.append(raw: digest.bytes)
    }
    bytes = output.bytes[...]
  }

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A file's digest; setting the digest of an unknown file has no effect.
  package subscript(path: String) -> Digest? {
    get { place(of: path).flatMap { Digest(bytes: bytes[$0..<$0 + 32]) } }
    set {
      if let newValue, let place = place(of: path) {
        bytes.replaceSubrange(place..<place + 32, with: newValue.bytes)
      }
    }
  }

  /// Returns the place of a file's hash.
  private func place(of path: String) -> Int? {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      while !reader.isAtEnd {
        guard let name = try? reader.counted() else { return nil }
        let place = bytes.startIndex + reader.offset
        guard (try? reader.raw(32)) != nil else { return nil }
        if name.count == path.utf8.count, name.elementsEqual(path.utf8) { return place }
      }
      return nil
    }
  }
}
