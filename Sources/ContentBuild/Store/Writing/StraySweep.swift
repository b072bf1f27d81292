import ContentModel
import System

/// The search for files in a build's folder that the build does not name.
struct StraySweep {
  private let writer: BuildWriter
  private let plan: AddedFiles
  private let config: RelativePath
  private let newTrees: [String]
  private var strays: Strays

  /// A sweep of all trees except new ones.
  init(
    of writer: BuildWriter, keeping plan: AddedFiles, and config: RelativePath,
    except newTrees: [String]
  ) {
    self.newTrees = newTrees
    self.writer = writer
    self.plan = plan
    self.config = config
    strays = Strays(in: writer)
  }

  /// Returns the strays of the whole folder.
  ///
  /// The staging folder and the files that users may keep beside a build are not strays.
  mutating func findStrays() throws(StoreError) -> Strays {
    for (name, kind) in try Disk.entries(in: writer.folder.path) {
      if OutputFolder.guests.contains(name) || name == OutputFolder.stagingName { continue }
      if newTrees.contains(name) { continue }
      _ = try examine(RelativePath(found: name), kind: kind, depth: 0)
    }
    return strays
  }

  /// Returns `true` if everything under the path is stray.
  private mutating func examine(_ path: RelativePath, kind: Disk.Kind, depth: Int)
    throws(StoreError) -> Bool
  {
    guard kind == .folder else {
      if isNamed(path) { return false }
      strays.paths.append(path)
      return true
    }
    var isEmpty = true
    for (name, kind) in try Disk.entries(in: writer.finalPath(path)) {
      let isGone = try examine(path.adding("/" + name), kind: kind, depth: depth + 1)
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
    guard path.text.hasByteSuffix(".gz"),
      let name = ObjectName(RelativePath(found: String(path.text.dropLast(3)))),
      let object = plan.objects[name]
    else { return false }
    if case .absent = object.compressed { return false }
    return true
  }
}
