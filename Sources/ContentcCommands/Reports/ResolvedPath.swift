import SystemC

/// The path of a folder from the root, with symbolic links resolved.
///
/// Names are bytes. The names of folders that do not exist yet are kept unchanged, also behind
/// links.
package struct ResolvedPath {
  private var names: [[UInt8]] = []

  package init(_ path: String) {
    // The names that are left to resolve, in reverse order.
    var open = Array(Self.names(in: FolderPath.absolute(path).utf8).reversed())
    var linksLeft = 40
    while let name = open.popLast() {
      if name == Array("..".utf8) {
        _ = names.popLast()
        continue
      }
      names.append(name)
      guard linksLeft > 0, let target = Self.linkTarget(of: names[...]) else { continue }
      linksLeft -= 1
      if target.first == UInt8(ascii: "/") { names = [] } else { names.removeLast() }
      open += Self.names(in: target).reversed()
    }
  }

  /// Returns `true` for the same folder, and for a folder inside another, under any name.
  package func isInside(_ other: ResolvedPath) -> Bool {
    if names.starts(with: other.names) { return true }
    // A file system may ignore case, or show a folder under two paths.
    guard let wanted = Self.status(of: other.names[...]) else { return false }
    return parents.contains { parent in
      Self.status(of: parent).map { ($0.st_dev, $0.st_ino) == (wanted.st_dev, wanted.st_ino) }
        ?? false
    }
  }

  /// `true` if the folder, or one above it, holds the output of a build.
  package var isInBuildOutput: Bool {
    parents.contains { parent in
      func holds(_ name: String) -> Bool { Self.status(of: parent + [Array(name.utf8)]) != nil }
      return holds("preview") && (holds("build.plist") || holds("build.json"))
    }
  }

  /// The nearest folder with a `.git`, from this one upwards: a git repository; `nil` without one.
  package var gitFolder: String? {
    parents.last { Self.status(of: $0 + [Array(".git".utf8)]) != nil }.map { parent in
      "/" + parent.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
  }

  /// The names of the folder and of each folder above it.
  private var parents: [ArraySlice<[UInt8]>] { names.indices.map { names[...$0] } }

  private static func names(in path: some Sequence<UInt8>) -> [[UInt8]] {
    path.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
  }

  /// Returns the text of a symbolic link; `nil` for anything else.
  private static func linkTarget(of names: ArraySlice<[UInt8]>) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink(path(of: names), &buffer, buffer.count)
    return count < 0 ? nil : buffer.prefix(count).map { UInt8(bitPattern: $0) }
  }

  private static func status(of names: ArraySlice<[UInt8]>) -> stat? {
    var status = stat()
    return stat(path(of: names), &status) == 0 ? status : nil
  }

  /// Returns the bytes of the path for the system, with a zero at the end.
  private static func path(of names: ArraySlice<[UInt8]>) -> [CChar] {
    (names.flatMap { [UInt8(ascii: "/")] + $0 } + [0]).map { CChar(bitPattern: $0) }
  }
}
