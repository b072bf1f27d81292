import ContentBuild
package import ContentSource
import Diagnostics
package import System
import SystemC
package import Translations

/// The files of a content folder on disk, which a command changes.
package struct ContentFiles {
  private let folder: ContentFolder

  /// The files of a folder on disk.
  package init(_ folder: ContentFolder) { self.folder = folder }

  /// Replaces and adds files.
  ///
  /// All files are written under other names before the first is renamed, so that a full disk
  /// changes none. A symbolic link stays, and the file that it leads to is replaced.
  package func replace(_ files: [EditedFile]) throws(Failure) {
    for file in files { try requireUnchanged(file) }
    var staged: [PendingFile] = []
    for file in files {
      do { staged.append(try PendingFile(file, in: folder)) } catch {
        for file in staged { file.discard() }
        throw Failure(writing: folder.shownPath(file.path), error).noting("no file was changed")
      }
    }
    for (index, file) in staged.enumerated() {
      do { try file.place() } catch {
        for file in staged[index...] { file.discard() }
        throw Failure(writing: file.path, error).noting(
          index == 0
            ? "no file was changed"
            : "\(index) of \(staged.count) files were changed; run the command again")
      }
    }
  }

  private func requireUnchanged(_ file: EditedFile) throws(Failure) {
    let present: [UInt8]?
    do { present = try folder.read(file.path) } catch {
      guard case .missing = error else {
        throw Failure(
          .inputOutput, diagnostic: error.diagnostic(at: folder.shownPath(file.path)))
      }
      present = nil
    }
    guard present == file.old else {
      throw Failure(
        .tryAgain, .changedFile, "the file has changed while the command read it; run it again",
        at: folder.shownPath(file.path), notes: ["no file was changed"])
    }
  }
}

/// A file that is written under a temporary name in the folder of the file that it replaces.
private struct PendingFile {
  let path: String
  private let temporary: String

  init(_ file: EditedFile, in folder: ContentFolder) throws(StoreError) {
    let output = NamedOutput(folder.shownPath(file.path))
    let path = output.resolved
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { String(path[..<$0]) } ?? "."
    if slash != nil { try Self.makeFolder(parent) }
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    // Names that begin with a dot are no content.
    let temporary = "\(parent)/.\(name).new"
    (self.path, self.temporary) = (path, temporary)
    try AtomicFile(temporary).write(file.new)
    var status = stat()
    if stat(path, &status) == 0 { chmod(temporary, status.st_mode & 0o7777) }
  }

  func place() throws(StoreError) { try Disk.rename(temporary, to: path) }

  func discard() { try? Disk.removeFile(temporary) }

  private static func makeFolder(_ path: String) throws(StoreError) {
    guard access(path, F_OK) != 0 else { return }
    if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
    }
    try Disk.makeFolder(path)
  }
}

/// A file that was named on the command line, to be written.
package struct NamedOutput {
  /// The path without symbolic links.
  package let resolved: String

  package init(_ path: String) {
    if let target = realpath(path, nil) {
      resolved = String(cString: target)
      free(target)
    } else {
      resolved = path
    }
  }

  /// Replaces the file, or writes into a device or a pipe.
  package func write(_ bytes: [UInt8]) throws(StoreError) {
    var status = stat()
    let isSpecial =
      stat(resolved, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    guard isSpecial else { return try AtomicFile(resolved).write(bytes) }
    try Descriptor(resolved, flags: O_WRONLY).write(bytes)
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
      .inputOutput, .unwritableFile, "the file cannot be written: \(reason)", at: path)
  }
}
