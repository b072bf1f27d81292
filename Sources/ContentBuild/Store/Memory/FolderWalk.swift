import ContentModel
import System
import SystemC

/// The examination of everything below a folder.
struct FolderWalk {
  let root: String
  let ignoring: FolderStamps.Ignoring
  let moment: Int64
  private(set) var folders: [FolderStamps.Folder] = []
  private(set) var items = ByteBuilder()
  private var open = [""]
  /// The inodes of files that have several names, and of all reused files.
  private var known = Set<UInt64>()
  /// The inodes of the reused items that are aliases.
  private var aliases = Set<UInt64>()
  private var earlier: (stamps: FolderStamps, folders: [ExactString: FolderStamps.Folder])?

  init(root: String, ignoring: FolderStamps.Ignoring, moment: Int64) {
    (self.root, self.ignoring, self.moment) = (root, ignoring, moment)
  }

  /// Reuses the stamps of all folders that have not changed.
  mutating func reuse(_ stamps: FolderStamps, except changed: Set<ExactString>) {
    let kept = stamps.folders.filter { !changed.contains($0.path) }
    earlier = (stamps, Dictionary(firstOf: kept.map { ($0.path, $0) }))
    // This precedes the examination of other folders, since the first name of a file must not
    // depend on their order.
    for folder in kept {
      try? stamps.forEachItem(of: folder) { item, _ in
        if item.kind == .file { known.insert(item.stamp.inode) }
      }
    }
  }

  mutating func run() -> Bool {
    while let path = open.popLast() {
      if let earlier, let folder = earlier.folders[path] {
        guard take(folder, of: earlier.stamps) else { return false }
      } else {
        guard add(path) else { return false }
      }
    }
    return true
  }

  /// A Boolean value that indicates whether the first name of every reused alias is known.
  var hasNameForEveryAlias: Bool { aliases.isSubset(of: known) }

  private mutating func take(_ folder: FolderStamps.Folder, of stamps: FolderStamps) -> Bool {
    var taken = folder
    taken.start = items.bytes.count
    do {
      try stamps.forEachItem(of: folder) { item, _ in
        if item.kind == .folder { open(item.name, in: folder.path) }
        if item.kind == .alias { aliases.insert(item.stamp.inode) }
        items.append(item)
      }
    } catch { return false }
    folders.append(taken)
    return true
  }

  private mutating func open(_ name: UnsafeRawBufferPointer, in path: String) {
    let name = String(decoding: name, as: UTF8.self)
    open.append(path.isEmpty ? name : "\(path)/\(name)")
  }

  private mutating func add(_ path: String) -> Bool {
    // The stamp is read before the names, so that it shows later changes.
    guard let stream = FolderStream(path.isEmpty ? root : "\(root)/\(path)"),
      let stamp = stream.stamp
    else {
      return false
    }
    var folder = FolderStamps.Folder(
      path: path, stamp: stamp, isSettled: stamp.isSettled(at: moment), count: 0,
      start: items.bytes.count)
    while let isKnown = stream.next(
      ignoring: ignoring, inRoot: path.isEmpty,
      body: { name -> Bool in
        guard let status = stream.status(of: name) else { return false }
        folder.count += 1
        return add(name, status: status, in: path)
      })
    {
      guard isKnown else { return false }
    }
    folders.append(folder)
    return true
  }

  /// Adds a name; returns `false` for anything but files and folders.
  private mutating func add(
    _ name: UnsafeRawBufferPointer, status: stat, in path: String
  ) -> Bool {
    let stamp = FileStamp(status)
    var kind = FolderStamps.Item.Kind.file
    switch status.st_mode & S_IFMT {
    // A build reads content under each name, so content has no aliases.
    case S_IFREG:
      if case .dotfiles = ignoring { break }
      if status.st_nlink > 1, !known.insert(stamp.inode).inserted { kind = .alias }
    case S_IFDIR:
      open(name, in: path)
      kind = .folder
    default: return false
    }
    items.append(
      FolderStamps.Item(
        name: name, kind: kind, stamp: stamp, isSettled: stamp.isSettled(at: moment)))
    return true
  }
}
