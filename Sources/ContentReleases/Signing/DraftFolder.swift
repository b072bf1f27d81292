import ContentTargets
package import System
import SystemC

/// The folder of a draft, which people carry between machines.
///
/// Others may have changed it. Only files with known names are read, up to their limits, and no name
/// in a file is used as a path.
package struct DraftFolder: Sendable {
  package let path: String

  /// The folder at a path without a slash at its end.
  package init(_ path: String) { self.path = path }

  // MARK: Writing

  /// Returns whether the folder does not exist, or is empty.
  ///
  /// - Throws: `StoreError` if it cannot be listed.
  package func isFree() throws(StoreError) -> Bool {
    do { return try Disk.entries(in: path).isEmpty } catch .failed(_, _, ENOENT) { return true }
  }

  /// Writes a draft and some objects of its content at once, by the rename of a folder.
  ///
  /// - Throws: `StoreError`; the errors of reading an object.
  package func write(
    _ draft: SigningDraft, objects: [ReleaseObject] = [], of content: ReleaseContent? = nil
  ) throws {
    let temporary = "\(path).\(getpid()).tmp"
    _ = try retrying(.createFolder, at: temporary) { mkdir(temporary, 0o777) }
    do {
      for name in ["statements", "signatures"] { try Disk.makeFolder("\(temporary)/\(name)") }
      for (name, bytes) in try draft.files + draft.signatureFiles {
        try Self.write(.bytes(bytes), to: "\(temporary)/\(name)")
      }
      if let content { try Self.write(objects, of: content, into: temporary) }
      try Descriptor(temporary, flags: O_RDONLY | O_DIRECTORY).syncFileSystem()
      try Disk.rename(temporary, to: path)
    } catch {
      try? Disk.removeTree(temporary)
      throw error
    }
  }

  private static func write(
    _ objects: [ReleaseObject], of content: ReleaseContent, into folder: String
  ) throws {
    let keys = objects.map { $0.key.split(separator: "/") }
    for names in keys {
      for count in 1..<names.count {
        try Disk.makeFolder("\(folder)/\(names.prefix(count).joined(separator: "/"))")
      }
    }
    _ = try objects.mapOverlapped { object in
      let file = try content.file(object)
      try write(file.body, to: "\(folder)/\(object.key)")
      if let compressed = file.compressed {
        try write(compressed, to: "\(folder)/\(object.key).gz")
      }
    }
  }

  private static func write(_ body: FileBody, to path: String) throws(StoreError) {
    try Disk.create(path) { file throws(StoreError) in
      try body.forEachPiece { piece throws(StoreError) in try file.write(piece) }
    }
  }

  /// Writes the valid signatures of a draft that was read from the folder.
  ///
  /// - Throws: `SigningDraft.Refusal`; `StoreError`.
  package func add(signaturesOf draft: SigningDraft) throws {
    // A link would lead out of the folder.
    let folder = "\(path)/signatures"
    switch try Disk.examine(folder).kind {
    case .folder: break
    case .nothing: try Disk.makeFolder(folder)
    default: throw SigningDraft.Refusal("signatures", "it is no folder")
    }
    for (name, bytes) in draft.signatureFiles { try AtomicFile("\(path)/\(name)").write(bytes) }
  }

  // MARK: Reading

  /// Reads the draft; the objects are read by `file`.
  ///
  /// - Throws: `SigningDraft.Refusal`; `StoreError` if the folder or a file cannot be read.
  package func read() throws -> SigningDraft {
    _ = try Disk.entries(in: path)
    return try SigningDraft { name, limit in try body(name, limit: limit)?.bytes(limit: limit) }
  }

  /// Returns whether the folder has a file for an object, whose bytes `file` checks.
  func has(_ object: ReleaseObject) -> Bool {
    (try? Disk.examine("\(path)/\(object.key)").kind) == .file
  }

  /// Returns the file of an object, whose bytes are those that its name says; `nil` without it.
  ///
  /// - Throws: `SigningDraft.Refusal`; `StoreError`.
  func file(of object: ReleaseObject) throws -> OutgoingFile? {
    guard let plain = try body(object.key, limit: object.size) else { return nil }
    guard plain.digest == object.digest else {
      throw SigningDraft.Refusal(object.key, "it has another SHA-256 than its name says")
    }
    let gzip = try? body("\(object.key).gz", limit: object.size)
    let compressed = try gzip.flatMap { try $0.isCompressed(from: plain) ? $0 : nil }
    return OutgoingFile(body: plain, compressed: compressed, headers: object.headers)
  }

  /// Returns the content of a regular file; `nil` without it.
  private func body(_ name: String, limit: Int) throws -> FileBody? {
    do throws(StoreError) {
      return try FileBody(contentsOf: "\(path)/\(name)", limit: limit)
    } catch {
      switch error {
      case .failed(_, _, ENOENT), .failed(_, _, ENOTDIR): return nil
      case .failed(_, _, EISDIR), .failed(_, _, ELOOP):
        throw SigningDraft.Refusal(name, "it is no regular file")
      case .tooLarge: throw SigningDraft.Refusal(name, "it has more than \(limit) bytes")
      default: throw error
      }
    }
  }
}
