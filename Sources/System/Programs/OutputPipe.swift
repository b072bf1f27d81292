import SystemC

/// A pipe to which a program writes, and the last bytes that were read from it.
struct OutputPipe {
  private(set) var bytes: [UInt8] = []
  private(set) var writer: Int32
  /// The reading end; -1 after the program's end of the pipe was closed.
  private var reader: Int32

  /// Creates a pipe that other programs do not inherit; `nil` if the process has too many files.
  init?() {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    #else
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    (reader, writer) = (ends[0], ends[1])
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  /// Waits until one of the pipes has bytes, or for some milliseconds.
  static func waitForBytes(in pipes: [OutputPipe], milliseconds: Int32) {
    var waits = pipes.map { pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0) }
    poll(&waits, nfds_t(waits.count), milliseconds)
  }

  /// Reads the bytes that are there, at most 1 MiB, and keeps the last ones of all.
  mutating func read(keeping limit: Int) {
    for _ in 0..<16 where reader >= 0 {
      var count = 0
      let part = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        count = SystemC.read(reader, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count < 0 { return }
      if count == 0 { return closeReader() }
      bytes += part
      bytes.removeFirst(max(0, bytes.count - limit))
    }
  }

  mutating func closeWriter() {
    if writer >= 0 { SystemC.close(writer) }
    writer = -1
  }

  private mutating func closeReader() {
    if reader >= 0 { SystemC.close(reader) }
    reader = -1
  }

  mutating func close() {
    closeWriter()
    closeReader()
  }
}
