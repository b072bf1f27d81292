package import ContentModel
import SharedGzip
import Synchronization
package import System
import SystemC

/// Writes one build into its folder.
///
/// No file has its final name before `commit`, and the config is placed last. So a reader that
/// follows the config gets the whole earlier build or the whole new build, even after a crash.
/// Several threads may add files at once.
///
/// A class, since it owns the folder's lock and the staged files, and releases both when it is
/// deinitialized.
package final class BuildWriter: Sendable {
  let folder: OutputFolder
  let steps: StoreSteps
  let plan = Mutex(AddedFiles())
  /// The names at the top of the folder when the build was opened.
  let namesBefore: Set<ExactString>
  /// The compressor of `.gz` files; `nil` if the build has none.
  let compressor: GzipCompressor?
  /// A Boolean value that indicates whether a commit waits for the disk.
  private let isDurable: Bool

  /// Opens a folder for a build, and removes the leftovers of killed builds.
  ///
  /// Throws `.busy` while another build runs, and `.notOurs` for a folder that holds foreign files.
  /// Unless the build `compresses`, it has no `.gz` files, and those of earlier builds are strays.
  /// A build that is not durable survives the end of the process but not a crash of the machine;
  /// the preview uses such builds.
  package convenience init(folder: String, compresses: Bool = true, isDurable: Bool = true)
    throws(StoreError)
  {
    try self.init(folder: folder, compresses: compresses, isDurable: isDurable, steps: .live)
  }

  package init(
    folder path: String, compresses: Bool = true, isDurable: Bool = true, steps: StoreSteps
  ) throws(StoreError) {
    (self.steps, self.isDurable) = (steps, isDurable)
    compressor = compresses ? GzipCompressor() : nil
    folder = try OutputFolder(path)
    namesBefore = Set(names: try Disk.names(in: path))
    try restart()
  }

  /// Discards all added files, and keeps the lock.
  package func restart() throws(StoreError) {
    plan.withLock { $0 = AddedFiles() }
    try clearStaging()
    try steps.willPerform(.makeFolder(stagingPath))
    try Disk.makeFolder(stagingPath)
  }

  /// Returns `true` if another build is writing into a folder.
  package static func isBusy(folder: String) throws(StoreError) -> Bool {
    let descriptor = try Descriptor(folder, flags: O_RDONLY | O_DIRECTORY)
    guard try descriptor.lock() else { return true }
    descriptor.unlock()
    return false
  }

  deinit { discard() }

  /// Discards the build: staged files are removed, and the earlier build stays as it is.
  ///
  /// Deinitialization does the same. After `commit`, there are no staged files.
  package func discard() {
    // A failure is harmless: the next build removes the leftovers.
    try? clearStaging()
  }

  /// Syncs the file system if this build is durable, and does other work meanwhile.
  func syncFileSystem<Result>(while work: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  {
    guard isDurable else { return try work() }
    try steps.willPerform(.syncFileSystem)
    let sync = BackgroundTask {
      Swift.Result { () throws(StoreError) in try self.folder.sync() }
    }
    defer { _ = sync.value }
    let result = try work()
    try sync.value.get()
    return result
  }

  /// Syncs the names in a folder if this build is durable.
  private func syncNames(in folder: String) throws(StoreError) {
    guard isDurable else { return }
    try steps.willPerform(.syncFolder(folder))
    try Descriptor(folder, flags: O_RDONLY | O_DIRECTORY).sync()
  }

  private func clearStaging() throws(StoreError) {
    let kind = try Disk.examine(stagingPath).kind
    if kind == .nothing { return }
    try steps.willPerform(.discard(stagingPath))
    if kind == .folder {
      try Disk.removeTree(stagingPath)
    } else {
      try Disk.removeFile(stagingPath)
    }
  }

  func finalPath(_ path: RelativePath) -> String { "\(folder.path)/\(path.text)" }

  private func stagedPath(_ number: Int) -> String { stagedPath("\(number)") }

  private func stagedPath(_ name: String) -> String { "\(stagingPath)/\(name)" }

  private var stagingPath: String { "\(folder.path)/\(OutputFolder.stagingName)" }
}

extension BuildWriter {
  /// Creates the folders of the build's files before the first file moves, so that an obstacle
  /// leaves the earlier build unchanged.
  func makeFolders(of plan: AddedFiles, and config: RelativePath) throws(StoreError) {
    if isInNewTree(config) { try makeTreeFolders(of: config) }
    let paths = plan.objects.keys.map(\.path) + plan.files.keys + [config]
    var folders: Set<RelativePath> = []
    for path in paths where !isInNewTree(path) { folders.formUnion(path.folders) }
    var made: [String] = []
    do {
      // Sorted by code point, each folder comes before the folders in it.
      for path in folders.sorted() where try makeFolder(finalPath(path)) {
        made.append(finalPath(path))
      }
    } catch {
      for path in made.reversed() { try? removeFolder(path) }
      throw error
    }
  }

  /// Creates a folder; returns `false` if it exists.
  private func makeFolder(_ path: String) throws(StoreError) -> Bool {
    switch try Disk.examine(path).kind {
    case .folder: return false
    case .symbolicLink: throw .symbolicLink(path: path)
    case .file, .other: throw .failed(.createFolder, path: path, errno: ENOTDIR)
    case .nothing:
      try steps.willPerform(.makeFolder(path))
      try Disk.makeFolder(path)
      return true
    }
  }

  private func removeFolder(_ path: String) throws(StoreError) {
    try steps.willPerform(.discard(path))
    _ = try Disk.removeEmptyFolder(path)
  }
}

extension BuildWriter {
  /// Adds an object, once; a file with the same bytes is kept.
  ///
  /// With `compress`, a `.gz` file is written beside the object if it is smaller. Other objects may
  /// contain the same stretches of bytes, and the `GzipCompressor` compresses such a stretch once.
  /// `seams` are the byte offsets at which these stretches begin.
  package func add(
    object digest: Digest, extension fileExtension: String, bytes: [UInt8], compress: Bool,
    seams: [Int] = []
  ) throws(StoreError) {
    let name = try ObjectName(digest, extension: fileExtension)
    try add(bytes, as: name) { path throws(StoreError) in
      compress ? try self.stageCompressed(bytes, seams: seams, for: path) : .absent
    }
  }

  /// Adds an object and the `.gz` file beside it, both checked by the caller; `nil` means no `.gz`
  /// file.
  package func add(
    object digest: Digest, extension fileExtension: String, bytes: [UInt8], compressed: [UInt8]?
  ) throws(StoreError) {
    let name = try ObjectName(digest, extension: fileExtension)
    try add(bytes, as: name) { path throws(StoreError) in
      if let compressed { try self.stage(compressed, for: path) } else { .absent }
    }
  }

  private func add(
    _ bytes: [UInt8], as name: ObjectName,
    compressed: (_ path: RelativePath) throws(StoreError) -> AddedFiles.Content
  ) throws(StoreError) {
    let isNew = plan.withLock { plan in
      plan.objects.updateValue(.init(plain: .pending, compressed: .pending), ifAbsent: name)
    }
    guard isNew else { return }
    try remembering { () throws(StoreError) in
      let plain = try stage(bytes, for: name.path)
      let compressed = try compressed(name.path.adding(".gz"))
      plan.withLock { $0.objects[name] = .init(plain: plain, compressed: compressed) }
    }
  }

  /// Adds a file that later builds may replace.
  ///
  /// If several files are added for one path, the last one is written. Files for one path must
  /// therefore not be added concurrently.
  package func add(file path: String, bytes: [UInt8]) throws(StoreError) {
    let path = try RelativePath(path)
    try remembering { () throws(StoreError) in
      let content = try stage(bytes, for: path)
      plan.withLock { $0.files[path] = .content(content) }
    }
  }

  /// Adds a file that is an object under another name; the object may be added later.
  package func add(file path: String, linkingTo digest: Digest, extension fileExtension: String)
    throws(StoreError)
  {
    let path = try RelativePath(path)
    let object = try ObjectName(digest, extension: fileExtension)
    plan.withLock { $0.files[path] = .link(object, .pending) }
  }

  private func stage(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    if !isInNewTree(path), Disk.holds(bytes, at: finalPath(path)) {
      return .kept(size: bytes.count)
    }
    return try stageNew(bytes, for: path)
  }

  private func stageCompressed(
    _ bytes: [UInt8], seams: [Int], for path: RelativePath
  ) throws(StoreError) -> AddedFiles.Content {
    guard let compressor else { return .absent }
    // An existing file is only decompressed, which is much cheaper than compression.
    if !isInNewTree(path), let there = Disk.contents(finalPath(path), limit: bytes.count),
      there.count < bytes.count,
      (try? Gzip.decompress(there, limit: bytes.count))?.hasSameBytes(as: bytes) ?? false
    {
      return .kept(size: there.count)
    }
    guard let compressed = try? compressor.compress(bytes, seams: seams),
      compressed.count < bytes.count
    else {
      return .absent
    }
    return try stageNew(compressed, for: path)
  }

  private func stageNew(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    if isInNewTree(path) {
      let isStaged = try stageInTree(path) { file throws(StoreError) in
        try Disk.create(file, bytes: bytes)
      }
      if isStaged { return .inTree(size: bytes.count) }
    }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Disk.create(stagedPath(number), bytes: bytes)
    return .staged(number, size: bytes.count)
  }

  private func remembering(_ work: () throws(StoreError) -> Void) throws(StoreError) {
    do {
      try work()
    } catch {
      plan.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }
}

extension Dictionary {
  /// Sets the value of a new key; returns `false` if the key has one.
  fileprivate mutating func updateValue(_ value: Value, ifAbsent key: Key) -> Bool {
    if self[key] != nil { return false }
    self[key] = value
    return true
  }
}

extension BuildWriter {
  /// Links the staged objects under their other names.
  ///
  /// The links need space, so they precede the first move: a full disk leaves the earlier build.
  private func stageLinks(of plan: inout AddedFiles) throws(StoreError) {
    var links: [Link] = []
    for path in plan.sortedPaths {
      guard case .link(let name, _)? = plan.files[path] else { continue }
      guard let object = plan.objects[name] else {
        throw .missingObject(path: path.text, object: name.path.text)
      }
      links.append(Link(path: path, name: name, object: object.plain))
    }
    for (path, file) in try staged(links) { plan.files[path] = file }
  }

  /// A file that is an object under another name.
  private struct Link: Sendable {
    let path: RelativePath
    let name: ObjectName
    let object: AddedFiles.Content
  }

  /// Stages the links of several folders at a time, since creating folders takes most of the time.
  private func staged(_ links: [Link]) throws(StoreError) -> [RelativePath: AddedFiles.File] {
    let folders = Array(Dictionary(grouping: links) { $0.path.folders.last }.values)
    let staged = try folders.mapOverlapped(atOnce: links.count < 64 ? 1 : 4) {
      [self] links throws(StoreError) in
      var staged: [(RelativePath, AddedFiles.File)] = []
      for link in links {
        let content = try stageLink(to: link.object, link.name, for: link.path)
        staged.append((link.path, .link(link.name, content)))
      }
      return staged
    }
    return Dictionary(staged.joined()) { $1 }
  }

  private func stageLink(
    to object: AddedFiles.Content, _ name: ObjectName, for path: RelativePath
  ) throws(StoreError) -> AddedFiles.Content {
    let source =
      switch object {
      case .staged(let number, _): stagedPath(number)
      case .inTree: pathInTree(name.path)
      case .pending, .absent, .kept: finalPath(name.path)
      }
    if isInNewTree(path) {
      let isStaged = try stageInTree(path) { file throws(StoreError) in
        try Self.link(source, as: file)
      }
      if isStaged { return .inTree(size: object.size) }
    }
    let target = finalPath(path)
    let there = try Disk.examine(target)
    if there.kind == .file, there.identity == (try Disk.examine(source).identity) {
      return .kept(size: object.size)
    }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Self.link(source, as: stagedPath(number))
    return .staged(number, size: object.size)
  }

  /// Links a file, or copies the file if the file system has no hard links, or if the file has the
  /// largest number of them.
  private static func link(_ source: String, as path: String) throws(StoreError) {
    do {
      try Disk.link(source, as: path)
    } catch {
      if case .failed(_, _, let code) = error, code == ENOENT || code == EEXIST { throw error }
      guard let bytes = Disk.contents(source) else { throw error }
      try Disk.create(path, bytes: bytes)
    }
  }
}

/// The staging of whole folders.
///
/// If the output lacks a top-level folder, its files are staged under their own names, and one
/// rename puts the folder in place. A first build then creates its folders while it compiles, not
/// all at its end.
extension BuildWriter {
  /// Returns `true` if a path is in a top-level folder that the output lacked when the build began.
  private func isInNewTree(_ path: RelativePath) -> Bool {
    guard let top = path.top else { return false }
    return !namesBefore.contains(top)
  }

  /// Returns the path at which a file is staged in its tree.
  private func pathInTree(_ path: RelativePath) -> String { "\(treesPath)/\(path.text)" }

  /// Stages a file in its tree, with the folders that it needs; returns `false` if the file exists.
  private func stageInTree(
    _ path: RelativePath, make: (String) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try steps.willPerform(.stage(pathInTree(path)))
    do {
      do {
        try make(pathInTree(path))
      } catch StoreError.failed(_, _, ENOENT) {
        try makeTreeFolders(of: path)
        try make(pathInTree(path))
      }
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    }
    return true
  }

  /// Creates the folders that a path needs in its tree.
  private func makeTreeFolders(of path: RelativePath) throws(StoreError) {
    for folder in [treesPath] + path.folders.map(pathInTree) {
      try steps.willPerform(.makeFolder(folder))
      try Disk.makeFolder(folder)
    }
  }

  /// Returns the names of the staged trees; throws if another program has made a file or folder
  /// with one of these names in the output meanwhile.
  private func stagedTrees() throws(StoreError) -> [String] {
    if try Disk.examine(treesPath).kind == .nothing { return [] }
    let trees = try Disk.names(in: treesPath)
    for tree in trees {
      let path = finalPath(RelativePath(found: tree))
      if try Disk.examine(path).kind != .nothing {
        throw .failed(.rename, path: path, errno: EEXIST)
      }
    }
    return trees
  }

  private func placeTree(_ name: String) throws(StoreError) {
    let path = RelativePath(found: name)
    try rename(pathInTree(path), to: finalPath(path))
  }

  private var treesPath: String { stagedPath("new") }
}

extension RelativePath {
  /// The first folder of the path; `nil` for a name alone.
  var top: String? {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(text[..<slash])
  }
}

extension BuildWriter {
  /// Stages the config, before any file is in place.
  private func stageConfig(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    let final = finalPath(path)
    if try Disk.examine(final).kind == .folder { throw .folderInPlaceOfFile(path: final) }
    if Disk.holds(bytes, at: final) { return .kept(size: bytes.count) }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Disk.create(stagedPath(number), bytes: bytes)
    return .staged(number, size: bytes.count)
  }

  /// Puts the config in place, which makes the build visible.
  ///
  /// Returns once the name of the config is on the disk. The bytes are on the disk already: they
  /// were staged before the file system was synced.
  private func placeConfig(
    _ config: AddedFiles.Content, at path: RelativePath, countingIn summary: inout BuildSummary
  ) throws(StoreError) {
    guard case .staged(let number, let size) = config else {
      summary.filesKept += 1
      return
    }
    try rename(stagedPath(number), to: finalPath(path))
    try syncNames(in: finalPath(path.folders.last ?? RelativePath(found: ".")))
    summary.filesWritten += 1
    summary.bytesWritten += size
  }
}

extension BuildWriter {
  /// Puts the build in place: objects, other files, then the config that names them.
  ///
  /// Stray files are removed last. Call this function once, after the last addition.
  ///
  /// Steps that need space precede the first move, so that a full disk leaves everything unchanged.
  /// If a later step throws, the folder contains one whole build: the earlier one, or, once the
  /// config is in place, this one. The next build repairs the rest.
  package func commit(config path: String, bytes: [UInt8]) throws(StoreError) -> BuildSummary {
    let config = try RelativePath(path)
    return try placeBuild(config: path, bytes: bytes) { plan, trees throws(StoreError) in
      var sweep = StraySweep(of: self, keeping: plan, and: config, except: trees)
      return try sweep.findStrays()
    }
  }

  /// Puts the build in place; `findStrays` finds the stray files while the disk syncs.
  private func placeBuild(
    config path: String, bytes: [UInt8],
    findStrays: (_ plan: AddedFiles, _ newTrees: [String]) throws(StoreError) -> Strays
  ) throws(StoreError) -> BuildSummary {
    let path = try RelativePath(path)
    var plan = self.plan.withLock { $0 }
    if let failure = plan.failure { throw failure }
    try stageLinks(of: &plan)
    let config = try stageConfig(bytes, for: path)
    var summary = BuildSummary()
    try makeFolders(of: plan, and: path)
    let trees = try stagedTrees()
    for tree in trees where tree == ObjectName.folder { try placeTree(tree) }
    try placeObjects(of: plan, &summary)
    for tree in trees where tree != ObjectName.folder { try placeTree(tree) }
    try placeFiles(of: plan, &summary)
    let strays = try syncFileSystem { () throws(StoreError) in try findStrays(plan, trees) }
    try placeConfig(config, at: path, countingIn: &summary)
    summary.straysRemoved = try strays.remove()
    discard()
    return summary
  }

  private func placeObjects(of plan: AddedFiles, _ summary: inout BuildSummary) throws(StoreError) {
    for name in plan.objects.keys.sorted() {
      guard let object = plan.objects[name] else { continue }
      // The `.gz` file goes first, since some servers prefer it. A damaged `.gz` file is then
      // replaced before the object appears beside it.
      summary.gzipBytesTotal += object.compressed.size
      if try place(object.compressed, at: name.path.adding(".gz")) {
        summary.bytesWritten += object.compressed.size
      }
      summary.bytesTotal += object.plain.size
      if try place(object.plain, at: name.path) {
        summary.bytesWritten += object.plain.size
        summary.objectsWritten += 1
      } else {
        summary.objectsKept += 1
      }
    }
  }

  private func placeFiles(of plan: AddedFiles, _ summary: inout BuildSummary) throws(StoreError) {
    for path in plan.sortedPaths {
      guard let file = plan.files[path] else { continue }
      let isNew =
        switch file {
        case .content(let content): try place(content, at: path)
        case .link(_, let content): try place(content, at: path)
        }
      if isNew { summary.filesWritten += 1 } else { summary.filesKept += 1 }
      if isNew, case .content(let content) = file { summary.bytesWritten += content.size }
    }
  }

  /// Renames a staged file into place, unless its tree was renamed as a whole; returns `true` if
  /// the file is new.
  private func place(_ content: AddedFiles.Content, at path: RelativePath) throws(StoreError)
    -> Bool
  {
    switch content {
    case .pending, .absent, .kept: return false
    case .inTree: return true
    case .staged(let number, _):
      try rename(stagedPath(number), to: finalPath(path))
      return true
    }
  }

  func rename(_ staged: String, to path: String) throws(StoreError) {
    if try Disk.examine(path).kind == .folder { throw .folderInPlaceOfFile(path: path) }
    try steps.willPerform(.place(path))
    try Disk.rename(staged, to: path)
  }
}

extension AddedFiles {
  /// The paths of the files that are not objects, in order.
  var sortedPaths: [RelativePath] { files.keys.sorted() }
}

extension AddedFiles.Content {
  var size: Int {
    switch self {
    case .pending, .absent: 0
    case .kept(let size), .staged(_, let size), .inTree(let size): size
    }
  }
}

/// The changes that a build made to its folder.
package struct BuildSummary: Hashable, Sendable {
  /// Objects that were missing or damaged.
  package var objectsWritten = 0
  /// Objects that an earlier build had written already.
  package var objectsKept = 0
  /// Other files (config and links among them) whose bytes are new.
  package var filesWritten = 0
  /// Other files that existed with the same bytes.
  package var filesKept = 0
  /// Bytes written to the disk, with `.gz` files and without links.
  package var bytesWritten = 0
  /// Bytes of all objects of the build, without `.gz` files.
  package var bytesTotal = 0
  /// Bytes of all `.gz` files of the build.
  package var gzipBytesTotal = 0
  /// Files and links that no longer belong to the build.
  package var straysRemoved = 0

  package init() {}

  /// The number of objects in the build.
  package var objects: Int { objectsWritten + objectsKept }
  /// The number of other files in the build.
  package var files: Int { filesWritten + filesKept }
}

extension BuildWriter {
  /// Puts an edit of an earlier build in place: added files join or replace the files of that
  /// build, and the `removed` objects are deleted.
  ///
  /// The caller guarantees that the folder is as the earlier build left it; `earlier` is the
  /// summary of that build. If a link of the earlier build is replaced, `relinked` contains the
  /// object to which it led. An edit is as safe as `commit(config:bytes:)`.
  package func commitEdit(
    config path: String, bytes: [UInt8], after earlier: BuildSummary,
    removing removed: [(digest: Digest, fileExtension: String)],
    relinking relinked: [(digest: Digest, fileExtension: String)]
  ) throws(StoreError) -> Edit {
    let strays = Strays(in: self, objects: try names(of: removed))
    let sizes = strays.sizes
    let plan = plan.withLock { $0 }
    let new = plan.objects.values.filter(\.isNew)
    let touched =
      strays.paths + (try names(of: relinked)).map(\.path) + plan.objects.keys.map(\.path)
      + plan.files.keys
      + [try RelativePath(path)]
    var summary = try placeBuild(config: path, bytes: bytes) { _, _ in strays }
    summary.objectsKept = earlier.objects - removed.count
    summary.filesKept = earlier.files - summary.filesWritten
    summary.bytesTotal = earlier.bytesTotal - sizes.plain + new.map(\.plain.size).reduce(0, +)
    summary.gzipBytesTotal =
      earlier.gzipBytesTotal - sizes.compressed + new.map(\.compressed.size).reduce(0, +)
    return Edit(
      summary: summary, folders: Set(names: [""] + touched.flatMap(\.folders).map(\.text)))
  }

  /// The changes that an edit made to the folder.
  package struct Edit: Sendable {
    package var summary: BuildSummary
    /// Every folder that may have changed, by path below the output; the output itself is the empty
    /// path.
    package var folders: Set<ExactString>
  }

  private func names(of objects: [(digest: Digest, fileExtension: String)]) throws(StoreError)
    -> [ObjectName]
  {
    var names: [ObjectName] = []
    for (digest, fileExtension) in objects {
      names.append(try ObjectName(digest, extension: fileExtension))
    }
    return names
  }
}

extension AddedFiles.Object {
  /// A Boolean value that indicates whether the build wrote the object.
  fileprivate var isNew: Bool { if case .kept = plain { false } else { true } }
}
