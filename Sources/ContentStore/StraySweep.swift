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

  /// Sweeps the whole folder, and says how many files and links it removed; what a person keeps at the top stays, and
  /// so does the staging folder.
  mutating func run() throws(StoreError) -> Int {
    for name in try Disk.names(in: writer.folder.path) {
      if OutputFolder.guests.contains(name) || name == OutputFolder.stagingName { continue }
      if newTrees.contains(name) { continue }
      _ = try look(RelativePath(found: name), depth: 0)
    }
    try remove()
    return strays.count
  }

  /// Says whether nothing is to be left under the path.
  private mutating func look(_ path: RelativePath, depth: Int) throws(StoreError) -> Bool {
    let full = writer.finalPath(path)
    guard try Disk.examine(full).kind == .folder else {
      if isNamed(path) { return false }
      strays.append(path)
      return true
    }
    var isEmpty = true
    for name in try Disk.names(in: full) {
      let isGone = try look(path.adding("/" + name), depth: depth + 1)
      isEmpty = isEmpty && isGone
    }
    if isEmpty { noteEmpty(path, depth: depth) }
    return isEmpty
  }

  private mutating func noteEmpty(_ path: RelativePath, depth: Int) {
    while emptyFolders.count <= depth { emptyFolders.append([]) }
    emptyFolders[depth].append(path)
  }

  /// Several at a time: where the disk is told at once which blocks are free again, each takes milliseconds of waiting.
  private func remove() throws(StoreError) {
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
