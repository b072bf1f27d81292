extension SeededGenerator {
  /// Bytes as objects have them: words, runs, and what cannot be compressed, one after the other.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    let words = (0..<200).map { _ in (0..<Int.random(in: 2...9, using: &self)).map { _ in letter() }
    }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let length = Int.random(in: 1...20_000, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes += [UInt8](repeating: letter(), count: length)
      case 1: for _ in 0..<length / 4 { bytes.append(UInt8.random(in: 0...255, using: &self)) }
      default:
        for _ in 0..<length / 6 {
          bytes += words[Int.random(in: 0..<words.count, using: &self)] + [32]
        }
      }
    }
    return Array(bytes.prefix(count))
  }

  private mutating func letter() -> UInt8 { UInt8.random(in: 97...122, using: &self) }
}
