import SystemC

/// The project that a command works on when `--content` names none: the one here, or the nearest
/// above.
///
/// The search ends at a repository's root and where another file system begins. A project above
/// that another user can change is passed over: its channels name programs' targets and the
/// variables that hold credentials.
struct ProjectLocation: Equatable {
  /// The content folder, seen from the current one.
  var content = ContentPlace.usualPath
  /// The folder of builds beside it.
  var out = ContentPlace.usualOutput
  /// The project's own folder where that is not the current one.
  var above: String?
  /// A content folder above that is not used, since it belongs to another user.
  var foreign: String?

  /// The location as seen from the folder that the process works in.
  static let found = ProjectLocation(in: FolderPath.current)

  /// Looks in a folder, which is the current one, and above it.
  init(in folder: String) {
    if FileFacts(ContentPlace.usualPath) != nil { return }
    let names = folder.split(separator: "/").map(String.init)
    for height in 0...names.count {
      let prefix = String(repeating: "../", count: height)
      if height > 0 {
        let below = String(repeating: "../", count: height - 1)
        // A repository's root, or another file system's.
        guard FileFacts("\(below).git") == nil,
          let inside = FileFacts("\(below)."), let outside = FileFacts("\(prefix)."),
          inside.device == outside.device
        else { return }
        if take("\(prefix)\(ContentPlace.usualPath)", in: prefix) { return }
      }
      // The content folder itself, named from the folder that holds it.
      if height < names.count,
        take("../\(prefix)\(names[names.count - 1 - height])", in: "../\(prefix)")
      {
        return
      }
    }
  }

  /// Takes a content folder if it is one; one of another user ends the search, too.
  private mutating func take(_ content: String, in parent: String) -> Bool {
    guard FileFacts("\(content)/content.yaml")?.isFile == true else { return false }
    guard FileFacts.isOwn(content), FileFacts.isOwn("\(content)/content.yaml") else {
      foreign = content
      return true
    }
    (self.content, out, above) = (
      content, parent + ContentPlace.usualOutput, String(parent.dropLast())
    )
    return true
  }
}

/// The facts of a file that a search asks for.
private struct FileFacts {
  let device: dev_t
  let isFile: Bool

  /// `nil` where there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, isFile) = (status.st_dev, status.st_mode & S_IFMT == S_IFREG)
  }

  /// True if a file, and the symbolic link that may lead to it, belong to the user who runs this.
  static func isOwn(_ path: String) -> Bool {
    var (file, link) = (stat(), stat())
    guard stat(path, &file) == 0, lstat(path, &link) == 0 else { return false }
    return file.st_uid == geteuid() && link.st_uid == geteuid()
  }
}
