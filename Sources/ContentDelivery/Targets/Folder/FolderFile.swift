import ContentModel
import ContentStore
import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file as it stands in a folder.
struct FolderFile {
  let bytes: [UInt8]
  /// In whole seconds since 1970, as servers build an `ETag` from it.
  let modified: Int
  private let number: UInt64

  /// Reads a file as a whole; `nil` if there is none.
  static func read(_ path: String) throws(StoreError) -> FolderFile? {
    guard try isThere(path) else { return nil }
    do {
      // A FIFO would wait for a writer for ever.
      let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      return try FolderFile(file, file.status())
    } catch StoreError.failed(.open, _, ENOENT) {
      return nil
    }
  }

  private init(_ file: borrowing Descriptor, _ status: stat) throws(StoreError) {
    var failure: StoreError?
    bytes = [UInt8](unsafeUninitializedCapacity: status.size) { buffer, count in
      do throws(StoreError) {
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    modified = status.modifiedSecond
    number = UInt64(status.st_ino)
  }

  /// What a file holds, to compare it with something; `nil` if there is none.
  static func body(_ path: String) throws(StoreError) -> FileBody? {
    guard try isThere(path) else { return nil }
    do {
      return try FileBody(contentsOf: path)
    } catch StoreError.failed(.open, _, ENOENT) {
      return nil
    }
  }

  /// Changes with every replacement, even by the same bytes.
  var tag: String {
    let digest = Digest(bytes: SHA256.hash(data: bytes)).map(\.hex) ?? ""
    return "\(digest)-\(number)-\(modified)"
  }

  /// Whether a file stands at a path; anything else that does is an error.
  static func isThere(_ path: String) throws(StoreError) -> Bool {
    switch try Disk.examine(path).kind {
    case .nothing: false
    case .file: true
    case .symbolicLink: throw .symbolicLink(path: path)
    case .folder, .other: throw .folderInPlaceOfFile(path: path)
    }
  }

  /// What is known of a file without reading it; `nil` if there is none.
  static func status(_ path: String) throws(StoreError) -> stat? {
    var status = stat()
    do {
      _ = try retrying(.examine, path) { lstat(path, &status) }
    } catch StoreError.failed(_, _, ENOENT) {
      return nil
    }
    return status.st_mode & S_IFMT == S_IFREG ? status : nil
  }
}

extension stat {
  /// In bytes.
  var size: Int { Int(st_size) }

  /// The time of the last change of the bytes, in whole seconds since 1970.
  var modifiedSecond: Int {
    #if canImport(Glibc)
      st_mtim.tv_sec
    #else
      st_mtimespec.tv_sec
    #endif
  }
}
