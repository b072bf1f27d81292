#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Every file below a folder, with what tells that it has not changed: as the folder was at one moment.
package struct FolderStamps: Sendable {
  /// One folder below the root, or the root itself.
  struct Folder: Sendable {
    /// Relative to the root; empty for the root.
    var path: String
    /// The folder's own: while it is the same, every name in it leads to the file that it led to.
    var stamp: FileStamp
    /// Whether a later change would have shown.
    var isSettled: Bool
    var items: [Item]
  }

  /// One name in a folder.
  struct Item: Sendable {
    var name: [UInt8]
    /// `nil` for a folder.
    var stamp: FileStamp?
    /// Whether a later change would have shown.
    var isSettled: Bool
    /// Whether it is another name of a file that stands in these stamps before.
    var isAlias = false
  }

  /// In the order in which they were found; names in the order in which the file system lists them.
  private(set) var folders: [Folder]
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
    self.moment = moment
    var folders: [Folder] = []
    var open = [""]
    var linked = Set<UInt64>()
    while let path = open.popLast() {
      guard let folder = Self.folder(path, in: root, ignoring, moment, &linked) else { return nil }
      for item in folder.items where item.stamp == nil {
        let name = String(decoding: item.name, as: UTF8.self)
        open.append(path.isEmpty ? name : "\(path)/\(name)")
      }
      folders.append(folder)
    }
    self.folders = folders
  }

  private static func folder(
    _ path: String, in root: String, _ ignoring: Ignoring, _ moment: Int64, _ linked: inout Set<UInt64>
  ) -> Folder? {
    // Before the names are read: what comes later must show.
    guard let stream = FolderStream(path.isEmpty ? root : "\(root)/\(path)"), let stamp = stream.stamp else {
      return nil
    }
    var items: [Item] = []
    while let isKnown = stream.next(
      ignoring, inRoot: path.isEmpty,
      { name -> Bool in
        guard let status = stream.status(of: name) else { return false }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return false }
        let stamp = FileStamp(status)
        var item = Item(name: Array(name), stamp: isFolder ? nil : stamp, isSettled: stamp.isSettled(at: moment))
        if !isFolder, status.st_nlink > 1 { item.isAlias = !linked.insert(stamp.inode).inserted }
        items.append(item)
        return true
      })
    {
      guard isKnown else { return nil }
    }
    return Folder(path: path, stamp: stamp, isSettled: stamp.isSettled(at: moment), items: items)
  }

  /// The paths of all files, in order of code points.
  package var allPaths: [String] {
    folders.flatMap { folder in folder.items.filter { $0.stamp != nil }.map { folder.path(of: $0.name) } }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The paths of all files.
  package var paths: [String] { folders.flatMap { folder in folder.files.map { folder.path(of: $0.name) } } }

  /// The paths of all files in a folder and the folders in it.
  package func paths(below folder: String) -> [String] {
    folders.filter { $0.path == folder || $0.path.hasPrefix("\(folder)/") }.flatMap { folder in
      folder.files.map { folder.path(of: $0.name) }
    }
  }

  /// The size of every file, in bytes, by its path.
  var sizes: [String: Int] {
    var sizes: [String: Int] = [:]
    for folder in folders {
      for item in folder.items { if let stamp = item.stamp { sizes[folder.path(of: item.name)] = Int(stamp.size) } }
    }
    return sizes
  }

  /// Looks at some files again, `moment` being now; `false` if one of them is not there.
  package mutating func restamp(_ paths: [String], in root: String, at moment: Int64) -> Bool {
    paths.allSatisfy { path in
      let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] } ?? path[...]
      let parent = path.dropLast(name.utf8.count == path.utf8.count ? path.count : name.count + 1)
      guard let folder = folders.firstIndex(where: { $0.path == parent }),
        let item = folders[folder].items.firstIndex(where: { $0.name.elementsEqual(name.utf8) }),
        let stamp = FileStamp(at: "\(root)/\(path)")
      else { return false }
      folders[folder].items[item].stamp = stamp
      folders[folder].items[item].isSettled = stamp.isSettled(at: moment)
      return true
    }
  }

  init(folders: [Folder], moment: Int64) { (self.folders, self.moment) = (folders, moment) }
}

extension FolderStamps.Folder {
  var files: [FolderStamps.Item] { items.filter { $0.stamp != nil } }

  func path(of name: [UInt8]) -> String {
    let name = String(decoding: name, as: UTF8.self)
    return path.isEmpty ? name : "\(path)/\(name)"
  }
}

/// An open folder, read name by name.
struct FolderStream: ~Copyable {
  private let stream: OpaquePointer

  init?(_ path: String) {
    guard let stream = opendir(path) else { return nil }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Calls back with the next name that counts; `nil` at the end.
  borrowing func next<Result>(
    _ ignoring: FolderStamps.Ignoring, inRoot: Bool, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    while let entry = readdir(stream) {
      let result = withUnsafeBytes(of: &entry.pointee.d_name) { buffer -> Result?? in
        let name = UnsafeRawBufferPointer(rebasing: buffer.prefix { $0 != 0 })
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return nil }
        return ignoring.ignores(name, inRoot: inRoot) ? nil : .some(body(name))
      }
      if let result { return result }
    }
    return nil
  }

  /// The folder's own stamp.
  var stamp: FileStamp? {
    var status = stat()
    return fstat(dirfd(stream), &status) == 0 ? FileStamp(status) : nil
  }

  /// What stands under a name, which a zero byte must follow; links are not followed.
  borrowing func status(of name: UnsafeRawBufferPointer) -> stat? {
    guard let base = name.baseAddress else { return nil }
    var status = stat()
    let answer = fstatat(dirfd(stream), base.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW)
    return answer == 0 ? status : nil
  }
}
