package import ContentModel
import SystemC

extension ContentFolder {
  /// Lists a folder on disk, whose files are read on demand.
  ///
  /// With `limit`, some files of a folder that has more are not listed.
  ///
  /// - Throws: `Problem.missing` or another problem of the folder itself.
  package static func disk(
    at root: String, name: String, atMost limit: Int = .max
  ) throws(Problem) -> ContentFolder {
    let base = try base(of: root)
    guard kind(of: base, followingLinks: true) == S_IFDIR else {
      throw .unreadable(reason: "it is not a folder")
    }
    var items: [Item] = []
    try list(base, below: "", base: base, into: &items, atMost: limit)
    items.sort { $0.path.text.sortsBefore($1.path.text) }
    return ContentFolder(name: name, items: items) { path throws(Problem) in
      try readFile(path, below: base)
    }
  }

  /// Opens a folder on disk without a list of its files, so that `items` is empty.
  ///
  /// - Throws: `Problem.missing` or another problem of the folder itself.
  package static func disk(unlisted root: String, name: String) throws(Problem) -> ContentFolder {
    let base = try base(of: root)
    return ContentFolder(name: name, items: []) { path throws(Problem) in
      try readFile(path, below: base)
    }
  }

  /// Returns the asset with a hash in a folder on disk, and its path as a user would type it; `nil`
  /// if the folder has none.
  ///
  /// Only files of the given size are read, because the assets may have gigabytes.
  package static func asset(
    with digest: Digest, size: Int, below root: String
  ) -> (path: String, bytes: [UInt8])? {
    let name = root.hasByteSuffix("/") ? String(root.dropLast()) : root
    guard let base = try? base(of: root), let folder = try? disk(at: root, name: name) else {
      return nil
    }
    for item in folder.items where item.path.hasPrefix("assets/") && item.problem == nil {
      var status = stat()
      guard stat("\(base)/\(item.path)", &status) == 0, Int(status.st_size) == size,
        let bytes = try? folder.read(item.path.text), Digest(of: bytes) == digest
      else { continue }
      return (folder.shownPath(item.path.text), bytes)
    }
    return nil
  }

  /// Returns the hashes of an asset's files in a folder on disk, in order of their scales; empty if the
  /// folder has no such asset.
  ///
  /// The asset is named as in a field, or by the path of one of its files as a user would type it.
  package static func scales(ofAsset path: String, below root: String) -> [Digest] {
    let name = root.hasByteSuffix("/") ? String(root.dropLast()) : root
    guard let folder = try? disk(at: root, name: name) else { return [] }
    let starts = [folder.shownPath("assets/"), "assets/", ""]
    let files = folder.items.filter { $0.problem == nil }.map(\.path.text)
    let assets = AssetCollector.collect(files)
    for start in starts where path.hasBytePrefix(start) {
      let wanted = String(path.dropFirst(start.count))
      let asset = assets.first { asset in
        asset.path.hasSameBytes(as: wanted)
          || asset.variants.contains { $0.file.hasSameBytes(as: "assets/" + wanted) }
      }
      guard let asset else { continue }
      return asset.variants.compactMap { (try? folder.read($0.file)).map { Digest(of: $0) } }
    }
    return []
  }

  /// Returns the folder's path without symbolic links.
  ///
  /// - Throws: `.linksOutside` for a link out of its parent folder, through which a checkout could
  ///   refer to any folder of the machine.
  private static func base(of root: String) throws(Problem) -> String {
    guard let resolved = realpath(root, nil) else { throw Problem(errno: errno) }
    defer { free(resolved) }
    let base = String(cString: resolved)
    var end = root.endIndex
    while end > root.startIndex, root[root.index(before: end)] == "/" {
      end = root.index(before: end)
    }
    let plain = String(root[..<end])
    guard !plain.isEmpty, kind(of: plain, followingLinks: false) == S_IFLNK else { return base }
    let slash = plain.utf8.lastIndex(of: UInt8(ascii: "/"))
    let parent = slash.map { "\(plain[..<$0])/." } ?? "."
    guard let holder = realpath(parent, nil) else { throw Problem(errno: errno) }
    defer { free(holder) }
    guard base.hasBytePrefix("\(String(cString: holder))/") else { throw .linksOutside }
    return base
  }

  private static func list(
    _ folder: String, below prefix: String, base: String, into items: inout [Item],
    atMost limit: Int
  ) throws(Problem) {
    guard let stream = opendir(folder) else {
      var problem = Problem(errno: errno)
      if prefix.isEmpty { throw problem }
      if case .unreadable(let reason) = problem { problem = .unreadableFolder(reason: reason) }
      items.append(Item(path: String(prefix.dropLast()), problem: problem))
      return
    }
    defer { closedir(stream) }
    while items.count < limit, let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } }
      if bytes.first == UInt8(ascii: ".") { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      let path = prefix + name
      guard name.utf8.elementsEqual(bytes) else {
        items.append(Item(path: path, problem: .nameIsNotUTF8))
        continue
      }
      switch kind(of: entry.pointee.d_type) ?? kind(of: "\(folder)/\(name)", followingLinks: false)
      {
      case S_IFREG: items.append(Item(path: path))
      case S_IFDIR where name.isYAMLName: items.append(Item(path: path, problem: .isFolder))
      case S_IFDIR:
        try list(
          "\(folder)/\(name)", below: "\(path)/", base: base, into: &items, atMost: limit)
      case S_IFLNK:
        items.append(Item(path: path, problem: problem(ofLink: "\(folder)/\(name)", base: base)))
      default: items.append(Item(path: path, problem: .isNoFile))
      }
    }
  }

  /// Returns the kind of a file in its folder's listing; `nil` if the file must be examined.
  private static func kind(of type: UInt8) -> mode_t? {
    switch Int(type) {
    case Int(DT_REG): S_IFREG
    case Int(DT_DIR): S_IFDIR
    case Int(DT_LNK): S_IFLNK
    default: nil
    }
  }

  private static func kind(of path: String, followingLinks: Bool) -> mode_t? {
    var status = stat()
    let answer = followingLinks ? stat(path, &status) : lstat(path, &status)
    return answer == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func problem(ofLink path: String, base: String) -> Problem? {
    guard let resolved = realpath(path, nil) else { return Problem(ofLink: errno) }
    defer { free(resolved) }
    let target = String(cString: resolved)
    guard target.hasBytePrefix("\(base)/") else { return .linksOutside }
    switch kind(of: target, followingLinks: true) {
    case S_IFREG: return nil
    case S_IFDIR: return .linksToFolder
    default: return .isNoFile
    }
  }

  private static func readFile(_ path: String, below base: String) throws(Problem) -> [UInt8] {
    let limit = path.isYAMLName && !path.hasBytePrefix("assets/") ? yamlLimit : assetLimit
    let path = "\(base)/\(path)"
    var descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    if descriptor < 0, errno == ELOOP {
      if let problem = problem(ofLink: path, base: base) { throw problem }
      descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw Problem(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Problem(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoFile }
    return try readAll(from: descriptor, expecting: Int(status.st_size), limit: limit)
  }

  private static func readAll(
    from descriptor: Int32, expecting size: Int, limit: Int
  ) throws(Problem) -> [UInt8] {
    guard size <= limit else { throw .tooLarge(limit: limit) }
    // One byte more than the size, so that the last read is short.
    var bytes = try readPart(from: descriptor, capacity: size + 1)
    while bytes.count != size {
      let more = try readPart(from: descriptor, capacity: Swift.max(4096, bytes.count))
      if more.isEmpty { break }
      bytes += more
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    }
    return bytes
  }

  private static func readPart(from descriptor: Int32, capacity: Int) throws(Problem) -> [UInt8] {
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      var count = readMore(from: descriptor, into: buffer)
      while count < 0, errno == EINTR { count = readMore(from: descriptor, into: buffer) }
      if count < 0 { failure = errno }
      filled = Swift.max(0, count)
    }
    if let failure { throw Problem(errno: failure) }
    return bytes
  }
}

/// Outside the type, whose own `read` would hide the one of POSIX.
private func readMore(from descriptor: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int
{
  read(descriptor, buffer.baseAddress, buffer.count)
}

extension ContentFolder.Problem {
  fileprivate init(ofLink code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .linksNowhere
    case ELOOP: self = .linksInCircle
    default: self.init(errno: code)
    }
  }

  fileprivate init(errno code: Int32) {
    self = code == ENOENT ? .missing : .unreadable(reason: String(cString: strerror(code)))
  }
}
