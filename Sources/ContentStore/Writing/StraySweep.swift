/// Looks in a build's folder for what the build did not name.
struct StraySweep {
  private let writer: BuildWriter
  private let plan: BuildPlan
  private let config: RelativePath
  private let newTrees: [String]
  private var strays: Strays

  /// A sweep of all but the trees that came into the folder just now.
  init(
    of writer: BuildWriter, keeping plan: BuildPlan, and config: RelativePath,
    except newTrees: [String]
  ) {
    self.newTrees = newTrees
    self.writer = writer
    self.plan = plan
    self.config = config
    strays = Strays(in: writer)
  }

  /// Looks through the whole folder; what a person keeps at the top stays, and so does the staging
  /// folder.
  mutating func look() throws(StoreError) -> Strays {
    for (name, kind) in try Disk.entries(in: writer.folder.path) {
      if OutputFolder.guests.contains(name) || name == OutputFolder.stagingName { continue }
      if newTrees.contains(name) { continue }
      _ = try look(at: RelativePath(found: name), kind, depth: 0)
    }
    return strays
  }

  /// Says whether nothing is to be left under the path.
  private mutating func look(at path: RelativePath, _ kind: Disk.Kind, depth: Int)
    throws(StoreError) -> Bool
  {
    guard kind == .folder else {
      if isNamed(path) { return false }
      strays.paths.append(path)
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
    while strays.emptyFolders.count <= depth { strays.emptyFolders.append([]) }
    strays.emptyFolders[depth].append(path)
  }

  private func isNamed(_ path: RelativePath) -> Bool {
    if path == config || plan.files[path] != nil { return true }
    if let name = ObjectName(path), plan.objects[name] != nil { return true }
    guard path.text.hasSuffix(".gz"),
      let name = ObjectName(RelativePath(found: String(path.text.dropLast(3)))),
      let object = plan.objects[name]
    else { return false }
    if case .absent = object.compressed { return false }
    return true
  }
}
