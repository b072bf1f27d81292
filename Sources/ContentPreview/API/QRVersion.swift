/// A size of QR codes, with the layout of data and error correction (ISO/IEC 18004, level M).
struct QRVersion {
  /// The version's number, from 1 to 40.
  let number: Int

  init(_ number: Int) { self.number = number }

  var size: Int { number * 4 + 17 }

  /// Returns `true` if that many bytes fit, with mode and length.
  func holds(_ count: Int) -> Bool { 4 + lengthBits + count * 8 <= dataCount * 8 }

  /// The centres of alignment patterns, on both axes.
  var alignmentPlaces: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<count - 1).map { size - 7 - $0 * step }.reversed()
  }

  /// Returns data and error correction in the order of the code.
  func codewords(_ bytes: [UInt8]) -> [UInt8] {
    let data = padded(bytes)
    let total = moduleCount / 8
    // The last blocks have one codeword of data more than the first ones.
    let shortCount = blockCount - total % blockCount
    let shortLength = total / blockCount
    var blocks: [ArraySlice<UInt8>] = []
    var corrections: [[UInt8]] = []
    var start = 0
    for block in 0..<blockCount {
      let end = start + shortLength - correctionCount + (block < shortCount ? 0 : 1)
      blocks.append(data[start..<end])
      corrections.append(ReedSolomon.remainder(of: data[start..<end], count: correctionCount))
      start = end
    }
    var all: [UInt8] = []
    for i in 0...(shortLength - correctionCount) {
      all += blocks.compactMap { i < $0.count ? $0[$0.startIndex + i] : nil }
    }
    for i in 0..<correctionCount { all += corrections.map { $0[i] } }
    return all
  }

  /// Returns mode, length and bytes, padded to the version's capacity.
  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, bits count: Int) {
      for i in (0..<count).reversed() { bits.append(value >> i & 1 == 1) }
    }
    append(0b0100, bits: 4)
    append(bytes.count, bits: lengthBits)
    for byte in bytes { append(Int(byte), bits: 8) }
    append(0, bits: min(4, dataCount * 8 - bits.count))
    append(0, bits: (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    let filled = data.count
    while data.count < dataCount { data.append((data.count - filled) % 2 == 0 ? 0xEC : 0x11) }
    return data
  }

  private var lengthBits: Int { number < 10 ? 8 : 16 }
  private var dataCount: Int { moduleCount / 8 - correctionCount * blockCount }

  /// The number of modules without patterns, format and version.
  private var moduleCount: Int {
    var count = (16 * number + 128) * number + 64
    if number >= 2 {
      let alignments = number / 7 + 2
      count -= (25 * alignments - 10) * alignments - 55
    }
    if number >= 7 { count -= 36 }
    return count
  }

  private var correctionCount: Int { Self.correctionCounts[number - 1] }
  private var blockCount: Int { Self.blockCounts[number - 1] }

  /// The codewords of error correction in each block, by version (table 9).
  private static let correctionCounts = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]
  /// The number of blocks, by version (table 9).
  private static let blockCounts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
    17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ]
}

/// The error correction over GF(256) with the polynomial 0x11D.
private enum ReedSolomon {
  /// Returns the remainder of data divided by the generator polynomial of a degree.
  static func remainder(of data: ArraySlice<UInt8>, count: Int) -> [UInt8] {
    let divisor = generator(count)
    var result = [UInt8](repeating: 0, count: count)
    for byte in data {
      let factor = byte ^ result.removeFirst()
      result.append(0)
      for i in result.indices { result[i] ^= product(divisor[i], factor) }
    }
    return result
  }

  /// Returns the coefficients below the highest, which is 1.
  private static func generator(_ degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for i in result.indices {
        result[i] = product(result[i], root)
        if i + 1 < result.count { result[i] ^= result[i + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result = 0
    for i in (0..<8).reversed() {
      result = (result << 1) ^ ((result >> 7) * 0x11D)
      result ^= (Int(b) >> i & 1) * Int(a)
    }
    return UInt8(result)
  }
}
