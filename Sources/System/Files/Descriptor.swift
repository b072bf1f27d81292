package import SystemC

/// An open file or folder, which `deinit` closes.
package struct Descriptor: ~Copyable, Sendable {
  package let path: String
  let number: Int32

  /// Opens a path.
  ///
  /// The descriptor is not inherited by child processes.
  package init(_ path: String, flags: Int32, mode: UInt32 = 0o666) throws(StoreError) {
    self.path = path
    number = try retrying(.open, at: path) { open(path, flags | O_CLOEXEC, mode_t(mode)) }
  }

  /// Opens a name in an open folder, even if the folder has moved; follows no symbolic link.
  package init(_ name: String, in folder: borrowing Descriptor, flags: Int32) throws(StoreError) {
    let (path, parent) = ("\(folder.path)/\(name)", folder.number)
    self.path = path
    number = try retrying(.open, at: path) {
      openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }
  }

  deinit { close(number) }

  package func write(_ bytes: [UInt8]) throws(StoreError) { try write(bytes[...]) }

  func write(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try retrying(.write, at: path) {
        rest.withUnsafeBytes { SystemC.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes all of a buffer.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try retrying(.write, at: path) {
        SystemC.write(number, rest.baseAddress, rest.count)
      }
    }
  }

  /// Reads from an offset until the buffer is full or the file ends; returns the number of bytes.
  ///
  /// The position of the file stays the same, so several threads can read at once.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError)
    -> Int
  {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try retrying(.read, at: path) {
        pread(number, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads until the buffer is full or the file ends; returns the number of bytes.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try retrying(.read, at: path) {
        SystemC.read(number, rest.baseAddress, rest.count)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  package func status() throws(StoreError) -> stat {
    var status = stat()
    _ = try retrying(.examine, at: path) { fstat(number, &status) }
    return status
  }

  /// Waits until the file or folder is on the disk.
  package func sync() throws(StoreError) {
    #if canImport(Darwin)
      // fsync only reaches the drive's cache there (fsync(2) of macOS).
      _ = try retrying(.sync, at: path) { fcntl(number, F_FULLFSYNC) }
    #else
      _ = try retrying(.sync, at: path) { fsync(number) }
    #endif
  }

  /// Sets the time of the file's last change to a whole second since 1970.
  package func setModified(seconds: Int) throws(StoreError) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    _ = try retrying(.write, at: path) { futimens(number, times) }
  }

  /// Sets the permission bits regardless of the umask; a file system without permissions ignores
  /// them.
  package func setMode(_ mode: UInt32) { fchmod(number, mode_t(mode)) }

  /// Asks the system to begin writing the file to the disk, so that less is left for the sync at
  /// the end of a build.
  ///
  /// A hint: a failure does not matter.
  package func beginWritingOut() {
    #if os(Linux)
      _ = sync_file_range(number, 0, 0, 2)
    #endif
  }

  /// Waits until everything written to the whole file system is on the disk.
  package func syncFileSystem() throws(StoreError) {
    #if os(Linux)
      _ = try retrying(.sync, at: path) { syncfs(number) }
    #endif
  }

  /// Releases the lock at once.
  ///
  /// After `close` alone, a child that was forked, and has not yet executed its program, would keep
  /// the lock.
  package func unlock() { flock(number, LOCK_UN) }

  /// Takes the lock that ends with the process; returns `false` if another holder has it.
  package func lock() throws(StoreError) -> Bool { try lock(LOCK_EX) }

  /// Takes the lock as soon as no other holder has it; returns `false` after two seconds of waiting.
  package func lockPatiently() throws(StoreError) -> Bool {
    for _ in 0..<200 {
      if try lock() { return true }
      usleep(10_000)
    }
    return false
  }

  /// Takes the shared lock; returns `false` if another holder has the exclusive one.
  package func lockShared() throws(StoreError) -> Bool { try lock(LOCK_SH) }

  private func lock(_ kind: Int32) throws(StoreError) -> Bool {
    do {
      _ = try retrying(.lock, at: path) { flock(number, kind | LOCK_NB) }
      return true
    } catch StoreError.failed(_, _, EWOULDBLOCK) {
      return false
    }
  }
}

/// Repeats a system call that a signal interrupted; `-1` becomes the error that `errno` names.
package func retrying<Result: SignedInteger>(
  _ operation: StoreError.Operation, at path: String, call: () -> Result
) throws(StoreError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw .failed(operation, path: path, errno: code) }
  }
}
