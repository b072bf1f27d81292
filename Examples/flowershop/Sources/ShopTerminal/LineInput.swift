import Foundation

/// The lines of an open file, read on a thread that may wait for a person.
struct LineInput: Sendable {
  private let input: Int32
  /// A longer line is cut, since no person types it.
  private static let longest = 4_096

  init(_ input: Int32 = 0) { self.input = input }

  /// Reads all lines; the last one may lack its end.
  func read(
    line: @escaping @Sendable (String) -> Void, end: @escaping @Sendable () -> Void
  ) {
    Thread.detachNewThread { [input] in
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while true {
        let count = Foundation.read(input, &byte, 1)
        if count < 0, errno == EINTR { continue }
        guard count == 1 else { break }
        if byte == UInt8(ascii: "\n") {
          line(String(decoding: bytes, as: UTF8.self))
          bytes = []
        } else if bytes.count < Self.longest {
          bytes.append(byte)
        }
      }
      if !bytes.isEmpty { line(String(decoding: bytes, as: UTF8.self)) }
      end()
    }
  }
}
