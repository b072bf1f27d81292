import SystemC

/// The project that a command uses without `--content`: the one in the current folder, or else the
/// nearest one above.
///
/// The search ends at the root of a repository and at the border of a file system. If a project
/// above the current folder belongs to another user, the search ignores it: the channels of that
/// project name targets, and variables that hold credentials.
package struct ProjectLocation: Equatable {
  /// The content folder, relative to the current folder.
  package var content = ContentPlace.usualPath
  /// The output folder beside the content folder.
  package var out = ContentPlace.usualOutput
  /// The folder of the project; `nil` if it is the current folder.
  package var above: String?
  /// A content folder above the current folder that is not used, because another user owns it.
  package var foreign: String?

  /// The location for the current folder of the process.
  package static let found = ProjectLocation(in: FolderPath.current)

  /// Searches the current folder, whose absolute path is `folder`, and the folders above it.
  package init(in folder: String) {
    if FileFacts(ContentPlace.usualPath) != nil { return }
    let names = folder.split(separator: "/").map(String.init)
    for height in 0...names.count {
      let prefix = String(repeating: "../", count: height)
      if height > 0 {
        let below = String(repeating: "../", count: height - 1)
        // The search ends at the root of a repository, and at that of a file system.
        guard FileFacts("\(below).git") == nil,
          let inside = FileFacts("\(below)."), let outside = FileFacts("\(prefix)."),
          inside.device == outside.device
        else { return }
        if take("\(prefix)\(ContentPlace.usualPath)", in: prefix) { return }
      }
      // The current folder, or one above it, may be the content folder itself.
      if height < names.count,
        take("../\(prefix)\(names[names.count - 1 - height])", in: "../\(prefix)")
      {
        return
      }
    }
  }

  /// Uses a folder if it is a content folder; returns `true` if the search ends.
  ///
  /// A content folder of another user ends the search, but is not used.
  private mutating func take(_ content: String, in parent: String) -> Bool {
    guard FileFacts("\(content)/content.yaml")?.isFile == true else { return false }
    guard FileFacts.isOwn(content), FileFacts.isOwn("\(content)/content.yaml") else {
      foreign = content
      return true
    }
    self.content = content
    out = parent + ContentPlace.usualOutput
    above = String(parent.dropLast())
    return true
  }
}

/// The facts about a file that the search needs.
private struct FileFacts {
  let device: dev_t
  let isFile: Bool

  /// Reads the facts about a file; `nil` if it does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, isFile) = (status.st_dev, status.st_mode & S_IFMT == S_IFREG)
  }

  /// Returns `true` if a file, and a symbolic link that leads to it, belong to the current user.
  static func isOwn(_ path: String) -> Bool {
    var file = stat()
    var link = stat()
    guard stat(path, &file) == 0, lstat(path, &link) == 0 else { return false }
    return file.st_uid == geteuid() && link.st_uid == geteuid()
  }
}
