package import ContentModel

/// The SHA-256 of many files by path.
///
/// The hashes remain encoded, since most builds look up few of them.
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

  /// Returns the known digests of files.
  package func digests(of paths: [String]) -> [ExactString: Digest] {
    places(of: paths).compactMapValues { Digest(bytes: bytes[$0..<$0 + 32]) }
  }

  /// Replaces the digests of known files; ignores other files.
  package mutating func replace(_ digests: [(path: String, digest: Digest)]) {
    let places = places(of: digests.map(\.path))
    for (path, digest) in digests {
      guard let place = places[path] else { continue }
      bytes.replaceSubrange(place..<place + 32, with: digest.bytes)
    }
  }

  /// Returns the offsets of the hashes of files, from one walk.
  private func places(of paths: [String]) -> [ExactString: Int] {
    let wanted = Set(names: paths)
    var found: [ExactString: Int] = [:]
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      while !reader.isAtEnd, found.count < wanted.count {
        guard let name = try? reader.counted() else { return }
        let place = bytes.startIndex + reader.offset
        guard (try? reader.raw(32)) != nil else { return }
        let path = ExactString(String(decoding: name, as: UTF8.self))
        if wanted.contains(path), found[path] == nil { found[path] = place }
      }
    }
    return found
  }
}
