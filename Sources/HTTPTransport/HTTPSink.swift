/// Where a body goes that is not to be in memory as a whole.
///
/// Only the body of a success: what a server says of an error is in the answer.
package struct HTTPSink: Sendable {
  /// Takes what has come; `false` ends the request.
  package typealias Taking = (UnsafeRawBufferPointer) -> Bool

  /// About how many bytes are to come: as many more milliseconds as they may need are waited.
  package let count: Int
  /// Begins anew with the first byte: a request may have to be sent again.
  package let begin: @Sendable () -> Taking

  package init(count: Int, begin: @escaping @Sendable () -> Taking) {
    (self.count, self.begin) = (count, begin)
  }
}
