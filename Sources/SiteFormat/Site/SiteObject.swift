package import ContentModel

/// An object of a site, whose name is the hash of its bytes.
package struct SiteObject: Hashable, Sendable {
  package let digest: Digest
  /// The ending of the file's name, without a dot.
  package let ending: String

  package init(_ digest: Digest, ending: String) { (self.digest, self.ending) = (digest, ending) }

  /// Reads the path of an asset; `nil` for another form than docs/reference/output.md has.
  package init?(path: String) {
    let bytes = Array(path.utf8)
    // objects/ab/<64 digits>.<1 to 8 of a-z0-9>
    guard (77...84).contains(bytes.count), bytes[75] == UInt8(ascii: "."),
      let digest = Digest(hex: String(decoding: bytes[11..<75], as: UTF8.self)),
      bytes[76...].allSatisfy({ $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      )
    else { return nil }
    self.init(digest, ending: String(decoding: bytes[76...], as: UTF8.self))
    guard self.path == path else { return nil }
  }

  /// The path of the file below the site, and in a folder of objects.
  package var path: String {
    let hex = digest.hex
    return "objects/\(hex.prefix(2))/\(hex).\(ending)"
  }

  /// The name of the file.
  package var fileName: String { "\(digest.hex).\(ending)" }

  /// Returns whether these are the object's bytes.
  package func isHeld(by bytes: [UInt8]) -> Bool { Digest(of: bytes) == digest }
}
