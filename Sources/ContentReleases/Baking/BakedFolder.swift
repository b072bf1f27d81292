import ContentModel
import ContentTargets
import System
import SystemC

/// A folder that an app ships: config and objects, as readers get them.
package struct BakedFolder: Sendable {
  let path: String

  /// The files that users may keep in the folder.
  private static let guests = ["README.md", ".gitignore", ".gitattributes", ".DS_Store"]
  private static let configs = ["config.plist", "config.json"]

  package init(_ path: String) { self.path = path }

  /// The result of `write`.
  package struct Outcome: Sendable {
    /// The objects in the folder.
    package var objects: [BakedObject] = []
    /// The number of bytes of these objects and of config.
    package var bytes = 0
    /// The number of files that were removed, because nothing leads to them.
    package var removed = 0
  }

  /// Writes the objects of a channel's content, then config, and then removes the files of earlier
  /// content.
  ///
  /// After an unexpected end, the folder has the earlier config with all of its objects, or the new
  /// one.
  ///
  /// - Throws: `BakeError`, after which only new objects may have been written; `TargetError`;
  ///   `StoreError`.
  package func write(
    _ config: BakedConfig, from files: PublishedFiles, for order: BakeOrder,
    progress: @escaping @Sendable (_ bytes: Int) -> Void = { _ in }
  ) throws -> Outcome {
    try Disk.makeFolders(path)
    let held = try HeldFolder(path)
    let lock = try held.open(".", flags: O_RDONLY | O_DIRECTORY)
    guard try lock.lock() else { throw StoreError.busy(folder: path) }
    defer { lock.unlock() }
    try refuseForeignFiles()
    let copied = files.copied(to: self.files) { object, bytes in
      try Self.place(bytes, of: object, in: held)
      progress(bytes.count)
    }
    var outcome = Outcome(
      objects: try BakeWalk(config: config, files: copied, order: order).run())
    try AtomicFile("\(path)/\(config.fileName)").write(config.bytes)
    outcome.removed = try sweep(keeping: outcome.objects, and: config.fileName)
    outcome.bytes = config.bytes.count + outcome.objects.reduce(0) { $0 + size(of: $1) }
    return outcome
  }

  // MARK: Checking

  /// Returns the config in the folder.
  ///
  /// - Throws: `BakeError` if there is none, or if it is of another channel.
  package func config(of channel: String, app: String) throws(BakeError) -> BakedConfig {
    for name in Self.configs {
      let file = "\(path)/\(name)"
      if let bytes = Disk.contents(file, limit: ReadLimit.config) {
        return try BakedConfig(bytes, of: channel, app: app, at: "'\(file)'")
      }
    }
    throw BakeError(.missing, "'\(path)' has no baked content; bake it without '--check'")
  }

  /// Returns the problems of the folder as sentences: missing, altered and foreign files.
  ///
  /// `order` is the order for which the folder was written.
  ///
  /// - Throws: `BakeError` for an unknown locale, device or bundle; `StoreError`.
  package func problems(_ config: BakedConfig, for order: BakeOrder) throws -> [String] {
    let others = try Disk.entries(in: path).map(\.name).filter {
      !Self.isOwn($0) && !Self.isTemporary($0)
    }
    let foreign = try Self.files(below: path, folder: "objects").filter {
      BakedObject(key: $0) == nil && !Self.isTemporary($0.split(separator: "/").last ?? "")
    }
    var problems = (others + foreign).map { "'\(path)/\($0)' is no file of baked content" }
    do {
      _ = try BakeWalk(config: config, files: files, order: order).run()
    } catch let error as BakeError where [.missing, .refused].contains(error.kind) {
      problems.append(error.description)
    }
    return problems
  }

  /// The files of the folder.
  private var files: PublishedFiles {
    PublishedFiles(name: "'\(path)'") { [path] key in Disk.contents("\(path)/\(key)") }
  }

  // MARK: Writing

  /// Writes an object, and replaces an altered copy.
  private static func place(
    _ bytes: [UInt8], of object: BakedObject, in held: HeldFolder
  ) throws(StoreError) {
    let parts = object.key.split(separator: "/").map(String.init)
    let folder = try held.makeFolder(parts[0]).makeFolder(parts[1])
    let temporary = ".\(parts[2]).\(getpid()).tmp"
    try folder.removeFile(temporary)
    try folder.create(temporary) { file throws(StoreError) in
      try file.write(bytes)
      try file.sync()
    }
    try folder.rename(temporary, to: parts[2])
  }

  /// Refuses a folder with files that no bake wrote, and removes the temporary files of a killed
  /// bake.
  private func refuseForeignFiles() throws(StoreError) {
    for (name, kind) in try Disk.entries(in: path) where !Self.isOwn(name) {
      guard kind == .file, Self.isTemporary(name) else {
        throw .notOurs(folder: path, example: name)
      }
      try Disk.removeFile("\(path)/\(name)")
    }
    for file in try Self.files(below: path, folder: "objects") where BakedObject(key: file) == nil {
      if Self.isTemporary(file.split(separator: "/").last ?? "") { continue }
      throw .notOurs(folder: path, example: file)
    }
  }

  /// Returns whether a name in the folder is one of baked content, or of a file that users may keep.
  private static func isOwn(_ name: String) -> Bool {
    (["objects"] + guests + configs).contains(name)
  }

  /// Returns whether a file may be a temporary file of a killed bake.
  private static func isTemporary(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".tmp")
  }

  /// Removes the files that nothing leads to, and returns their number.
  private func sweep(keeping objects: [BakedObject], and config: String) throws(StoreError) -> Int {
    let kept = Set(names: objects.map(\.key))
    var removed = 0
    for file in try Self.files(below: path, folder: "objects")
    where !kept.contains(ExactString(file)) {
      try Disk.removeFile("\(path)/\(file)")
      removed += 1
    }
    for name in Self.configs where name != config {
      if try Disk.examine("\(path)/\(name)").kind == .file {
        try Disk.removeFile("\(path)/\(name)")
        removed += 1
      }
    }
    return removed
  }

  /// Returns the paths of the files in a folder and its subfolders.
  private static func files(below root: String, folder: String) throws(StoreError) -> [String] {
    guard try Disk.examine("\(root)/\(folder)").kind == .folder else { return [] }
    var files: [String] = []
    // Finder creates such files by itself.
    for (name, kind) in try Disk.entries(in: "\(root)/\(folder)") where name != ".DS_Store" {
      let path = "\(folder)/\(name)"
      files += kind == .folder ? try Self.files(below: root, folder: path) : [path]
    }
    return files
  }

  private func size(of object: BakedObject) -> Int {
    var status = stat()
    return lstat("\(path)/\(object.key)", &status) == 0 ? Int(status.st_size) : 0
  }
}
