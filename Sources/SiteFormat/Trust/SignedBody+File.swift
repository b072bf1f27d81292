import ContentModel
import PropertyLists

extension SignedBody {
  /// The most bytes of a file with a key document.
  package static let fileByteLimit = 16 << 10

  /// Reads the file of a key document, which an app pins: JSON with `body` and `signatures`.
  package init(file bytes: [UInt8]) throws(TrustError) {
    let part = SignedPart.keys(version: nil)
    guard bytes.count <= Self.fileByteLimit else { throw .malformed(part, .tooLarge) }
    guard let (value, _) = try? PropertyList.decode(bytes, as: .json),
      let signed = try value.signedBody(in: .json, as: part, limit: KeyDocument.byteLimit)
    else { throw .malformed(part, .unreadable) }
    self = signed
  }

  /// Returns the bytes of the file of a key document.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func file() throws -> [UInt8] {
    try PropertyList.encode(value(in: .json), as: .json) + [UInt8(ascii: "\n")]
  }
}

extension Envelope {
  /// Returns the config of format 1 in the bytes that a site serves, without verifying it.
  ///
  /// Bytes that are no signed config are returned as they are.
  package static func config(in bytes: [UInt8]) -> [UInt8] {
    // Most configs are unsigned: other bytes are not parsed twice.
    guard bytes.count <= byteLimit, let envelope = try? Envelope(bytes) else { return bytes }
    return envelope.config
  }
}
