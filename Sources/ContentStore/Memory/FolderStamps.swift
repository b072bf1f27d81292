import ContentModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every file below a folder, with what tells that it has not changed: as the folder was at one moment.
///
/// Kept as the bytes that are stored: a build that finds nothing changed need not take fifty thousand files apart.
package struct FolderStamps: Sendable {
  /// One folder below the root, or the root itself.
  struct Folder: Sendable {
    /// Relative to the root; empty for the root.
    var path: String
    /// The folder's own: while it is the same, every name in it leads to the file that it led to.
    var stamp: FileStamp
    /// Whether a later change would have shown.
    var isSettled: Bool
    /// How many names there are in it.
    var count: Int
    /// Where its items begin among all.
    var start: Int
  }

  /// In the order in which they were found.
  let folders: [Folder]
  /// What `Item` reads: each folder's, with names in the order in which the file system lists them.
  var items: ArraySlice<UInt8>
  /// The moment before the first file was looked at, in nanoseconds since 1970.
  let moment: Int64

  /// Which names do not count.
  package enum Ignoring: Sendable {
    /// Dotfiles, as in content.
    case dotfiles
    /// What a person may keep beside a build.
    case guests
    /// The same, and the folder in which the build at work collects its files.
    case guestsAndStaging

    func ignores(_ name: UnsafeRawBufferPointer, inRoot: Bool) -> Bool {
      switch self {
      case .dotfiles: name.first == UInt8(ascii: ".")
      case .guests: inRoot && OutputFolder.guests.contains { $0.utf8.elementsEqual(name) }
      case .guestsAndStaging:
        inRoot && (OutputFolder.guests + [OutputFolder.stagingName]).contains { $0.utf8.elementsEqual(name) }
      }
    }
  }

  /// Walks a folder; `nil` if something in it is neither file nor folder, or cannot be looked at.
  ///
  /// `moment` is now, in nanoseconds since 1970: a file that changed shortly before may change again unnoticed. Where
  /// nobody else writes, `Int64.max` says so.
  package init?(of root: String, ignoring: Ignoring, at moment: Int64) {
    var walk = FolderWalk(root: root, ignoring: ignoring, moment: moment)
    guard walk.run() else { return nil }
    self.init(folders: walk.folders, items: walk.items.bytes[...], moment: moment)
  }

  init(folders: [Folder], items: ArraySlice<UInt8>, moment: Int64) {
    (self.folders, self.items, self.moment) = (folders, items, moment)
  }
}

/// A look at everything below a folder.
private struct FolderWalk {
  let root: String
  let ignoring: FolderStamps.Ignoring
  let moment: Int64
  private(set) var folders: [FolderStamps.Folder] = []
  private(set) var items = ByteBuilder()
  private var open = [""]
  /// Files that have several names.
  private var linked = Set<UInt64>()

  init(root: String, ignoring: FolderStamps.Ignoring, moment: Int64) {
    (self.root, self.ignoring, self.moment) = (root, ignoring, moment)
  }

  mutating func run() -> Bool {
    while let path = open.popLast() {
      guard add(path) else { return false }
    }
    return true
  }

  private mutating func add(_ path: String) -> Bool {
    // Before the names are read: what comes later must show.
    guard let stream = FolderStream(path.isEmpty ? root : "\(root)/\(path)"), let stamp = stream.stamp else {
      return false
    }
    var folder = FolderStamps.Folder(
      path: path, stamp: stamp, isSettled: stamp.isSettled(at: moment), count: 0, start: items.bytes.count)
    while let isKnown = stream.next(
      ignoring, inRoot: path.isEmpty,
      { name -> Bool in
        guard let status = stream.status(of: name) else { return false }
        folder.count += 1
        return add(name, status, in: path)
      })
    {
      guard isKnown else { return false }
    }
    folders.append(folder)
    return true
  }

  /// `false` for what is neither file nor folder.
  private mutating func add(_ name: UnsafeRawBufferPointer, _ status: stat, in path: String) -> Bool {
    let stamp = FileStamp(status)
    var kind = FolderStamps.Item.Kind.file
    switch status.st_mode & S_IFMT {
    case S_IFREG: if status.st_nlink > 1, !linked.insert(stamp.inode).inserted { kind = .alias }
    case S_IFDIR:
      let name = String(decoding: name, as: UTF8.self)
      open.append(path.isEmpty ? name : "\(path)/\(name)")
      kind = .folder
    default: return false
    }
    items.append(FolderStamps.Item(name: name, kind: kind, stamp: stamp, isSettled: stamp.isSettled(at: moment)))
    return true
  }
}
