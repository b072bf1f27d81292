import CCurl

/// A body while it is sent.
///
/// A class, since libcurl holds its address.
final class OutgoingBody {
  /// The error of a stream that has fewer bytes than it claims.
  private struct EndsEarly: Error, CustomStringConvertible {
    var description: String { "what was to be sent ends too early" }
  }

  private let stream: HTTPStream
  private var read: HTTPStream.Reading
  private var left: Int
  /// The error on this side of the connection.
  private(set) var failure: (any Error)?

  init(_ stream: HTTPStream) {
    self.stream = stream
    (read, left) = (stream.begin(), stream.count)
  }

  /// Returns the next piece; `nil` if it cannot be read.
  func next(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left)))
      // libcurl would wait for an answer to missing bytes.
      if count == 0, left > 0 { throw EndsEarly() }
      left -= count
      return count
    } catch {
      failure = error
      return nil
    }
  }

  /// Starts again; libcurl rewinds only to repeat a request over a new connection.
  func rewind() { (read, left) = (stream.begin(), stream.count) }
}

/// Copies the next part of a body.
func sendBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, sender: UnsafeMutableRawPointer?
) -> Int {
  guard let sender else { return Int(CURL_READFUNC_ABORT) }
  let outgoing = Unmanaged<OutgoingBody>.fromOpaque(sender).takeUnretainedValue()
  return outgoing.next(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    ?? Int(CURL_READFUNC_ABORT)
}

/// Rewinds to the beginning, for a request that is sent again.
func rewindBody(sender: UnsafeMutableRawPointer?, offset: curl_off_t, origin: Int32) -> Int32 {
  guard let sender, offset == 0, origin == SEEK_SET else { return Int32(CURL_SEEKFUNC_CANTSEEK) }
  Unmanaged<OutgoingBody>.fromOpaque(sender).takeUnretainedValue().rewind()
  return Int32(CURL_SEEKFUNC_OK)
}
