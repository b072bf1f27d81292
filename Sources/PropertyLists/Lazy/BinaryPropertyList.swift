import SystemC

/// A binary property list that decodes values on access.
///
/// ```swift
/// let bundle = try BinaryPropertyList(contentsOf: path)
/// let title = try bundle.root["entries"]?["product/rose"]?["title"]?.string
/// ```
///
/// Opening checks only the header and the trailer, so the first access to a file of any size takes
/// microseconds. The bytes may be untrusted: each access checks the bytes that it reads, and takes
/// at most time linear in the size of its container.
///
/// Two rules concern the whole file, and only ``Node/value`` checks them: objects must not overlap,
/// and shared objects must not unfold into far more than the file holds. Before a walk through
/// every value of an untrusted file, read ``Node/value`` of the ``root`` once, or use it instead.
public struct BinaryPropertyList: Sendable {
  let contents: BinaryContents

  /// Opens bytes in memory, without copying them.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the header or the trailer is not valid.
  public init(_ bytes: [UInt8]) throws(PropertyListDecodingError) { try self.init(.array(bytes)) }

  /// Opens a file by reading it into memory; later changes of the file have no effect.
  ///
  /// - Throws: ``PropertyListFileError`` if the file cannot be read, ``PropertyListDecodingError``
  ///   if the header or the trailer is not valid.
  public init(contentsOf path: String) throws {
    try self.init(.array(FileBytes.contents(of: path)))
  }

  /// Opens a file by mapping it into memory, so that only the pages that are accessed are read.
  ///
  /// The file must not change while the list or one of its nodes is in use. Changed bytes give
  /// other values or an error, but access to a page after the end of a truncated file ends the
  /// process (`SIGBUS`). Mapping is safe for files that are only replaced by renaming, such as
  /// objects named by their hash. For other files, and for files on network volumes or removable
  /// media, use ``init(contentsOf:)``.
  ///
  /// - Throws: ``PropertyListFileError`` if the file cannot be mapped,
  ///   ``PropertyListDecodingError`` if the header or the trailer is not valid.
  public init(mapping path: String) throws { try self.init(.mapped(MappedFile(path))) }

  private init(_ storage: ByteStorage) throws(PropertyListDecodingError) {
    contents = try BinaryContents(storage)
  }

  /// The outermost value.
  public var root: Node {
    Node(contents: contents, object: contents.rootObject, number: contents.layout.root, depth: 0)
  }
}

/// An error of the file system.
public struct PropertyListFileError: Error, Hashable {
  /// The path that the caller passed.
  public let path: String
  /// The value of `errno`, such as `ENOENT`.
  public let code: Int32

  init(path: String, code: Int32) { (self.path, self.code) = (path, code) }
}

extension PropertyListFileError: CustomStringConvertible {
  /// The path and the system's message for ``code``.
  public var description: String { "\(path): \(String(cString: strerror(code)))" }
}
