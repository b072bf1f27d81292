import ContentModel
import ContentSource
import System
import SystemC

/// The folder that a build is written to, locked for as long as this value lives.
struct OutputFolder: ~Copyable {
  let path: String
  private let descriptor: Descriptor

  /// The files that users may keep beside a build.
  static let guests = ["README.md", ".gitignore"]
  /// The folder in which a build stages its files; the lock makes one name sufficient.
  static let stagingName = ".contentc-staging"

  /// Creates the folder if needed, locks it, and refuses a folder with foreign files.
  init(_ path: String) throws(StoreError) {
    try Disk.makeFolders(path)
    try Self.refuseLink(outOf: path)
    let descriptor = try Descriptor(path, flags: O_RDONLY | O_DIRECTORY)
    guard try descriptor.lock() else { throw .busy(folder: path) }
    if let foreign = try Self.foreignName(in: path) {
      throw .notOurs(folder: path, example: foreign)
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { descriptor.unlock() }

  /// Waits until everything below the folder is on the disk.
  func sync() throws(StoreError) { try descriptor.syncFileSystem() }

  /// Refuses a link that leads out of its parent folder, through which a checkout could redirect
  /// builds to any place.
  private static func refuseLink(outOf path: String) throws(StoreError) {
    let parts = path.pathParts
    let plain = (path.hasBytePrefix("/") ? "/" : "") + parts.joined(separator: "/")
    guard let name = parts.last, name != ".", name != "..",
      try Disk.examine(plain).kind == .symbolicLink
    else {
      return
    }
    let parent = "\(Substring(plain.utf8.dropLast(name.utf8.count)))."
    guard let (from, to) = realPath(parent).flatMap({ from in realPath(plain).map { (from, $0) } }),
      to.hasBytePrefix("\(from)/")
    else { throw .symbolicLink(path: path) }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the first foreign name in a folder; `nil` if the folder is empty or contains a build.
  ///
  /// A whole build is recognized by the config of its preview channel. A first build that was
  /// killed has left only the names in the list below.
  private static func foreignName(in path: String) throws(StoreError) -> String? {
    for config in ["config.plist", "config.json"] {
      if try Disk.examine("\(path)/preview").kind == .folder,
        try Disk.examine("\(path)/preview/\(config)").kind == .file
      {
        return nil
      }
    }
    // `.contentc` is not foreign: contentc keeps its caches in it, beside content.
    let own =
      guests + [
        stagingName, ".contentc", "objects", "preview", "maintenance", "build.plist", "build.json",
      ]
    return try Disk.names(in: path).first { !own.contains($0) }
  }
}
