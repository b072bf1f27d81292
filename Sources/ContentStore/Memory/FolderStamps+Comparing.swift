import Parallel
import ContentModel
import Synchronization
import SystemC

extension FolderStamps {
  /// How a folder differs from what it was.
  package enum Difference: Sendable, Equatable {
    /// The same names; these files may have other bytes than before, by path.
    case files([String])
    /// Names came, went, or changed their kind.
    case names
  }

  /// A folder to look at again.
  struct Look: Sendable {
    let stamps: FolderStamps
    let root: String
    let ignoring: Ignoring

    init(_ stamps: FolderStamps, of root: String, ignoring: Ignoring) {
      (self.stamps, self.root, self.ignoring) = (stamps, root, ignoring)
    }
  }

  /// Looks at every file of the folder again, on all processors.
  ///
  /// A file that was not settled when it was seen is among those that may differ.
  package func difference(of root: String, ignoring: Ignoring) -> Difference {
    Self.differences([Look(self, of: root, ignoring: ignoring)]).first ?? .names
  }

  /// The same for several folders at once, up to the first that differs: nobody asks for those
  /// after it.
  static func differences(_ looks: [Look]) -> [Difference] {
    let views = looks.map(FolderLook.init)
    let firstOther = Atomic(looks.count)
    let places = 0..<looks.reduce(0) { $0 + $1.stamps.folders.count }
    _ = places.concurrentValues { place in
      var (look, index) = (0, place)
      while index >= looks[look].stamps.folders.count {
        (look, index) = (look + 1, index - looks[look].stamps.folders.count)
      }
      if firstOther.load(ordering: .relaxed) < look { return }
      if !views[look].isSame(folder: index) { firstOther.min(look, ordering: .relaxed) }
    }
    return views.prefix(firstOther.load(ordering: .relaxed) + 1).map(\.difference)
  }
}

/// A folder that several threads look at.
///
/// A class, since they share what they find.
private final class FolderLook: Sendable {
  private let look: FolderStamps.Look
  private let root: FolderRoot
  private let hasOtherNames = Atomic(false)
  private let changed = Mutex<[String]>([])

  init(_ look: FolderStamps.Look) {
    self.look = look
    root = FolderRoot(look.root)
  }

  var difference: FolderStamps.Difference {
    hasOtherNames.load(ordering: .relaxed) ? .names : .files(changed.withLock { $0.sorted() })
  }

  /// Whether all is as it was in one of the folders.
  func isSame(folder index: Int) -> Bool {
    if hasOtherNames.load(ordering: .relaxed) { return false }
    guard
      let found = look.stamps.changedItems(of: look.stamps.folders[index], in: root, look.ignoring)
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
    of folder: Folder, in root: borrowing FolderRoot, _ ignoring: Ignoring
  ) -> [String]? {
    if folder.isSettled {
      guard let view = FolderView(folder.path, in: root, count: folder.count) else { return nil }
      if view.stamp == folder.stamp { return changedFiles(of: folder, in: view) }
    }
    guard let stream = FolderStream(root.path(of: folder.path)) else { return nil }
    return changedItems(of: folder, in: stream, ignoring)
  }

  /// The same for a folder with the names that it had: only its files are looked at, each file
  /// once.
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

  /// The same for a folder whose names must be read again.
  private func changedItems(
    of folder: Folder, in stream: borrowing FolderStream, _ ignoring: Ignoring
  ) -> [String]? {
    items.withUnsafeBytes { buffer in
      guard var places = ItemPlaces(folder, in: buffer) else { return nil }
      var changed: [String] = []
      while let isSame = stream.next(
        ignoring, inRoot: folder.path.isEmpty,
        { name -> Bool in
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

/// Finds names among a folder's items: mostly the next one, since file systems keep their order.
///
/// It must not outlive the bytes that it was made of.
private struct ItemPlaces {
  private var items: [FolderStamps.Item] = []
  private var next = 0
  /// As soon as the order was another one: the places that are left, by name.
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
