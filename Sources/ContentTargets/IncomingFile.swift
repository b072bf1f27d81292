import ContentModel
import SharedGzip
import Synchronization
import System

/// A file that a target sends in pieces, for comparison with a known one.
///
/// A class, since each piece changes it. Unchecked, since a single thread adds the pieces and then
/// compares.
final class IncomingFile: @unchecked Sendable {
  private let inflation: GzipInflation?
  private let isGzip: Bool
  private var hash = SHA256()
  private var count = 0

  /// Creates an empty file that may have at most `limit` bytes once it is decoded.
  init(isGzip: Bool, limit: Int) {
    self.isGzip = isGzip
    inflation = isGzip ? GzipInflation(limit: limit) : nil
  }

  /// Adds a received piece.
  func add(_ piece: UnsafeRawBufferPointer) {
    guard isGzip else { return take(piece) }
    inflation?.decompress(piece, body: take)
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    hash.update(piece)
    count += piece.count
  }

  /// Returns whether the received bytes are those of a body.
  func isSame(as body: FileBody) -> Bool {
    let isWhole = isGzip ? inflation?.isWhole ?? false : true
    return isWhole && count == body.count && hash.finalize() == body.digest
  }
}
