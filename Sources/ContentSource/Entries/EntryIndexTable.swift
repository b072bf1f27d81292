import ContentModel
import YAML

/// A hash table of entries' indexes by the bytes of their ids, since most layers belong to a known
/// entry.
struct EntryIndexTable: Sendable {
  private var ids: [EntryID] = []
  /// Each index plus one, in the slot of its id's hash or after it; 0 in at least half of the
  /// slots.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// Returns the index of the entry whose id is a stem, `/` and a rest; without a rest, the stem is
  /// the id.
  func index(
    of stem: UnsafeBufferPointer<UInt8>, rest: UnsafeBufferPointer<UInt8>?
  ) -> Int? {
    var slot = Self.hash(stem: stem, rest: rest) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if Self.isSame(ids[index], stem: stem, rest: rest) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a new id, with the next index.
  mutating func add(_ id: EntryID) {
    ids.append(id)
    if ids.count * 2 > slots.count {
      slots = [UInt32](repeating: 0, count: slots.count * 4)
      for index in ids.indices { enter(index) }
    } else {
      enter(ids.count - 1)
    }
  }

  private mutating func enter(_ index: Int) {
    var text = ids[index].text
    var slot = text.withUTF8 { Self.hash(stem: $0, rest: nil) } & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(index + 1)
  }

  private static func isSame(
    _ id: EntryID, stem: UnsafeBufferPointer<UInt8>, rest: UnsafeBufferPointer<UInt8>?
  ) -> Bool {
    var text = id.text
    return text.withUTF8 { id in
      guard let rest else { return id.hasSameBytes(as: stem) }
      guard id.count == stem.count + 1 + rest.count, id[stem.count] == UInt8(ascii: "/") else {
        return false
      }
      return UnsafeBufferPointer(rebasing: id[(stem.count + 1)...]).hasSameBytes(as: rest)
        && UnsafeBufferPointer(rebasing: id[..<stem.count]).hasSameBytes(as: stem)
    }
  }

  private static func hash(
    stem: UnsafeBufferPointer<UInt8>, rest: UnsafeBufferPointer<UInt8>?
  ) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in stem { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    if let rest {
      hash = (hash ^ UInt32(UInt8(ascii: "/"))) &* 16_777_619
      for byte in rest { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    }
    return Int(hash ^ hash >> 15)
  }
}
