import SystemC

/// A folder for the files of one server, which is removed with its contents.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/cache-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Problem("cannot make a folder in \(parent)")
    }
    path = String(cString: made)
    // A server can run as another user.
    chmod(path, 0o755)
  }

  deinit { _ = try? Program.run("/bin/rm", ["-r", path]) }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    guard let file = fopen(path(name), "w") else { throw Problem("cannot write \(path(name))") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  package func read(_ name: String) throws -> [UInt8] { try Self.read(path(name)) }

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
}

/// An error that ends a test.
package struct Problem: Error, CustomStringConvertible {
  package let message: String
  package var description: String { message }

  package init(_ message: String) { self.message = message }
}
