import ContentModel
import ContentSource
import Diagnostics
import SystemC

/// Functions for the paths of folders.
package enum FolderPath {
  /// The current folder of the process.
  package static var current: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Returns the path from the root, for a path from the current folder.
  package static func absolute(_ path: String) -> String {
    path.hasBytePrefix("/") ? path : "\(current)/\(path)"
  }

  /// Returns the path of the folder that holds a folder, with a slash at the end; empty for a
  /// single name.
  package static func parent(of path: String) -> String {
    let names = path.withoutTrailingSlashes.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return names.dropLast().map { String(Substring($0)) + "/" }.joined()
  }

  /// Returns an absolute path without `.` and `..`.
  package static func shortest(_ path: String) -> String {
    var parts: [String] = []
    for part in path.pathParts where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Creates a folder, and those above it that are missing.
  package static func make(_ path: String) throws(Failure) {
    var made = path.hasBytePrefix("/") ? "/" : ""
    for part in path.pathParts {
      made += part
      if mkdir(made, 0o777) != 0 {
        let code = errno
        guard access(made, F_OK) == 0 else {
          throw Failure(
            .inputOutput, .unwritable,
            "cannot create the folder '\(made)': \(String(cString: strerror(code)))")
        }
      }
      made += "/"
    }
  }
}
