/// The objects in one request to Akamai.
struct AkamaiBatch {
  private(set) var body: [UInt8]
  /// The number of objects.
  private(set) var count = 0

  private static let start = Array("{\"objects\":[".utf8)
  private static let end = Array("]}".utf8)

  private init() { body = Self.start }

  /// Splits objects, in order, into the fewest batches that keep the limits of bytes and objects.
  ///
  /// An object that exceeds the limit by itself has a batch of its own.
  static func cut(_ objects: [String], bytes: Int, count: Int) -> [AkamaiBatch] {
    var batches: [AkamaiBatch] = []
    var batch = AkamaiBatch()
    for object in objects.map(quoted) {
      let isFull = batch.count == count || batch.body.count + 1 + object.count + end.count > bytes
      if batch.count > 0, isFull {
        batches.append(batch.ended())
        batch = AkamaiBatch()
      }
      batch.add(object)
    }
    return batch.count > 0 ? batches + [batch.ended()] : batches
  }

  private mutating func add(_ object: [UInt8]) {
    if count > 0 { body.append(UInt8(ascii: ",")) }
    body += object
    count += 1
  }

  private func ended() -> AkamaiBatch {
    var batch = self
    batch.body += Self.end
    return batch
  }

  /// Returns a text as a JSON string (RFC 8259, section 7).
  private static func quoted(_ text: String) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var bytes = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case ..<0x20: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    return bytes + [UInt8(ascii: "\"")]
  }
}
