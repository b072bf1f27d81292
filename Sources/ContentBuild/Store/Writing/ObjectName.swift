import ContentModel
import System

/// The name of an object's file: its digest and extension.
struct ObjectName: Hashable, Sendable {
  let digest: Digest
  let fileExtension: String

  /// Throws `.invalidPath` for an extension that a file's name cannot have.
  init(_ digest: Digest, extension fileExtension: String) throws(StoreError) {
    self.digest = digest
    self.fileExtension = fileExtension
    _ = try RelativePath(path.text)
    if fileExtension.isEmpty || fileExtension.utf8.contains(UInt8(ascii: "/")) {
      throw .invalidPath(path.text)
    }
  }

  /// Reads a path such as `objects/3f/3fa9….plist`; returns `nil` if no object has it.
  init?(_ found: RelativePath) {
    let parts = found.text.split(separator: "/")
    guard parts.count == 3, let dot = parts[2].firstIndex(of: "."),
      let digest = Digest(hex: String(parts[2][..<dot])),
      let name = try? ObjectName(digest, extension: String(parts[2][parts[2].index(after: dot)...]))
    else { return nil }
    self = name
    // Upper-case digits and other folders are refused, so that each object has one path.
    guard path == found else { return nil }
  }

  /// The top-level folder of all objects.
  static let folder = "objects"

  /// The path below the output folder.
  var path: RelativePath {
    let hex = digest.hex
    return RelativePath(found: "\(Self.folder)/\(hex.prefix(2))/\(hex).\(fileExtension)")
  }
}

extension ObjectName: Comparable {
  static func < (a: ObjectName, b: ObjectName) -> Bool {
    if a.digest != b.digest { return a.digest < b.digest }
    return a.fileExtension.precedesInBytes(b.fileExtension)
  }
}
