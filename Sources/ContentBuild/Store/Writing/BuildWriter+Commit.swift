import Synchronization
package import System

extension BuildWriter {
  /// Puts the build in place: objects, other files, then the config that names them.
  ///
  /// Stray files are removed last.
  ///
  /// Call it once, after the last addition. Steps that need space precede the first move, so that a
  /// full disk leaves everything unchanged. If a later step throws, the earlier build is whole, or,
  /// once the config is in place, this one; the next build repairs the rest.
  package func commit(config path: String, bytes: [UInt8]) throws(StoreError) -> BuildSummary {
    let config = try RelativePath(path)
    return try placeBuild(config: path, bytes: bytes) { plan, trees throws(StoreError) in
      var sweep = StraySweep(of: self, keeping: plan, and: config, except: trees)
      return try sweep.findStrays()
    }
  }

  /// Puts the build in place; `findStrays` finds the stray files while the disk syncs.
  func placeBuild(
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
      // The compressed file first: a server that prefers it then never sends another object's
      // bytes.
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
