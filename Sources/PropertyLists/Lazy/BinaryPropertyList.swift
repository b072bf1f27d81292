#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A binary property list that is opened without being read: a value is decoded when it is asked
/// for.
///
/// Opening checks the header and the trailer, and nothing else; the first field of a file of any
/// size takes microseconds. The bytes may come from anyone. Each step checks what it touches and
/// takes at most time linear in the container that it is asked of; what it cannot trust, it throws.
/// Two rules need the whole file, and only `Node.value` holds a file to them: objects may not lie
/// over one another, and shared objects may not unfold without bound. Who walks *everything* in a
/// file of unknown origin, step by step, asks for `root.value` once before, or uses that instead.
///
/// ```swift
/// let bundle = try BinaryPropertyList(contentsOf: path)
/// let title = try bundle.root["entries"]?["product/rose"]?["content"]?["title"]?.string
/// ```
public struct BinaryPropertyList: Sendable {
  let contents: BinaryContents

  /// Opens bytes that are in memory already; they are shared, not copied.
  ///
  /// Throws `badHeader`, `badTrailer` and the like if these cannot be a binary property list.
  public init(_ bytes: [UInt8]) throws(PropertyListDecodingError) { try self.init(.array(bytes)) }

  /// Opens a file by reading it into one buffer: safe whatever happens to the file afterwards.
  ///
  /// - Throws: `PropertyListFileError` if the file cannot be read, `PropertyListDecodingError` if
  ///   it is no binary property list.
  public init(contentsOf path: String) throws {
    try self.init(.array(FileBytes.contents(of: path)))
  }

  /// Opens a file by mapping it into memory, so that only the pages that are looked at are ever
  /// read.
  ///
  /// The file must not be written to or cut short while this, or anything taken from it, is in use:
  /// bytes that change are caught or read as other values, but touching a page that the file has
  /// lost ends the process (`SIGBUS`). That is safe for objects that are named by their hash and
  /// replaced by renaming only; use `init(contentsOf:)` for anything else, and for files on network
  /// volumes or removable media.
  ///
  /// - Throws: `PropertyListFileError` if the file cannot be mapped, `PropertyListDecodingError` if
  ///   it is no binary property list.
  public init(mapping path: String) throws { try self.init(.mapped(MappedFile(path))) }

  private init(_ storage: ByteStorage) throws(PropertyListDecodingError) {
    contents = try BinaryContents(storage)
  }

  /// The outermost value.
  public var root: Node {
    Node(contents: contents, object: contents.rootObject, number: contents.layout.root, depth: 0)
  }
}

/// Why a file cannot be opened or read.
public struct PropertyListFileError: Error, Hashable {
  /// The path as it was given.
  public let path: String
  /// What the system says: a value of `errno`, such as `ENOENT`.
  public let code: Int32

  init(path: String, code: Int32) { (self.path, self.code) = (path, code) }
}

extension PropertyListFileError: CustomStringConvertible {
  /// The path, and the system's own words.
  public var description: String { "\(path): \(String(cString: strerror(code)))" }
}
