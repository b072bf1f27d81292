package import ContentModel

/// An object of a site, whose name has the hash of its bytes.
package struct BakedObject: Hashable, Sendable {
  package let digest: Digest
  /// The ending of the file's name, without a dot.
  let fileExtension: String

  init(_ digest: Digest, extension fileExtension: String) {
    (self.digest, self.fileExtension) = (digest, fileExtension)
  }

  /// Reads the path of an object's file; `nil` for a path that docs/reference/output.md does not allow.
  init?(key path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let dot = parts[2].firstIndex(of: "."),
      let digest = Digest(hex: String(parts[2][..<dot]))
    else { return nil }
    self.init(digest, extension: String(parts[2][parts[2].index(after: dot)...]))
    let isPlain = fileExtension.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard isPlain, (1...8).contains(fileExtension.utf8.count), key == path else { return nil }
  }

  /// The path of the file below the site.
  package var key: String {
    let hex = digest.hex
    return "objects/\(hex.prefix(2))/\(hex).\(fileExtension)"
  }

  /// Returns whether these are the object's bytes.
  func isHeld(by bytes: [UInt8]) -> Bool { Digest(of: bytes) == digest }
}
