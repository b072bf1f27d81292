package import ContentModel

/// Every file below a folder, with what tells that it has not changed: as the folder was at one
/// moment.
///
/// Kept as the bytes that are stored: a build that finds nothing changed need not take fifty
/// thousand files apart.
package struct FolderStamps: Sendable {
  /// One folder below the root, or the root itself.
  struct Folder: Sendable {
    /// Relative to the root; empty for the root.
    var path: String
    /// The folder's own: while it is the same, every name in it leads to the file that it led to.
    var stamp: FileStamp
    /// A Boolean value that indicates whether the stamp would have shown a later change.
    var isSettled: Bool
    /// The number of names in it.
    var count: Int
    /// The offset of its items.
    var start: Int
  }

  /// In the order in which they were found.
  let folders: [Folder]
  /// The encoded items of each folder, with names in the order of the file system.
  var items: ArraySlice<UInt8>
  /// The moment before the first file was looked at, in nanoseconds since 1970.
  let moment: Int64

  /// The names that are not compared.
  package enum Ignoring: Sendable {
    /// Dotfiles, as in content.
    case dotfiles
    /// The files that users may keep beside a build.
    case guests
    /// The same, and the folder in which the build at work collects its files.
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

  /// Examines a folder; `nil` if something in it is neither a file nor a folder, or cannot be
  /// examined.
  ///
  /// `moment` is the current time, in nanoseconds since 1970: a file that changed shortly before
  /// may change again unnoticed. `Int64.max` means that no other process writes.
  package init?(of root: String, ignoring: Ignoring, at moment: Int64) {
    var walk = FolderWalk(root: root, ignoring: ignoring, moment: moment)
    guard walk.run() else { return nil }
    self.init(folders: walk.folders, items: walk.items.bytes[...], moment: moment)
  }

  /// The same for a folder that was looked at earlier, if nothing changed since but in the folders
  /// named here.
  ///
  /// Where it turns out that something else did, everything is looked at.
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
