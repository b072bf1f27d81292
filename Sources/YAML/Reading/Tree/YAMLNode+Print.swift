extension YAMLNode {
  /// A 64-bit hash of the node's content, independent of the node's place.
  ///
  /// The hash is equal in every process, because caches keep it between builds.
  package var print: UInt64 {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    mix(into: &state)
    return state
  }

  private func mix(into state: inout UInt64) {
    let row = row
    state.mix(
      UInt64(row.kind.rawValue) | UInt64(row.tag.rawValue) << 8 | (row.isPlainStyle ? 1 << 16 : 0))
    switch row.kind {
    case .scalar: withTextBytes { state.mix(UnsafeRawBufferPointer($0)) }
    case .sequence:
      state.mix(UInt64(items.count))
      for item in items { item.mix(into: &state) }
    case .mapping:
      state.mix(UInt64(members.count))
      for (key, value) in members {
        key.mix(into: &state)
        value.mix(into: &state)
      }
    }
  }
}

extension UInt64 {
  @inline(__always)
  fileprivate mutating func mix(_ word: UInt64) {
    let product = (self ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    self = product.high ^ product.low &+ 0x9E37_79B9
  }

  /// Mixes in the count of some bytes, and all of them, eight at a time.
  fileprivate mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    var index = 0
    while index + 8 <= bytes.count {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    var tail: UInt64 = 0
    for byte in bytes[index...] { tail = tail << 8 | UInt64(byte) }
    if index < bytes.count { mix(tail) }
  }
}
