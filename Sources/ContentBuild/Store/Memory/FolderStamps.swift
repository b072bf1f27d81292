package import ContentModel
import System

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
    /// A Boolean value that indicates whether the stamp would have shown a later change.
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
