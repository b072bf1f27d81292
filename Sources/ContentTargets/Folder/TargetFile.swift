import ContentModel
import System
import SystemC

/// A file that was read from a folder target.
struct TargetFile {
  let bytes: [UInt8]
  /// The time of the last change in whole seconds since 1970, from which servers build an `ETag`.
  let modified: Int
  private let number: UInt64

  /// Reads a whole file; `nil` if there is none.
  ///
  /// - Throws: `.tooLarge` if it has more than `limit` bytes.
  static func read(_ place: FolderPlace, limit: Int) throws(StoreError) -> TargetFile? {
    guard let file = try open(place) else { return nil }
    let status = try file.status()
    guard status.size <= limit else { throw .tooLarge(path: place.path, size: status.size) }
    return try TargetFile(reading: file, status: status)
  }

  private init(reading file: borrowing Descriptor, status: stat) throws(StoreError) {
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

  /// Returns the content of a file for comparisons; `nil` if there is none.
  static func body(_ place: FolderPlace) throws(StoreError) -> FileBody? {
    guard let file = try open(place) else { return nil }
    return try FileBody(file)
  }

  private static func open(_ place: FolderPlace) throws(StoreError) -> Descriptor? {
    guard try isThere(place) else { return nil }
    do {
      // Opening a FIFO would block for ever.
      return try place.folder.open(place.name, flags: O_RDONLY | O_NONBLOCK)
    } catch StoreError.failed(.open, _, ENOENT) {
      return nil
    }
  }

  /// The tag, which changes with every replacement, even by the same bytes.
  var tag: String {
    "\(Digest(of: bytes))-\(number)-\(modified)"
  }

  /// Returns whether there is a file at a place.
  ///
  /// - Throws: `StoreError` if there is anything but a file.
  static func isThere(_ place: FolderPlace) throws(StoreError) -> Bool {
    switch try place.folder.kind(of: place.name) {
    case .nothing: false
    case .file: true
    case .symbolicLink: throw .symbolicLink(path: place.path)
    case .folder, .other: throw .folderInPlaceOfFile(path: place.path)
    }
  }

  /// Returns the status of a regular file without reading it; `nil` if there is none.
  static func status(_ place: FolderPlace) throws(StoreError) -> stat? {
    guard let status = try place.folder.status(of: place.name), status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return status
  }
}

extension stat {
  /// The size in bytes.
  var size: Int { Int(st_size) }

  /// The time of the last change of the bytes, in whole seconds since 1970.
  var modifiedSecond: Int {
    #if os(Linux)
      st_mtim.tv_sec
    #else
      st_mtimespec.tv_sec
    #endif
  }
}
