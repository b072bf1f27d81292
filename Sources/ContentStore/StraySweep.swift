/// Removes from a build's folder what the build did not name.
struct StraySweep {
  private let writer: BuildWriter
  private let plan: BuildPlan
  private let config: RelativePath
  private let newTrees: [String]
  private var strays: [RelativePath] = []
  /// Folders that hold nothing but strays, or nothing, by depth.
  private var emptyFolders: [[RelativePath]] = []

  /// A sweep of all but the trees that came into the folder just now.
  init(of writer: BuildWriter, keeping plan: BuildPlan, and config: RelativePath, except newTrees: [String]) {
    self.newTrees = newTrees
    self.writer = writer
    self.plan = plan
    self.config = config
  }

  /// Looks through the whole folder; what a person keeps at the top stays, and so does the staging folder.
  mutating func look() throws(StoreError) {
    for (name, kind) in try Disk.entries(in: writer.folder.path) {
      if OutputFolder.guests.contains(name) || name == OutputFolder.stagingName { continue }
      if newTrees.contains(name) { continue }
      _ = try look(at: RelativePath(found: name), kind, depth: 0)
    }
  }

  /// Says whether nothing is to be left under the path.
  private mutating func look(at path: RelativePath, _ kind: Disk.Kind, depth: Int) throws(StoreError) -> Bool {
    guard kind == .folder else {
      if isNamed(path) { return false }
      strays.append(path)
      return true
    }
    var isEmpty = true
    for (name, kind) in try Disk.entries(in: writer.finalPath(path)) {
      let isGone = try look(at: path.adding("/" + name), kind, depth: depth + 1)
      isEmpty = isEmpty && isGone
    }
    if isEmpty { noteEmpty(path, depth: depth) }
    return isEmpty
  }

  private mutating func noteEmpty(_ path: RelativePath, depth: Int) {
    while emptyFolders.count <= depth { emptyFolders.append([]) }
    emptyFolders[depth].append(path)
  }

  /// Removes what was found, and says how many files and links that were.
  ///
  /// Several at a time: where the disk is told at once which blocks are free again, each takes milliseconds of waiting.
  func remove() throws(StoreError) -> Int {
    let (writer, steps) = (writer, writer.steps)
    try strays.forEachOverlapped { path throws(StoreError) in
      try steps.willPerform(.removeStray(path.text))
      try Disk.removeFile(writer.finalPath(path))
    }
    for folders in emptyFolders.reversed() {
      try folders.forEachOverlapped { path throws(StoreError) in
        try steps.willPerform(.removeStray(path.text))
        _ = try Disk.removeEmptyFolder(writer.finalPath(path))
      }
    }
    return strays.count
  }

  private func isNamed(_ path: RelativePath) -> Bool {
    if path == config || plan.files[path] != nil { return true }
    if let name = ObjectName(path), plan.objects[name] != nil { return true }
    guard path.text.hasSuffix(".gz"), let name = ObjectName(RelativePath(found: String(path.text.dropLast(3)))),
      let object = plan.objects[name]
    else { return false }
    if case .absent = object.compressed { return false }
    return true
  }
}
