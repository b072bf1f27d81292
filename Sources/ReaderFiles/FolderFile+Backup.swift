#if canImport(Darwin)
  import Foundation

  extension FolderFile {
    /// Excludes a folder and all its contents from the backups of the system.
    ///
    /// The mark is an attribute of the folder, which keeps it while files in it are replaced.
    /// Without the mark, a backup is larger than it must be, and a restored app shows the content
    /// of the day of the backup until its first look; so an error is no reason to store nothing.
    package static func excludeFromBackups(_ folder: String) {
      var place = URL(fileURLWithPath: folder, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? place.setResourceValues(values)
    }
  }
#endif
