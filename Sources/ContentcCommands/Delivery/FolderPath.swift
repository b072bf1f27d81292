import Diagnostics
import SystemC

/// Folders by their paths.
enum FolderPath {
  /// The folder that the process works in.
  static var current: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// `true` if the path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// An absolute path without `.` and `..`.
  static func shortest(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Makes a folder, and those above it.
  static func make(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      guard mkdir(made, 0o777) != 0, access(made, F_OK) != 0 else { continue }
      throw Failure(
        .inputOutput, "unwritable",
        "cannot create the folder '\(path)': \(String(cString: strerror(errno)))")
    }
  }
}
