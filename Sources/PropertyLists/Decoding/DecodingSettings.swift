import ContentModel

/// What holds for the whole of one decoding; a class, since all its parts draw on one allowance.
final class DecodingSettings {
  let format: PropertyListFormat
  let userInfo: [CodingUserInfoKey: Any]
  let makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?]
  /// How many bytes of the file may still be decoded, so that objects that are shared cannot unfold
  /// without bound.
  private var bytesLeft: Int

  init(
    format: PropertyListFormat, userInfo: [CodingUserInfoKey: any Sendable],
    makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?], fileSize: Int
  ) {
    (self.format, self.userInfo, self.makers) = (format, userInfo, makers)
    bytesLeft = max(1 << 28, 256 * fileSize)
  }

  /// Counts what decoding a part of a file takes: its bytes, or one for a container by itself.
  @inline(__always)
  func take(_ source: DecodingSource) throws(PropertyListDecodingError) {
    guard case .node(let node) = source else { return }
    bytesLeft -= node.object.isContainer ? 1 : node.object.end - node.object.start
    if bytesLeft < 0 {
      throw PropertyListDecodingError(.expansionTooLarge, inBinaryAt: node.object.start)
    }
  }
}
