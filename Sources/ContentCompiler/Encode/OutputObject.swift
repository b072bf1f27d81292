import Hashing
package import ContentModel
import ContentSource

/// An immutable file, named by the hash of its bytes.
package struct OutputObject: Sendable {
  package let digest: Digest
  /// What its name ends in, without the dot.
  package let fileExtension: String
  package let bytes: [UInt8]
  /// Where in the bytes stretches begin that other objects have, too: what is compressed once can
  /// serve all of them.
  package let seams: [Int]
  /// Whether readers fetch it, so that a compressed copy saves them time; nobody but us reads the
  /// build record.
  package let isCompressible: Bool

  init(bytes: [UInt8], fileExtension: String, seams: [Int] = [], isCompressible: Bool = true) {
    (self.bytes, self.fileExtension, self.seams) = (bytes, fileExtension, seams)
    self.isCompressible = isCompressible
    digest = Digest(of: bytes)
  }

  /// The path below the site.
  package var path: String { "objects/\(digest.hex.prefix(2))/\(digest.hex).\(fileExtension)" }
}

/// A file under a name of its own, which later builds replace.
package struct OutputFile: Sendable {
  /// Below `out/`.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// An object under a second name, which a person can type.
package struct OutputLink: Sendable {
  /// Below `out/`.
  package let path: String
  package let digest: Digest
  package let fileExtension: String

  package init(path: String, digest: Digest, fileExtension: String) {
    (self.path, self.digest, self.fileExtension) = (path, digest, fileExtension)
  }
}
