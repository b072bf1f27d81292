package import SystemC

/// A folder that stays open, so that operations reach it even if its path leads elsewhere by now.
///
/// No operation follows a symbolic link. A class, since the files being written into the folder
/// share the descriptor.
package final class HeldFolder: Sendable {
  private let descriptor: Descriptor

  /// The path by which messages name the folder.
  package var path: String { descriptor.path }

  /// Opens the folder at a path.
  ///
  /// - Throws: `.symbolicLink` if the last component of the path is a symbolic link.
  package init(_ path: String) throws(StoreError) {
    do {
      descriptor = try Descriptor(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    } catch {
      if try Disk.examine(path).kind == .symbolicLink { throw .symbolicLink(path: path) }
      throw error
    }
  }

  private init(_ name: String, in folder: HeldFolder) throws(StoreError) {
    descriptor = try Descriptor(name, in: folder.descriptor, flags: O_RDONLY | O_DIRECTORY)
  }

  /// Opens a folder in this folder; returns `nil` if there is none.
  ///
  /// - Throws: `.symbolicLink` if the name is a link, `ENOTDIR` if it is any other file.
  package func folder(_ name: String) throws(StoreError) -> HeldFolder? {
    do {
      return try HeldFolder(name, in: self)
    } catch StoreError.failed(_, _, ENOENT) {
      return nil
    } catch {
      if try kind(of: name) == .symbolicLink { throw .symbolicLink(path: path(of: name)) }
      throw error
    }
  }

  /// Opens a folder in this folder; creates it for all users to read if there is none.
  package func makeFolder(_ name: String) throws(StoreError) -> HeldFolder {
    if let folder = try folder(name) {
      // A killed process may have created the folder without setting its mode.
      let status = try folder.status()
      let isClosed = status.st_mode & 0o055 != 0o055 && status.st_uid == geteuid()
      if isClosed, try folder.entries().isEmpty { try folder.open(toReadersAs: mode) }
      return folder
    }
    var isMade = true
    do {
      _ = try retrying(.createFolder, at: path(of: name)) {
        mkdirat(descriptor.number, name, 0o755)
      }
    } catch StoreError.failed(_, _, EEXIST) {
      isMade = false
    }
    guard let folder = try folder(name) else {
      throw .failed(.open, path: path(of: name), errno: ENOENT)
    }
    if isMade { try folder.open(toReadersAs: mode) }
    return folder
  }

  /// Lets all users list a new folder and read its files, regardless of the umask.
  ///
  /// `parent` is the mode of the parent folder. The new folder gets the parent's write permission
  /// for the group, and its setgid bit.
  package func open(toReadersAs parent: UInt32) throws(StoreError) {
    descriptor.setMode(0o755 | parent & 0o2020)
  }

  /// Opens a file of the folder.
  package func open(_ name: String, flags: Int32) throws(StoreError) -> Descriptor {
    try Descriptor(name, in: descriptor, flags: flags)
  }

  /// Writes a new file that all users can read, regardless of the umask; an existing file is an
  /// error.
  ///
  /// The file is on the disk once it has been synced.
  package func create(
    _ name: String, write: (borrowing Descriptor) throws(StoreError) -> Void
  ) throws(StoreError) {
    let file = try open(name, flags: O_WRONLY | O_CREAT | O_EXCL)
    file.setMode(0o644)
    try write(file)
    file.beginWritingOut()
  }

  /// The permission bits of the folder, and its kind.
  package var mode: UInt32 { get throws(StoreError) { UInt32(try status().st_mode) } }

  /// The status of the folder itself.
  package func status() throws(StoreError) -> stat { try descriptor.status() }

  /// Returns the status of a name in the folder; `nil` if it does not exist.
  package func status(of name: String) throws(StoreError) -> stat? {
    var status = stat()
    do {
      _ = try retrying(.examine, at: path(of: name)) {
        fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW)
      }
      return status
    } catch StoreError.failed(_, _, ENOENT) {
      return nil
    }
  }

  /// Returns the kind of a name in the folder.
  package func kind(of name: String) throws(StoreError) -> Disk.Kind {
    try status(of: name).map { Disk.Kind(mode: $0.st_mode) } ?? .nothing
  }

  package func rename(_ name: String, to new: String) throws(StoreError) {
    _ = try retrying(.rename, at: path(of: new)) {
      renameat(descriptor.number, name, descriptor.number, new)
    }
  }

  /// Links a file under a second name; returns `false` if that name exists, and `nil` if the file
  /// system has no hard links.
  package func linkUnlessThere(_ name: String, as new: String) throws(StoreError) -> Bool? {
    do {
      _ = try retrying(.link, at: path(of: new)) {
        linkat(descriptor.number, name, descriptor.number, new, 0)
      }
      return true
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    } catch StoreError.failed(_, _, let code) where Disk.meansNoLinks(code) {
      return nil
    }
  }

  /// Removes a file if it exists.
  package func removeFile(_ name: String) throws(StoreError) {
    do {
      _ = try retrying(.remove, at: path(of: name)) { unlinkat(descriptor.number, name, 0) }
    } catch StoreError.failed(_, _, ENOENT) {}
  }

  /// Returns the names in the folder with their kinds, by code point, without `.` and `..`.
  package func entries() throws(StoreError) -> [(name: String, kind: Disk.Kind)] {
    // The stream needs its own descriptor, which it moves and closes.
    let own = try retrying(.list, at: path) {
      openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = fdopendir(own) else {
      close(own)
      throw .failed(.list, path: path, errno: errno)
    }
    defer { closedir(stream) }
    return try Disk.entries(of: stream, path) { name throws(StoreError) in try kind(of: name) }
  }

  /// Waits until the names in the folder are on the disk.
  package func sync() throws(StoreError) { try descriptor.sync() }

  /// Waits until everything that any program wrote to the file system is on the disk.
  package func syncFileSystem() throws(StoreError) { try descriptor.syncFileSystem() }

  private func path(of name: String) -> String { "\(path)/\(name)" }
}
