import CCurl

/// A body while it goes out.
///
/// A class, since libcurl holds its address.
final class OutgoingBody {
  private let stream: HTTPStream
  private var read: HTTPStream.Reading
  /// What went wrong on this side.
  private(set) var failure: (any Error)?

  init(_ stream: HTTPStream) {
    self.stream = stream
    read = stream.begin()
  }

  /// What comes next; `nil` if it cannot be had.
  func next(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do { return try read(buffer) } catch {
      failure = error
      return nil
    }
  }

  /// Begins anew; libcurl knows no other place to go to for a request over a new connection.
  func rewind() { read = stream.begin() }
}

/// Gives a part of a body.
func sendBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ sender: UnsafeMutableRawPointer?
) -> Int {
  guard let sender else { return Int(CURL_READFUNC_ABORT) }
  let outgoing = Unmanaged<OutgoingBody>.fromOpaque(sender).takeUnretainedValue()
  return outgoing.next(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    ?? Int(CURL_READFUNC_ABORT)
}

/// Goes back to the beginning, for a request that is sent again.
func rewindBody(_ sender: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
  guard let sender, offset == 0, origin == SEEK_SET else { return Int32(CURL_SEEKFUNC_CANTSEEK) }
  Unmanaged<OutgoingBody>.fromOpaque(sender).takeUnretainedValue().rewind()
  return Int32(CURL_SEEKFUNC_OK)
}
