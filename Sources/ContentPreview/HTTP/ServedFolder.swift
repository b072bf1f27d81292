import SystemC

/// A folder whose files are served; nothing outside it can be opened.
struct ServedFolder: Sendable {
  /// The folder's path, which may itself be a symbolic link.
  let path: String

  /// Opens a regular file below the folder; returns `nil` if there is none.
  ///
  /// Each name is opened relative to the open parent folder, without following symbolic links. No
  /// change to the folder while this runs can lead outside it.
  func open(_ names: [String]) -> ServedFile? {
    guard !names.isEmpty, names.count <= 16, names.allSatisfy(Self.isPlain) else { return nil }
    var folder = openFile(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names.dropLast() {
      guard folder >= 0 else { return nil }
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      folder = next
    }
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    return ServedFile(
      openat(folder, names[names.count - 1], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
  }
}

/// Calls POSIX `open`, which the method `open` hides inside the type.
private func openFile(_ path: String, flags: Int32) -> Int32 { open(path, flags) }
