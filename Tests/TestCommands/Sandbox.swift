import ContentModel
import PropertyLists
import SystemC

/// A temporary folder with files, in which the built `contentc` runs as a process.
///
/// A class, because the last reference removes the folder.
final class Sandbox: Sendable {
  struct Problem: Error {
    var message: String
  }

  let root: String

  init(_ files: [(path: String, text: String)] = []) throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/contentc-test.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Problem(message: "no temporary folder") }
    root = String(cString: made)
    for file in files { try write(file.path, file.text) }
  }

  deinit {
    for file in entries(below: "").reversed() where !file.isFolder {
      unlink("\(root)/\(file.path)")
    }
    for folder in folders().reversed() { rmdir("\(root)/\(folder)") }
    rmdir(root)
  }

  /// Writes a file and the folders above it.
  func write(_ path: String, _ text: String) throws {
    let full = "\(root)/\(path)"
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(root + folder, 0o755)
    }
    guard let file = fopen(full, "w") else { throw Problem(message: "cannot write \(full)") }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Problem(message: "cannot write \(full)")
    }
  }

  /// Writes a file of any bytes into the root.
  func write(_ name: String, bytes: [UInt8]) throws {
    guard let file = fopen("\(root)/\(name)", "w") else {
      throw Problem(message: "cannot write \(name)")
    }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }

  /// Returns the bytes of a file, or `nil` if it does not exist.
  func read(_ path: String) -> [UInt8]? {
    guard let file = fopen("\(root)/\(path)", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Returns the value of a property list.
  func value(_ path: String) throws -> Value {
    guard let bytes = read(path) else { throw Problem(message: "\(path) is not there") }
    return try PropertyList.decode(bytes).value
  }

  /// Returns every file below a folder with its bytes, by path.
  func tree(_ folder: String = "") -> [(path: String, bytes: [UInt8])] {
    entries(below: folder).filter { !$0.isFolder }.map { ($0.path, read($0.path) ?? []) }
  }

  /// Returns the paths of all files below a folder.
  func files(below folder: String = "") -> [String] {
    entries(below: folder).filter { !$0.isFolder }.map(\.path)
  }

  /// Returns all folders below a folder, parents first.
  func folders(_ folder: String = "") -> [String] {
    entries(below: folder).filter(\.isFolder).map(\.path)
  }

  private func entries(below folder: String) -> [(path: String, isFolder: Bool)] {
    guard let stream = opendir(folder.isEmpty ? root : "\(root)/\(folder)") else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted { $0.precedesInBytes($1) }.flatMap {
      name in
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      var status = stat()
      guard lstat("\(root)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        return [(path: path, isFolder: false)]
      }
      return [(path: path, isFolder: true)] + entries(below: path)
    }
  }
}
