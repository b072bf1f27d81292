import ContentBuild
import System
import SystemC

/// A folder for one test, removed with its contents.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/store-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StoreError.failed(.createFolder, path: parent, errno: errno)
    }
    path = String(cString: made)
  }

  deinit { removeAll(path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func makeFolder(_ name: String) { mkdir(path(name), 0o755) }

  func link(_ target: String, as name: String) { symlink(target, path(name)) }

  /// Writes a file in place, like an editor or a fault, through any of its names.
  func overwrite(_ name: String, _ bytes: [UInt8]) {
    let file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  func read(_ name: String) -> [UInt8]? {
    let file = open(path(name), O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { buffer in
        SystemC.read(file, buffer.baseAddress, buffer.count)
      }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += chunk[..<count]
    }
  }

  func remove(_ name: String) { unlink(path(name)) }

  /// Returns the inode, which changes when a file is replaced.
  func number(of name: String) -> UInt64 {
    var status = stat()
    return lstat(path(name), &status) == 0 ? UInt64(status.st_ino) : 0
  }

  /// Returns every file and link below a folder.
  func files(below name: String) -> [String] {
    names(in: path(name)).flatMap { child -> [String] in
      let isFolder = isRealFolder(path("\(name)/\(child)"))
      return isFolder ? files(below: "\(name)/\(child)").map { "\(child)/\($0)" } : [child]
    }
  }

  func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func isRealFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func removeAll(_ path: String) {
    for name in names(in: path) {
      let child = "\(path)/\(name)"
      if isRealFolder(child) { removeAll(child) } else { unlink(child) }
    }
    rmdir(path)
  }
}
