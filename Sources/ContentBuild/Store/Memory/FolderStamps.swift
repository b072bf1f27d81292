package import ContentModel
import Synchronization
import System
import SystemC

/// The stamps of all files below a folder at one moment.
///
/// The stamps stay encoded as they are stored, so that a build without changes need not decode
/// fifty thousand files.
package struct FolderStamps: Sendable {
  /// One folder below the root, or the root itself.
  struct Folder: Sendable {
    /// Relative to the root; empty for the root.
    var path: String
    /// The folder's own stamp: while it is the same, every name leads to the same file.
    var stamp: FileStamp
    /// `true` if every later change is sure to change the stamp.
    var isSettled: Bool
    /// The number of names in it.
    var count: Int
    /// The offset of its items.
    var start: Int
  }

  /// The folders in the order of discovery.
  let folders: [Folder]
  /// The encoded items of each folder, with names in the order of the file system.
  var items: ArraySlice<UInt8>
  /// The moment before the first file was examined, in nanoseconds since 1970.
  let moment: Int64

  /// The names that are not compared.
  package enum Ignoring: Sendable {
    /// Dotfiles, as in content.
    case dotfiles
    /// The files that users may keep beside a build.
    case guests
    /// The same files, and the staging folder of the build in progress.
    case guestsAndStaging

    func ignores(_ name: UnsafeRawBufferPointer, inRoot: Bool) -> Bool {
      switch self {
      case .dotfiles: name.first == UInt8(ascii: ".")
      case .guests: inRoot && OutputFolder.guests.contains { $0.utf8.elementsEqual(name) }
      case .guestsAndStaging:
        inRoot
          && (OutputFolder.guests + [OutputFolder.stagingName]).contains {
            $0.utf8.elementsEqual(name)
          }
      }
    }
  }

  /// Examines a folder; returns `nil` if an item in it is neither a file nor a folder, or cannot be
  /// examined.
  ///
  /// `moment` is the current time, in nanoseconds since 1970: a file that changed shortly before
  /// may change again unnoticed. `Int64.max` means that no other process writes.
  package init?(of root: String, ignoring: Ignoring, at moment: Int64) {
    var walk = FolderWalk(root: root, ignoring: ignoring, moment: moment)
    guard walk.run() else { return nil }
    self.init(folders: walk.folders, items: walk.items.bytes[...], moment: moment)
  }

  /// Examines only the `changed` folders, and reuses the earlier stamps of all others.
  ///
  /// If the reused stamps prove inconsistent, everything is examined.
  package init?(
    of root: String, ignoring: Ignoring, at moment: Int64, after earlier: FolderStamps,
    in changed: Set<ExactString>
  ) {
    var walk = FolderWalk(root: root, ignoring: ignoring, moment: moment)
    walk.reuse(earlier, except: changed)
    guard walk.run(), walk.hasNameForEveryAlias else {
      self.init(of: root, ignoring: ignoring, at: moment)
      return
    }
    self.init(folders: walk.folders, items: walk.items.bytes[...], moment: moment)
  }

  init(folders: [Folder], items: ArraySlice<UInt8>, moment: Int64) {
    (self.folders, self.items, self.moment) = (folders, items, moment)
  }
}

extension FolderStamps {
  /// One name in a folder.
  struct Item {
    enum Kind: UInt8 {
      case folder, file
      /// Another name of a file that occurs earlier in these stamps.
      case alias
    }

    /// The bytes are followed by a zero byte, for system calls.
    let name: UnsafeRawBufferPointer
    let kind: Kind
    /// Without meaning for a folder, whose stamp is in `Folder`.
    let stamp: FileStamp
    /// `true` if every later change is sure to change the stamp.
    let isSettled: Bool
  }

  /// Calls `body` with each item of a folder, and the item's offset.
  ///
  /// The name of the item is valid during the call only.
  ///
  /// - Throws: errors of `body`, or `ByteReader.Malformed` for damaged bytes.
  func forEachItem(of folder: Folder, _ body: (Item, _ place: Int) throws -> Void) throws {
    try items.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer, at: folder.start)
      for _ in 0..<folder.count {
        let place = reader.offset
        try body(try reader.item(), place)
      }
    }
  }
}

extension ByteBuilder {
  /// Appends an item in the form that `ByteReader.item` reads.
  mutating func append(_ item: FolderStamps.Item) {
    append(item.kind.rawValue)
    append(item.stamp, isSettled: item.isSettled)
    append(counted: item.name)
    append(UInt8(0))
  }

  mutating func append(_ stamp: FileStamp, isSettled: Bool) {
    append(raw: stamp.bytes(isSettled: isSettled))
  }
}

extension ByteReader {
  mutating func item() throws(Malformed) -> FolderStamps.Item {
    guard let kind = FolderStamps.Item.Kind(rawValue: try number(UInt8.self)) else {
      throw Malformed()
    }
    let (stamp, isSettled) = try stamp()
    let name = try counted()
    guard try number(UInt8.self) == 0 else { throw Malformed() }
    return FolderStamps.Item(name: name, kind: kind, stamp: stamp, isSettled: isSettled)
  }

  mutating func stamp() throws(Malformed) -> (FileStamp, isSettled: Bool) {
    let stamp = FileStamp(
      size: try number(Int64.self), modified: try number(Int64.self),
      changed: try number(Int64.self),
      inode: try number(UInt64.self))
    return (stamp, try number(UInt8.self) == 1)
  }
}

extension FileStamp {
  /// The offset of a stamp in the bytes of an item.
  static let offsetInItem = 1

  /// The bytes that `ByteReader.stamp` reads.
  func bytes(isSettled: Bool) -> [UInt8] {
    var output = ByteBuilder()
    output.append(size)
    output.append(modified)
    output.append(changed)
    output.append(inode)
    output.append(UInt8(isSettled ? 1 : 0))
    return output.bytes
  }
}

extension FolderStamps {
  /// The differences between a folder and its stamps.
  package enum Difference: Sendable, Equatable {
    /// The names are the same; the files at these paths may have changed.
    case files([String])
    /// Names were added or removed, or are of another kind.
    case names

    /// No difference.
    package static let nothing = files([])
  }

  /// A folder to compare with its stamps.
  struct ComparedFolder: Sendable {
    let stamps: FolderStamps
    let root: String
    let ignoring: Ignoring

    init(_ stamps: FolderStamps, of root: String, ignoring: Ignoring) {
      (self.stamps, self.root, self.ignoring) = (stamps, root, ignoring)
    }
  }

  /// Examines every file of the folder, on all processors.
  ///
  /// A file that was not settled when it was examined counts as changed.
  package func difference(of root: String, ignoring: Ignoring) -> Difference {
    Self.differences([ComparedFolder(self, of: root, ignoring: ignoring)]).first ?? .names
  }

  /// Compares several folders at once, up to the first one that differs.
  static func differences(_ compared: [ComparedFolder]) -> [Difference] {
    let comparisons = compared.map(FolderComparison.init)
    let firstOther = Atomic(compared.count)
    let places = 0..<compared.reduce(0) { $0 + $1.stamps.folders.count }
    _ = places.concurrentValues { place in
      var (number, index) = (0, place)
      while index >= compared[number].stamps.folders.count {
        (number, index) = (number + 1, index - compared[number].stamps.folders.count)
      }
      if firstOther.load(ordering: .relaxed) < number { return }
      if !comparisons[number].isSame(folder: index) { firstOther.min(number, ordering: .relaxed) }
    }
    return comparisons.prefix(firstOther.load(ordering: .relaxed) + 1).map(\.difference)
  }
}

/// A comparison of one folder by several threads.
///
/// A class, since the threads share its findings.
private final class FolderComparison: Sendable {
  private let folder: FolderStamps.ComparedFolder
  private let root: FolderViewRoot
  private let hasOtherNames = Atomic(false)
  private let changed = Mutex<[String]>([])

  init(_ folder: FolderStamps.ComparedFolder) {
    self.folder = folder
    root = FolderViewRoot(folder.root)
  }

  var difference: FolderStamps.Difference {
    if hasOtherNames.load(ordering: .relaxed) { return .names }
    return .files(changed.withLock { $0.sorted { $0.precedesInBytes($1) } })
  }

  /// Returns `true` if one of the folders is unchanged.
  func isSame(folder index: Int) -> Bool {
    if hasOtherNames.load(ordering: .relaxed) { return false }
    guard
      let found = folder.stamps.changedItems(
        of: folder.stamps.folders[index], in: root, folder.ignoring)
    else {
      hasOtherNames.store(true, ordering: .relaxed)
      return false
    }
    if !found.isEmpty { changed.withLock { $0 += found } }
    return found.isEmpty
  }
}

extension FolderStamps {
  /// The paths of the files that may differ; `nil` if there are other names than before.
  fileprivate func changedItems(
    of folder: Folder, in root: borrowing FolderViewRoot, _ ignoring: Ignoring
  ) -> [String]? {
    if folder.isSettled {
      guard let view = FolderView(folder.path, in: root, count: folder.count) else { return nil }
      if view.stamp == folder.stamp { return changedFiles(of: folder, in: view) }
    }
    guard let stream = FolderStream(root.path(of: folder.path)) else { return nil }
    return changedItems(of: folder, in: stream, ignoring)
  }

  /// Returns the changed files of a folder whose names are the same; examines each file once.
  private func changedFiles(of folder: Folder, in view: borrowing FolderView) -> [String]? {
    var changed: [String] = []
    do {
      try forEachItem(of: folder) { item, _ in
        guard item.kind == .file else { return }
        guard let now = view.stamp(of: item.name) else { throw OtherNames() }
        if !item.isSettled || now != item.stamp { changed.append(folder.path(of: item.name)) }
      }
    } catch { return nil }
    return changed
  }

  private struct OtherNames: Error {}

  /// Returns the changed files of a folder whose names must be read again.
  private func changedItems(
    of folder: Folder, in stream: borrowing FolderStream, _ ignoring: Ignoring
  ) -> [String]? {
    items.withUnsafeBytes { buffer in
      guard var places = ItemPlaces(folder, in: buffer) else { return nil }
      var changed: [String] = []
      while let isSame = stream.next(
        ignoring: ignoring, inRoot: folder.path.isEmpty,
        body: { name -> Bool in
          guard let item = places.take(name), let status = stream.status(of: name) else {
            return false
          }
          if item.kind == .folder { return status.st_mode & S_IFMT == S_IFDIR }
          guard status.st_mode & S_IFMT == S_IFREG else { return false }
          if !item.isSettled || FileStamp(status) != item.stamp {
            changed.append(folder.path(of: name))
          }
          return true
        })
      {
        guard isSame else { return nil }
      }
      return places.isEmpty ? changed : nil
    }
  }
}

/// The lookup of names among the items of a folder.
///
/// Most lookups find the next item, since file systems keep their order. The value must not outlive
/// the bytes that it was made from.
private struct ItemPlaces {
  private var items: [FolderStamps.Item] = []
  private var next = 0
  /// The indices of the remaining items by name; `nil` until a name is out of order.
  private var rest: [[UInt8]: Int]?

  init?(_ folder: FolderStamps.Folder, in bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes, at: folder.start)
    for _ in 0..<folder.count {
      guard let item = try? reader.item() else { return nil }
      items.append(item)
    }
  }

  var isEmpty: Bool { rest?.isEmpty ?? (next == items.count) }

  mutating func take(_ name: UnsafeRawBufferPointer) -> FolderStamps.Item? {
    if rest == nil {
      if next < items.count, items[next].name.elementsEqual(name) {
        next += 1
        return items[next - 1]
      }
      rest = Dictionary(items[next...].enumerated().map { (Array($1.name), next + $0) }) {
        first, _ in first
      }
    }
    return rest?.removeValue(forKey: Array(name)).map { items[$0] }
  }
}

extension FolderStamps {
  /// The paths of all files, in order of code points.
  package var allPaths: [String] {
    folders.flatMap(files(in:)).map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The paths of all files.
  package var paths: [String] { folders.flatMap(files(in:)).map(\.path) }

  /// The paths of all files in a folder and the folders in it.
  package func paths(below folder: String) -> [String] {
    folders.filter { $0.path.hasSameBytes(as: folder) || $0.path.hasBytePrefix("\(folder)/") }
      .flatMap(files(in:)).map(\.path)
  }

  /// The size of every file, in bytes, by its path.
  var sizes: [ExactString: Int] {
    Dictionary(
      firstOf: folders.flatMap(files(in:)).map { ($0.path, Int(min(max(0, $0.size), 1 << 40))) })
  }

  /// Examines some files again, with `moment` as the current time; returns `false` if one is
  /// missing.
  package mutating func restamp(_ paths: [String], in root: String, at moment: Int64) -> Bool {
    let places = places(of: paths)
    for path in paths {
      guard let place = places[path], let stamp = FileStamp(at: "\(root)/\(path)") else {
        return false
      }
      let bytes = stamp.bytes(isSettled: stamp.isSettled(at: moment))
      let start = items.startIndex + place + FileStamp.offsetInItem
      items.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
    return true
  }

  private func files(in folder: Folder) -> [(path: String, size: Int64)] {
    var files: [(path: String, size: Int64)] = []
    try? forEachItem(of: folder) { item, _ in
      if item.kind != .folder { files.append((folder.path(of: item.name), item.stamp.size)) }
    }
    return files
  }

  /// Returns the offsets of the items of files.
  ///
  /// After a first build, `paths` may contain all files, so each folder is walked once.
  private func places(of paths: [String]) -> [ExactString: Int] {
    let parents = Set(
      names: paths.lazy.map { path in
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
      })
    let wanted = Set(names: paths)
    var found: [ExactString: Int] = [:]
    for folder in folders where parents.contains(folder.path) {
      try? forEachItem(of: folder) { item, place in
        let path = ExactString(folder.path(of: item.name))
        if wanted.contains(path), found[path] == nil { found[path] = place }
      }
    }
    return found
  }
}

extension FolderStamps.Folder {
  func path(of name: UnsafeRawBufferPointer) -> String {
    let name = String(decoding: name, as: UTF8.self)
    return path.isEmpty ? name : "\(path)/\(name)"
  }
}

extension FolderStamps {
  /// Appends the stamps up to the number of bytes in `items`; the caller appends `items`.
  ///
  /// `init(from:in:)` reads the result.
  func encodeFolders(into output: inout ByteBuilder) {
    output.append(moment)
    output.append(UInt32(folders.count))
    for folder in folders {
      output.append(folder.path)
      output.append(folder.stamp, isSettled: folder.isSettled)
      output.append(UInt32(folder.count))
      output.append(UInt32(folder.start))
    }
    output.append(UInt32(items.count))
  }

  /// Reads a result of `encodeFolders` and the `items` after it; the new stamps share the bytes.
  init(from input: inout ByteReader, in bytes: [UInt8]) throws(ByteReader.Malformed) {
    let moment = try input.number(Int64.self)
    var folders: [Folder] = []
    let count = try input.count(ofAtLeast: 45)
    folders.reserveCapacity(count)
    for _ in 0..<count {
      let path = try input.text()
      let (stamp, isSettled) = try input.stamp()
      folders.append(
        Folder(
          path: path, stamp: stamp, isSettled: isSettled, count: Int(try input.number(UInt32.self)),
          start: Int(try input.number(UInt32.self))))
    }
    self.init(folders: folders, items: try input.slice(of: bytes), moment: moment)
  }
}

extension ByteReader {
  /// Reads a count and as many bytes, as a slice of the array that is read.
  mutating func slice(of bytes: [UInt8]) throws(Malformed) -> ArraySlice<UInt8> {
    let count = try counted().count
    return bytes[offset - count..<offset]
  }
}
