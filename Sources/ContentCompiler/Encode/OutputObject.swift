package import ContentModel
import ContentSource

/// An immutable file, named by the hash of its bytes.
package struct OutputObject: Sendable {
  package let digest: Digest
  /// The extension of the file, without the dot.
  package let fileExtension: String
  package let bytes: [UInt8]
  /// The offsets of stretches that other objects have, too; each stretch is compressed once.
  package let seams: [Int]
  /// `true` if readers fetch the object, and a compressed copy saves them time.
  ///
  /// Only publishers read the build record.
  package let isCompressible: Bool

  init(bytes: [UInt8], fileExtension: String, seams: [Int] = [], isCompressible: Bool = true) {
    (self.bytes, self.fileExtension, self.seams) = (bytes, fileExtension, seams)
    self.isCompressible = isCompressible
    digest = Digest(of: bytes)
  }

  /// The path below the site.
  package var path: String { digest.objectPath(extension: fileExtension) }
}

/// A file with a name of its own, which later builds replace.
package struct OutputFile: Sendable {
  /// The path below `out/`.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
}

/// A second name for an object, which a person can type.
package struct OutputLink: Sendable {
  /// The path below `out/`.
  package let path: String
  package let digest: Digest
  package let fileExtension: String

  package init(path: String, digest: Digest, fileExtension: String) {
    (self.path, self.digest, self.fileExtension) = (path, digest, fileExtension)
  }
}
