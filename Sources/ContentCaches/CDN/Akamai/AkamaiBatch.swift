/// Objects in one request to Akamai.
struct AkamaiBatch {
  private(set) var body: [UInt8]
  /// Of its objects.
  private(set) var count = 0

  private static let start = Array("{\"objects\":[".utf8)
  private static let end = Array("]}".utf8)

  private init() { body = Self.start }

  /// Objects in order, in as few batches as there may be of so many bytes and objects each.
  ///
  /// An object that is too long by itself has a batch of its own.
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

  /// As JSON (RFC 8259, section 7).
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
