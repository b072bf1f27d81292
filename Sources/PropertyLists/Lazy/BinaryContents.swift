/// An open binary file; a class, so that its many nodes hold one reference.
final class BinaryContents: Sendable {
  let layout: BinaryLayout
  let rootObject: BinaryFile.Object
  private let storage: ByteStorage

  init(_ storage: ByteStorage) throws(PropertyListDecodingError) {
    self.storage = storage
    (layout, rootObject) = try storage.withBytes { bytes throws(PropertyListDecodingError) in
      let file = try BinaryFile(bytes)
      return (file.layout, try file.object(at: file.offset(of: file.layout.root)))
    }
  }

  /// The number of bytes of the file.
  var size: Int { storage.count }

  @inline(__always)
  func withFile<Result>(
    _ body: (BinaryFile) throws(PropertyListDecodingError) -> Result
  ) throws(PropertyListDecodingError) -> Result {
    try storage.withBytes { bytes throws(PropertyListDecodingError) in
      try body(BinaryFile(bytes, layout: layout))
    }
  }
}

/// Bytes in memory, owned or mapped.
enum ByteStorage: Sendable {
  case array([UInt8])
  case mapped(MappedFile)

  var count: Int {
    switch self {
    case .array(let bytes): bytes.count
    case .mapped(let file): file.bytes.count
    }
  }

  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .array(let bytes):
      return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
        try body(UnsafeRawBufferPointer(buffer))
      }
    case .mapped(let file):
      defer { withExtendedLifetime(file) {} }
      return try body(file.bytes)
    }
  }
}
