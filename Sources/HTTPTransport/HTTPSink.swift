/// The receiver of a body that is too large for memory.
///
/// It receives only the body of a success; the answer holds the body of an error.
package struct HTTPSink: Sendable {
  /// Takes a received piece; `false` ends the request.
  package typealias Taking = (UnsafeRawBufferPointer) -> Bool

  /// The approximate number of bytes, which extends the time limit.
  package let count: Int
  /// Starts at the first byte: a request may have to be sent again.
  package let begin: @Sendable () -> Taking

  package init(count: Int, begin: @escaping @Sendable () -> Taking) {
    (self.count, self.begin) = (count, begin)
  }
}
