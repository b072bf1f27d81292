/// Removes from a build's folder what the build did not name.
struct StraySweep {
  private let writer: BuildWriter
  private let plan: BuildPlan
  private let config: RelativePath
  private let newTrees: [String]
  /// Files and links removed so far.
  private(set) var removed = 0

  /// A sweep of all but the trees that came into the folder just now.
  init(of writer: BuildWriter, keeping plan: BuildPlan, and config: RelativePath, except newTrees: [String]) {
    self.newTrees = newTrees
    self.writer = writer
    self.plan = plan
    self.config = config
  }

  /// Sweeps the whole folder; what a person keeps at the top stays, and so does the staging folder.
  mutating func run() throws(StoreError) {
    for name in try Disk.names(in: writer.folder.path) {
      if OutputFolder.guests.contains(name) || name == OutputFolder.stagingName { continue }
      if newTrees.contains(name) { continue }
      _ = try sweep(RelativePath(found: name))
    }
  }

  /// Says whether nothing is left under the path.
  private mutating func sweep(_ path: RelativePath) throws(StoreError) -> Bool {
    let full = writer.finalPath(path)
    guard try Disk.examine(full).kind == .folder else { return try sweepFile(path) }
    var isEmpty = true
    for name in try Disk.names(in: full) {
      let isGone = try sweep(path.adding("/" + name))
      isEmpty = isEmpty && isGone
    }
    guard isEmpty else { return false }
    try writer.steps.willPerform(.removeStray(path.text))
    return try Disk.removeEmptyFolder(full)
  }

  private mutating func sweepFile(_ path: RelativePath) throws(StoreError) -> Bool {
    if isNamed(path) { return false }
    try writer.steps.willPerform(.removeStray(path.text))
    try Disk.removeFile(writer.finalPath(path))
    removed += 1
    return true
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
