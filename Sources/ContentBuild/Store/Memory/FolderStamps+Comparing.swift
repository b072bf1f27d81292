import ContentModel
import Synchronization
import System
import SystemC

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

/// The lookup of names among a folder's items: mostly the next one, since file systems keep their
/// order.
///
/// It must not outlive the bytes that it was made of.
private struct ItemPlaces {
  private var items: [FolderStamps.Item] = []
  private var next = 0
  /// The remaining places by name, once the order has differed.
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
