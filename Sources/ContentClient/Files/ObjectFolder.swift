import ContentModel
package import SiteFormat

/// The objects in a folder, each checked by its hash at its first use in this process.
package struct ObjectFolder: Sendable {
  /// The most bytes of an object: memory must hold it.
  private static let limit = 256 << 20

  package let folder: String
  private let checked = Locked<Set<Digest>>([])
  /// The objects whose bytes are wrong, until they are reported.
  private let damaged = Locked<Set<SiteObject>>([])

  package init(_ folder: String) { self.folder = folder }

  /// Returns the path of an object's file.
  package func path(of object: SiteObject) -> String { "\(folder)/\(object.path)" }

  /// Returns an object's bytes; `nil` if it is missing, short or altered.
  package func bytes(of object: SiteObject) -> [UInt8]? {
    guard let bytes = FolderFile.contents(path(of: object), limit: Self.limit) else { return nil }
    guard isChecked(object) || object.isHeld(by: bytes) else {
      noteDamage(of: object)
      return nil
    }
    noteChecked(object)
    return bytes
  }

  /// Returns whether an object is stored; with a size, whether it also has that size.
  package func contains(_ object: SiteObject, size: Int?) -> Bool {
    guard case .present(let found) = FolderFile.presence(path(of: object)) else { return false }
    return size.map { $0 == found } ?? (found > 0)
  }

  /// Returns whether an object is stored with the right bytes; with a size, also with that size.
  package func holds(_ object: SiteObject, size: Int?) -> Bool {
    guard contains(object, size: size) else {
      if case .present = FolderFile.presence(path(of: object)) { noteDamage(of: object) }
      return false
    }
    return isChecked(object) || bytes(of: object) != nil
  }

  /// Returns the objects whose bytes were found to be wrong since the last call, in byte order.
  package func takeDamagedObjects() -> [SiteObject] {
    damaged.withLock { damaged in
      defer { damaged = [] }
      return damaged.sorted { $0.digest < $1.digest }
    }
  }

  private func noteDamage(of object: SiteObject) { damaged.withLock { _ = $0.insert(object) } }

  /// Notes that an object's hash was checked.
  package func noteChecked(_ object: SiteObject) {
    checked.withLock { _ = $0.insert(object.digest) }
  }

  private func isChecked(_ object: SiteObject) -> Bool {
    checked.withLock { $0.contains(object.digest) }
  }
}
