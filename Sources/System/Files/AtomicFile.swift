import SystemC

/// A file that is replaced as a whole: readers get the old bytes or the new ones, even after a
/// crash.
package struct AtomicFile {
  /// The path of the file.
  package let path: String
  let steps: StoreSteps

  /// The file at a path, which need not exist; its folder must exist.
  package init(_ path: String) {
    self.init(path, steps: .live)
  }

  init(_ path: String, steps: StoreSteps) {
    self.path = path
    self.steps = steps
  }

  /// Replaces the file, and returns when both the bytes and the name are on the disk.
  ///
  /// With `durably` false, a crash of the machine may lose or empty the file. This suits caches,
  /// which verify their bytes.
  package func write(_ bytes: [UInt8], durably: Bool = true) throws(StoreError) {
    try write([bytes[...]], durably: durably)
  }

  /// Replaces the file by the concatenation of some pieces.
  package func write(_ pieces: [ArraySlice<UInt8>], durably: Bool = true) throws(StoreError) {
    let temporary = try temporaryPath()
    do {
      try write(pieces, through: temporary, durably: durably)
    } catch {
      try? discard(temporary)
      throw error
    }
    guard durably else { return }
    try steps.willPerform(.syncFolder(folder))
    try Descriptor(folder, flags: O_RDONLY | O_DIRECTORY).sync()
  }

  private func write(_ pieces: [ArraySlice<UInt8>], through temporary: String, durably: Bool)
    throws(StoreError)
  {
    try steps.willPerform(.stage(temporary))
    let file = try Descriptor(temporary, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
    for piece in pieces { try file.write(piece) }
    if durably {
      try steps.willPerform(.syncFile(temporary))
      try file.sync()
    }
    try steps.willPerform(.place(path))
    try Disk.rename(temporary, to: path)
  }

  private func discard(_ temporary: String) throws(StoreError) {
    try steps.willPerform(.discard(temporary))
    try Disk.removeFile(temporary)
  }

  private var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private var name: Substring {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
  }

  /// A name that no other process uses; a leftover of a killed process is overwritten.
  private func temporaryPath() throws(StoreError) -> String {
    if try Disk.examine(path).kind == .folder { throw .folderInPlaceOfFile(path: path) }
    return "\(folder)/.\(name).\(getpid()).tmp"
  }
}
