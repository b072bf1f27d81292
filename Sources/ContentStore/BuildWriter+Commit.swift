import Synchronization

extension BuildWriter {
  /// Puts the build in place: objects, other files, then the config that names them, then away with the strays.
  ///
  /// Call it once, when nothing is being added any more. If it throws, the earlier build is whole, or, from the moment
  /// the config is in place, this one; the next build repairs the rest.
  package func commit(config path: String, bytes: [UInt8]) throws(StoreError) -> BuildSummary {
    let path = try RelativePath(path)
    let plan = self.plan.withLock { $0 }
    if let failure = plan.failure { throw failure }
    try checkLinks(of: plan)
    var summary = BuildSummary()
    try makeFolders(of: plan, and: path)
    try placeObjects(of: plan, &summary)
    try placeFiles(of: plan, &summary)
    try steps.willPerform(.syncFileSystem)
    try folder.sync()
    try placeConfig(path, bytes, &summary)
    var sweep = StraySweep(of: self, keeping: plan, and: path)
    try sweep.run()
    summary.straysRemoved = sweep.removed
    discard()
    return summary
  }

  private func checkLinks(of plan: BuildPlan) throws(StoreError) {
    for path in plan.sortedPaths {
      guard case .link(let object)? = plan.files[path], plan.objects[object] == nil else { continue }
      throw .missingObject(path: path.text, object: object.path.text)
    }
  }

  private func placeObjects(of plan: BuildPlan, _ summary: inout BuildSummary) throws(StoreError) {
    for name in plan.objects.keys.sorted() {
      guard let object = plan.objects[name] else { continue }
      // The compressed one first: a server that prefers it then never sends another object's bytes.
      summary.gzipBytesTotal += object.compressed.size
      if try place(object.compressed, at: name.path.adding(".gz")) { summary.bytesWritten += object.compressed.size }
      summary.bytesTotal += object.plain.size
      if try place(object.plain, at: name.path) {
        summary.bytesWritten += object.plain.size
        summary.objectsWritten += 1
      } else {
        summary.objectsKept += 1
      }
    }
  }

  private func placeFiles(of plan: BuildPlan, _ summary: inout BuildSummary) throws(StoreError) {
    for path in plan.sortedPaths {
      guard let file = plan.files[path] else { continue }
      let isNew =
        switch file {
        case .content(let content): try place(content, at: path)
        case .link(let object): try placeLink(to: object, at: path)
        }
      if isNew { summary.filesWritten += 1 } else { summary.filesKept += 1 }
      if isNew, case .content(let content) = file { summary.bytesWritten += content.size }
    }
  }

  /// Renames what is staged into place; says whether anything was.
  private func place(_ content: BuildPlan.Content, at path: RelativePath) throws(StoreError) -> Bool {
    guard case .staged(let number, _) = content else { return false }
    try rename(stagedPath(number), to: finalPath(path))
    return true
  }

  private func placeLink(to object: ObjectName, at path: RelativePath) throws(StoreError) -> Bool {
    let (source, target) = (finalPath(object.path), finalPath(path))
    let original = try Disk.examine(source).identity
    let there = try Disk.examine(target)
    if there.kind == .file, there.identity == original { return false }
    let staged = stagedPath(self.plan.withLock { $0.nextNumber() })
    try steps.willPerform(.stage(staged))
    do {
      try Disk.link(source, as: staged)
    } catch {
      // The file system has no hard links, or the object has as many as it can have.
      guard let bytes = Disk.contents(source) else { throw error }
      if Disk.holds(bytes, at: target) { return false }
      try Disk.create(staged, bytes)
    }
    try rename(staged, to: target)
    return true
  }

  private func rename(_ staged: String, to path: String) throws(StoreError) {
    if try Disk.examine(path).kind == .folder { throw .folderInPlaceOfFile(path: path) }
    try steps.willPerform(.place(path))
    try Disk.rename(staged, to: path)
  }

  private func placeConfig(_ path: RelativePath, _ bytes: [UInt8], _ summary: inout BuildSummary) throws(StoreError) {
    if Disk.holds(bytes, at: finalPath(path)) {
      summary.filesKept += 1
      return
    }
    try AtomicFile(finalPath(path), steps: steps).write(bytes)
    summary.filesWritten += 1
    summary.bytesWritten += bytes.count
  }
}

extension BuildPlan {
  /// The paths of the files that are no objects, in an order that does not depend on the run.
  var sortedPaths: [RelativePath] { files.keys.sorted() }
}

extension BuildPlan.Content {
  var size: Int {
    switch self {
    case .claimed, .absent: 0
    case .kept(let size), .staged(_, let size): size
    }
  }
}
