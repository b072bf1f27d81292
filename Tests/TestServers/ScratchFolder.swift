import SystemC

/// A folder for one test, which is removed with its contents.
package final class ScratchFolder: Sendable {
  package let path: String

  /// Creates a folder, with `inMemory` in a memory file system if there is one.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let usual = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let parent = inMemory && access(memory, W_OK) == 0 ? memory : usual
    var template = Array("\(parent)/contentc-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Problem("cannot make a folder in \(parent)") }
    path = String(cString: made)
    // A server can run as another user.
    chmod(path, 0o755)
  }

  deinit { _ = try? Program.run("/bin/rm", ["-rf", path]) }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  package func makeFolder(_ name: String) { mkdir(path(name), 0o755) }

  package func link(_ target: String, as name: String) { symlink(target, path(name)) }

  /// Writes a file in place, as editors do.
  package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    guard let file = fopen(path(name), "w") else { throw Problem("cannot write \(path(name))") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  package func read(_ name: String) throws -> String {
    String(decoding: try Self.read(path(name)), as: UTF8.self)
  }

  package static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Problem("cannot read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  package func holds(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

  /// Returns the sorted names in the folder, or in a folder below it.
  package func names(in name: String = ".") -> [String] {
    guard let stream = opendir(path(name)) else { return [] }
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

  /// Returns the modification time of a file in seconds since 1970.
  package func modified(_ name: String) -> Int {
    var status = stat()
    guard lstat(path(name), &status) == 0 else { return 0 }
    #if os(Linux)
      return status.st_mtim.tv_sec
    #else
      return status.st_mtimespec.tv_sec
    #endif
  }

  /// Sets the modification time of a file in seconds since 1970.
  package func date(_ name: String, _ seconds: Int) {
    let times = [timeval(tv_sec: seconds, tv_usec: 0), timeval(tv_sec: seconds, tv_usec: 0)]
    utimes(path(name), times)
  }
}
