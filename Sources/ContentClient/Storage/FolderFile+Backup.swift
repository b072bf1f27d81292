#if canImport(Darwin)
  import Foundation

  extension FolderFile {
    /// Excludes a folder and all its contents from the backups of the system.
    ///
    /// The mark is an attribute of the folder, which keeps it while files in it are replaced. It is
    /// set at the first write of each process, since another program may have removed the folder.
    /// Without the mark, a backup is larger than it must be, and a restored app shows the content of
    /// the day of the backup until its first look; so an error is no reason to store nothing.
    static func excludeFromBackups(_ folder: String) {
      var place = URL(fileURLWithPath: folder, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? place.setResourceValues(values)
    }
  }
#else
  extension FolderFile {
    /// Does nothing: no mark is common to the backup programs of this system.
    ///
    /// `docs/client.md` says which folders they usually leave out.
    static func excludeFromBackups(_ folder: String) {}
  }
#endif
