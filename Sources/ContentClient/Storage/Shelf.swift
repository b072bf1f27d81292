import ContentModel
import SiteFiles

/// All objects that need no request: stored ones and baked ones.
struct Shelf: Sendable {
  let storage: any ContentStorage
  let baked: BakedFolder?

  /// Returns an object's bytes; `nil` if it is in neither place.
  func bytes(of object: SiteObject) -> [UInt8]? {
    storage.bytes(of: object) ?? baked?.objects.bytes(of: object)
  }

  /// Returns whether there is an object; with a size, whether it has so many bytes.
  func contains(_ object: SiteObject, size: Int? = nil) -> Bool {
    storage.contains(object, size: size) || baked?.objects.contains(object, size: size) ?? false
  }

  /// Returns whether there is an object whose bytes are right: they are read once in a process.
  func holds(_ object: SiteObject, size: Int? = nil) -> Bool {
    storage.holds(object, size: size) || baked?.objects.holds(object, size: size) ?? false
  }

  /// Returns the objects whose bytes were found to be wrong since the last call.
  func takeDamagedObjects() -> [SiteObject] {
    storage.takeDamagedObjects() + (baked?.objects.takeDamagedObjects() ?? [])
  }

  /// Returns the path of an object's file whose bytes are right; `nil` if there is none.
  func path(of object: SiteObject) -> String? {
    if storage.bytes(of: object) != nil { return storage.path(of: object) }
    return baked?.objects.bytes(of: object) != nil ? baked?.objects.path(of: object) : nil
  }
}

/// The folder that an app ships with: config and objects, opened in place.
struct BakedFolder: Sendable {
  let objects: ObjectFolder

  init(_ folder: String) { objects = ObjectFolder(folder) }

  /// The config; `nil` if there is none that this version reads.
  func config() -> SiteConfig? {
    for name in ["config.plist", "config.json"] {
      let path = "\(objects.folder)/\(name)"
      if let bytes = FolderFile.contents(path, limit: LimitedPart.Kind.config.limit) {
        return try? SiteConfig(bytes)
      }
    }
    return nil
  }
}
