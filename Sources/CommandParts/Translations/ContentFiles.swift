package import CommandReports
package import ContentSource
package import ContentStore
package import ContentTranslations
import SystemC

/// The files of a content folder on disk, which a command changes.
package struct ContentFiles {
  private let folder: ContentFolder

  /// The files of a folder on disk.
  package init(_ folder: ContentFolder) { self.folder = folder }

  /// Replaces and adds files; after a failure, none is changed.
  ///
  /// A file with a symbolic link is replaced where the link leads.
  package func replace(_ files: [EditedFile]) throws(Failure) {
    for file in files { try requireUnchanged(file) }
    var done: [EditedFile] = []
    for file in files {
      do {
        try write(file.new, to: file.path)
        done.append(file)
      } catch {
        for file in done.reversed() { restore(file) }
        throw Failure(writing: folder.shownPath(file.path), error).noting("no file was changed")
      }
    }
  }

  private func requireUnchanged(_ file: EditedFile) throws(Failure) {
    guard (try? folder.read(file.path)) == file.old else {
      throw Failure(
        .tryAgain, "changed-file", "the file has changed while the command read it; run it again",
        at: folder.shownPath(file.path), notes: ["no file was changed"])
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    var path = folder.shownPath(path)
    var status = stat()
    let isThere = stat(path, &status) == 0
    if let resolved = realpath(path, nil) {
      path = String(cString: resolved)
      free(resolved)
    } else if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try makeFolder(String(path[..<slash]))
    }
    try AtomicFile(path).write(bytes)
    if isThere { chmod(path, status.st_mode & 0o7777) }
  }

  private func restore(_ file: EditedFile) {
    if let old = file.old {
      try? write(old, to: file.path)
    } else {
      try? Disk.removeFile(folder.shownPath(file.path))
    }
  }

  /// Makes a folder of the content folder, which exists.
  private func makeFolder(_ path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { return }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
    }
    try Disk.makeFolder(path)
  }
}

extension Failure {
  /// Creates the failure of a file that was named and cannot be written.
  package init(writing path: String, _ error: StoreError) {
    let reason =
      switch error {
      case .failed(_, _, let code): String(cString: strerror(code))
      case .folderInPlaceOfFile: "it is a folder"
      default: "\(error)"
      }
    self.init(
      .inputOutput, "unwritable-file", "the file cannot be written: \(reason)", at: path)
  }
}
