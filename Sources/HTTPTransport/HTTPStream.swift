/// A body that is read piece by piece while it is sent, and never in memory as a whole.
package struct HTTPStream: Sendable {
  /// Fills a buffer with the next bytes, and returns their number; an error ends the request.
  package typealias Reading = (UnsafeMutableRawBufferPointer) throws -> Int

  /// In bytes, at least 1.
  package let count: Int
  /// Starts at the first byte: a request may have to be sent again.
  package let begin: @Sendable () -> Reading

  package init(count: Int, begin: @escaping @Sendable () -> Reading) {
    (self.count, self.begin) = (count, begin)
  }
}
