package import ContentModel
import SharedGzip
import Synchronization
package import System

extension BuildWriter {
  /// Adds an object, once; a file with the same bytes is kept.
  ///
  /// With `compress`, a `.gz` file is written beside it if that is smaller. The `seams` are the
  /// byte offsets of stretches that other objects may share, and that are compressed once
  /// (`GzipCompressor`).
  package func add(
    object digest: Digest, extension fileExtension: String, bytes: [UInt8], compress: Bool,
    seams: [Int] = []
  ) throws(StoreError) {
    let name = try ObjectName(digest, extension: fileExtension)
    try add(bytes, as: name) { path throws(StoreError) in
      compress ? try self.stageCompressed(bytes, seams: seams, for: path) : .absent
    }
  }

  /// Adds an object and the `.gz` file beside it, both checked by the caller; `nil` means no `.gz`
  /// file.
  package func add(
    object digest: Digest, extension fileExtension: String, bytes: [UInt8], compressed: [UInt8]?
  ) throws(StoreError) {
    let name = try ObjectName(digest, extension: fileExtension)
    try add(bytes, as: name) { path throws(StoreError) in
      if let compressed { try self.stage(compressed, for: path) } else { .absent }
    }
  }

  private func add(
    _ bytes: [UInt8], as name: ObjectName,
    compressed: (_ path: RelativePath) throws(StoreError) -> AddedFiles.Content
  ) throws(StoreError) {
    let isNew = plan.withLock { plan in
      plan.objects.updateValue(.init(plain: .pending, compressed: .pending), ifAbsent: name)
    }
    guard isNew else { return }
    try remembering { () throws(StoreError) in
      let plain = try stage(bytes, for: name.path)
      let compressed = try compressed(name.path.adding(".gz"))
      plan.withLock { $0.objects[name] = .init(plain: plain, compressed: compressed) }
    }
  }

  /// Adds a file that later builds may replace.
  ///
  /// The last file of a path counts, so files of one path must not be added concurrently.
  package func add(file path: String, bytes: [UInt8]) throws(StoreError) {
    let path = try RelativePath(path)
    try remembering { () throws(StoreError) in
      let content = try stage(bytes, for: path)
      plan.withLock { $0.files[path] = .content(content) }
    }
  }

  /// Adds a file that is an object under another name; the object may be added later.
  package func add(file path: String, linkingTo digest: Digest, extension fileExtension: String)
    throws(StoreError)
  {
    let path = try RelativePath(path)
    let object = try ObjectName(digest, extension: fileExtension)
    plan.withLock { $0.files[path] = .link(object, .pending) }
  }

  private func stage(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    if !isInNewTree(path), Disk.holds(bytes, at: finalPath(path)) {
      return .kept(size: bytes.count)
    }
    return try stageNew(bytes, for: path)
  }

  private func stageCompressed(
    _ bytes: [UInt8], seams: [Int], for path: RelativePath
  ) throws(StoreError) -> AddedFiles.Content {
    guard let compressor else { return .absent }
    // An existing file is only decompressed, which is much cheaper than compression.
    if !isInNewTree(path), let there = Disk.contents(finalPath(path), limit: bytes.count),
      there.count < bytes.count,
      (try? Gzip.decompress(there, limit: bytes.count))?.hasSameBytes(as: bytes) ?? false
    {
      return .kept(size: there.count)
    }
    guard let compressed = try? compressor.compress(bytes, seams: seams),
      compressed.count < bytes.count
    else {
      return .absent
    }
    return try stageNew(compressed, for: path)
  }

  private func stageNew(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    if isInNewTree(path) {
      let isStaged = try stageInTree(path) { file throws(StoreError) in
        try Disk.create(file, bytes: bytes)
      }
      if isStaged { return .inTree(size: bytes.count) }
    }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Disk.create(stagedPath(number), bytes: bytes)
    return .staged(number, size: bytes.count)
  }

  private func remembering(_ work: () throws(StoreError) -> Void) throws(StoreError) {
    do {
      try work()
    } catch {
      plan.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
  }
}

extension Dictionary {
  /// Sets the value of a new key; returns `false` if the key has one.
  fileprivate mutating func updateValue(_ value: Value, ifAbsent key: Key) -> Bool {
    if self[key] != nil { return false }
    self[key] = value
    return true
  }
}
