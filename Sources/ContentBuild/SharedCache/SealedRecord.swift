import ContentModel

/// The form of records in a cache: bound to their key, and sealed.
///
/// Without a secret, the seal is a checksum: it detects records that are incomplete, damaged or
/// under another key. With a secret, only a machine that knows it can write a valid record.
///
/// A sealed record is a protobuf of Bazel's type `ActionResult` with one field, `stdout_raw`, since
/// some servers refuse anything else below `/ac/`.
struct SealedRecord: Sendable {
  private static let mark = Array("contentc record 1\n".utf8)
  /// Protobuf's tag of field 5, a field with a length.
  private static let tag: UInt8 = 0x2A

  private let secret: [UInt8]

  init(secret: String?) { self.secret = Array((secret ?? "").utf8) }

  /// Returns a record in the form in which it is sent.
  func sealed(_ record: [UInt8], key: Digest) -> [UInt8] {
    let seal = HMAC.code(for: Self.signedBytes(of: record[...], key: key), key: secret)
    let length = Self.mark.count + seal.count + record.count
    return [Self.tag] + Self.variableLength(length) + Self.mark + seal + record
  }

  /// Returns the record; `nil` unless it is complete and sealed for this key with this secret.
  func opened(_ bytes: [UInt8], key: Digest) -> [UInt8]? {
    var body = bytes[...]
    guard body.popFirst() == Self.tag, let length = Self.length(&body), length == body.count else {
      return nil
    }
    return opened(body: body, key: key)
  }

  private func opened(body: ArraySlice<UInt8>, key: Digest) -> [UInt8]? {
    guard body.starts(with: Self.mark) else { return nil }
    let seal = body.dropFirst(Self.mark.count).prefix(HMAC.byteCount)
    let record = body.dropFirst(Self.mark.count + HMAC.byteCount)
    let isValid = HMAC.isValid(
      Array(seal), for: Self.signedBytes(of: record, key: key), key: secret)
    return isValid ? Array(record) : nil
  }

  /// Returns the bytes that the seal covers.
  private static func signedBytes(of record: ArraySlice<UInt8>, key: Digest) -> [UInt8] {
    mark + key.bytes + record
  }

  /// Returns seven bits in each byte, the lowest first; the highest bit is set if more follow.
  private static func variableLength(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = UInt(value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Takes a result of `variableLength` off the beginning; `nil` for more than 35 bits.
  private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
