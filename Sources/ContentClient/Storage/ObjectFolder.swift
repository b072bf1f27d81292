import ContentModel

/// The objects in a folder, each checked by its hash at its first use in this process.
struct ObjectFolder: Sendable {
  /// The most bytes of an object: memory must hold it.
  private static let limit = 256 << 20

  let folder: String
  private let checked = Locked<Set<Digest>>([])

  init(_ folder: String) { self.folder = folder }

  /// Returns the path of an object's file.
  func path(of object: SiteObject) -> String { "\(folder)/\(object.path)" }

  /// Returns an object's bytes; `nil` if it is missing, short or altered.
  func bytes(of object: SiteObject) -> [UInt8]? {
    guard let bytes = FolderFile.contents(path(of: object), limit: Self.limit),
      isChecked(object) || object.isHeld(by: bytes)
    else { return nil }
    noteChecked(object)
    return bytes
  }

  /// Returns whether there is an object; with a size, whether it has so many bytes.
  func contains(_ object: SiteObject, size: Int?) -> Bool {
    guard case .present(let found) = FolderFile.presence(path(of: object)) else { return false }
    return size.map { $0 == found } ?? (found > 0)
  }

  /// Returns whether there is an object whose bytes are right; with a size, that has so many.
  func holds(_ object: SiteObject, size: Int?) -> Bool {
    contains(object, size: size) && (isChecked(object) || bytes(of: object) != nil)
  }

  /// Notes that an object's hash was checked.
  func noteChecked(_ object: SiteObject) { checked.withLock { _ = $0.insert(object.digest) } }

  private func isChecked(_ object: SiteObject) -> Bool {
    checked.withLock { $0.contains(object.digest) }
  }
}
