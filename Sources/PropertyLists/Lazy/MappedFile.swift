import SystemC

/// A file mapped into memory, read-only; a class, so that its last owner unmaps it.
final class MappedFile: @unchecked Sendable {
  // Sendable: the bytes are never written, and the pointer does not change.
  let bytes: UnsafeRawBufferPointer

  init(_ path: String) throws(PropertyListFileError) {
    let file = try FileBytes.opened(path)
    defer { _ = close(file.descriptor) }
    // `mmap` refuses an empty file, which is an empty input here.
    guard file.size > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let base = mmap(nil, file.size, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
      base != MAP_FAILED
    else {
      throw PropertyListFileError(path: path, code: errno)
    }
    bytes = UnsafeRawBufferPointer(start: base, count: file.size)
  }

  deinit {
    if let base = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: base), bytes.count) }
  }
}
