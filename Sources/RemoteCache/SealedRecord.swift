import Hashing
import ContentModel

/// A record as it lies in a cache: tied to its key, and sealed.
///
/// Without a secret the seal is a checksum, which finds what was cut off, overwritten or stored
/// under another key. With one, only who knows it can write what is believed. Around it is a
/// protobuf of Bazel's type `ActionResult` with one field, `stdout_raw`, since some servers refuse
/// anything else below `/ac/`.
struct SealedRecord: Sendable {
  private static let mark = Array("contentc record 1\n".utf8)
  /// Field 5, with a length.
  private static let tag: UInt8 = 0x2A

  private let secret: [UInt8]

  init(secret: String?) { self.secret = Array((secret ?? "").utf8) }

  /// What is sent.
  func sealed(_ record: [UInt8], key: Digest) -> [UInt8] {
    let seal = HMAC.code(for: Self.sealedBytes(record[...], key), key: secret)
    let length = Self.mark.count + seal.count + record.count
    return [Self.tag] + Self.variableLength(length) + Self.mark + seal + record
  }

  /// The record, if it is whole and was sealed for this key with this secret.
  func opened(_ bytes: [UInt8], key: Digest) -> [UInt8]? {
    var body = bytes[...]
    guard body.popFirst() == Self.tag, let length = Self.length(&body), length == body.count else {
      return nil
    }
    return opened(body: body, key)
  }

  private func opened(body: ArraySlice<UInt8>, _ key: Digest) -> [UInt8]? {
    guard body.starts(with: Self.mark) else { return nil }
    let seal = body.dropFirst(Self.mark.count).prefix(HMAC.byteCount)
    let record = body.dropFirst(Self.mark.count + HMAC.byteCount)
    let isValid = HMAC.isValid(
      Array(seal), for: Self.sealedBytes(record, key), key: secret)
    return isValid ? Array(record) : nil
  }

  private static func sealedBytes(_ record: ArraySlice<UInt8>, _ key: Digest)
    -> [UInt8]
  {
    mark + key.bytes + record
  }

  /// Seven bits in each byte, the lowest first; the highest bit says that more follow.
  private static func variableLength(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = UInt(value)
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

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
