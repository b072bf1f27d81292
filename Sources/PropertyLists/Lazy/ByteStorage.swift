/// Bytes that stay where they are for as long as this is held.
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
