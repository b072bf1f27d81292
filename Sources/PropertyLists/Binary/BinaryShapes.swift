import ContentModel

/// The shapes of the dictionaries that were read, found again by the references to their keys.
///
/// Only a guess that is checked: a shape that has been pushed out is made again.
struct BinaryShapes {
  struct Keys {
    let shape: DictionaryShape
    /// The bytes of all key objects.
    let bytes: Int
  }

  private struct Slot {
    /// Where the references of a dictionary of this shape begin in the file, and how many keys they are.
    var content = 0
    var count = 0
    var keys: Keys?
  }

  /// Wider dictionaries are tables of their own, unlike any other.
  private static let widest = 64
  private var slots: [Slot] = []

  /// The shape of a dictionary of which the keys are the same objects in the same order as another's.
  func keys(of object: BinaryFile.Object, in file: BinaryFile) -> Keys? {
    guard object.count <= Self.widest, !slots.isEmpty else { return nil }
    let slot = slots[Self.slot(of: object, in: file)]
    guard slot.count == object.count else { return nil }
    let size = slot.count * file.layout.referenceWidth
    return file.bytes.hasSameBytes(at: slot.content, as: object.content, count: size) ? slot.keys : nil
  }

  mutating func insert(_ keys: Keys, for object: BinaryFile.Object, in file: BinaryFile) {
    guard object.count <= Self.widest else { return }
    if slots.isEmpty { slots = Array(repeating: Slot(), count: 256) }
    slots[Self.slot(of: object, in: file)] = Slot(content: object.content, count: object.count, keys: keys)
  }

  private static func slot(of object: BinaryFile.Object, in file: BinaryFile) -> Int {
    guard object.count > 0 else { return 0 }
    let (first, last) = (file.reference(0, of: object), file.reference(object.count - 1, of: object))
    return (first &* 31 &+ last &* 7 &+ object.count) & 255
  }
}
