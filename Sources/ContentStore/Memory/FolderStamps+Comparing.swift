import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FolderStamps {
  /// How a folder differs from what it was.
  package enum Difference: Sendable, Equatable {
    /// The same names; these files may have other bytes than before, by path.
    case files([String])
    /// Names came, went, or changed their kind.
    case names
  }

  /// Looks at every file of the folder again, on all processors.
  ///
  /// A file that was not settled when it was seen is among those that may differ.
  package func difference(of root: String, ignoring: Ignoring) -> Difference {
    let hasOtherNames = Atomic(false)
    let changed = Mutex<[(folder: Int, path: String)]>([])
    DispatchQueue.concurrentPerform(iterations: folders.count) { index in
      if hasOtherNames.load(ordering: .relaxed) { return }
      guard let found = changedItems(of: folders[index], in: root, ignoring) else {
        return hasOtherNames.store(true, ordering: .relaxed)
      }
      if found.isEmpty { return }
      changed.withLock { $0 += found.map { (index, folders[index].path(of: folders[index].items[$0].name)) } }
    }
    if hasOtherNames.load(ordering: .relaxed) { return .names }
    return .files(changed.withLock { $0.sorted { $0.path < $1.path }.map(\.path) })
  }

  /// The places of the items that may differ; `nil` if there are other names than before.
  private func changedItems(of folder: Folder, in root: String, _ ignoring: Ignoring) -> [Int]? {
    let path = folder.path.isEmpty ? root : "\(root)/\(folder.path)"
    if folder.isSettled, FileStamp(at: path) == folder.stamp { return changedFiles(of: folder, at: path) }
    guard let stream = FolderStream(path) else { return nil }
    var places = ItemPlaces(folder.items)
    var changed: [Int] = []
    while let isSame = stream.next(
      ignoring, inRoot: folder.path.isEmpty,
      { name -> Bool in
        guard let place = places.take(name), let status = stream.status(of: name) else { return false }
        let item = folder.items[place]
        guard let stamp = item.stamp else { return status.st_mode & S_IFMT == S_IFDIR }
        guard status.st_mode & S_IFMT == S_IFREG else { return false }
        if !item.isSettled || FileStamp(status) != stamp { changed.append(place) }
        return true
      })
    {
      guard isSame else { return nil }
    }
    return places.isEmpty ? changed : nil
  }
}

extension FolderStamps {
  /// The same for a folder with the names that it had: only its files are looked at, each file once.
  private func changedFiles(of folder: Folder, at path: String) -> [Int]? {
    var buffer = Array(path.utf8) + [UInt8(ascii: "/")]
    let start = buffer.count
    var changed: [Int] = []
    for (place, item) in folder.items.enumerated() {
      guard let stamp = item.stamp, !item.isAlias else { continue }
      buffer.removeSubrange(start...)
      buffer += item.name
      buffer.append(0)
      guard let now = FileStamp(ofLinkOrFile: buffer) else { return nil }
      if !item.isSettled || now != stamp { changed.append(place) }
    }
    return changed
  }
}

/// Finds names among a folder's items: mostly the next one, since file systems keep their order.
private struct ItemPlaces {
  private let items: [FolderStamps.Item]
  private var next = 0
  /// As soon as the order was another one: the places that are left, by name.
  private var rest: [[UInt8]: Int]?

  init(_ items: [FolderStamps.Item]) { self.items = items }

  var isEmpty: Bool { rest?.isEmpty ?? (next == items.count) }

  mutating func take(_ name: UnsafeRawBufferPointer) -> Int? {
    if rest == nil {
      if next < items.count, items[next].isNamed(name) {
        next += 1
        return next - 1
      }
      rest = Dictionary(items[next...].enumerated().map { ($1.name, next + $0) }) { first, _ in first }
    }
    return rest?.removeValue(forKey: Array(name))
  }
}

extension FolderStamps.Item {
  fileprivate func isNamed(_ other: UnsafeRawBufferPointer) -> Bool {
    guard name.count == other.count, let base = other.baseAddress else { return false }
    return name.withUnsafeBytes { $0.baseAddress.map { memcmp($0, base, other.count) == 0 } ?? false }
  }
}
