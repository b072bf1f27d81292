import ContentModel

extension ByteBuilder {
  /// Appends the number of elements, and each element.
  mutating func append<Element>(
    _ items: [Element], each: (inout ByteBuilder, Element) -> Void
  ) {
    append(UInt32(items.count))
    for item in items { each(&self, item) }
  }
}

extension ByteReader {
  mutating func list<Element>(
    _ each: (inout ByteReader) throws(Malformed) -> Element
  ) throws(Malformed) -> [Element] {
    let count = try count()
    var items: [Element] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try each(&self)) }
    return items
  }

  mutating func texts() throws(Malformed) -> [String] {
    try list { input throws(Malformed) in try input.text() }
  }

  mutating func digest() throws(Malformed) -> Digest {
    guard let digest = Digest(raw: try raw(32)) else { throw Malformed() }
    return digest
  }

  mutating func place() throws(Malformed) -> Int { Int(try number(UInt32.self)) }

  mutating func flag() throws(Malformed) -> Bool { try number(UInt8.self) == 1 }
}
