package import ContentModel
package import ContentTargets
import PropertyLists
import SiteFormat

/// An immutable file of a release, named by the hash of its bytes.
package struct ReleaseObject: Hashable, Sendable {
  package var digest: Digest
  /// The file extension, without the dot.
  package var fileExtension: String
  /// The number of uncompressed bytes.
  package var size: Int

  package init(digest: Digest, fileExtension: String, size: Int) {
    (self.digest, self.fileExtension, self.size) = (digest, fileExtension, size)
  }

  /// The key in a build's folder and at a target.
  package var key: String { digest.objectPath(extension: fileExtension) }

  /// `true` if the file extension is that of a property list, which an asset may have, too.
  package var isPropertyList: Bool { ["plist", "json"].contains(fileExtension) }

  /// `true` for a recipe, which has the content of a bundle.
  package var isRecipe: Bool { fileExtension.hasSameBytes(as: Recipe.fileExtension) }

  /// The headers for a file that never changes.
  package var headers: FileHeaders {
    FileHeaders(contentType: .contentType(of: fileExtension), cacheControl: .forever)
  }

  /// The largest size that a record may give for an object: a sum over any release cannot overflow.
  static let largestSize = ListedFile.largestSize

  /// Reads the value that `rows` returned; `nil` if a row is damaged.
  package static func readAll(_ rows: Value?) -> [ReleaseObject]? {
    guard let members = rows?.members else { return nil }
    let objects = members.compactMap { hex, row -> ReleaseObject? in
      guard let digest = Digest(hex: hex), let fileExtension = row["extension"]?.text,
        fileExtension.isPlainExtension,
        let size = row["size"]?.number, (0...largestSize).contains(size)
      else { return nil }
      return ReleaseObject(digest: digest, fileExtension: fileExtension, size: size)
    }
    return objects.count == members.count ? objects : nil
  }
}

extension [ReleaseObject] {
  /// The extensions and sizes by hash.
  package var rows: Value {
    .dictionary(
      Members(
        map { object in
          (
            object.digest.hex,
            ["extension": .string(object.fileExtension), "size": .integer(Int64(object.size))]
          )
        }))
  }
}

extension String {
  /// `true` if the text is safe in a key: a record may come from anyone who can write to a target.
  fileprivate var isPlainExtension: Bool {
    (1...16).contains(utf8.count)
      && utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0)
      }
  }
}
