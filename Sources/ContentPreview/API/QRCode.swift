/// A QR code in byte mode with error correction level M (ISO/IEC 18004).
package struct QRCode: Sendable {
  /// The number of modules on a side.
  package let size: Int
  private var dark: [Bool]
  /// The modules of patterns and format, which hold no data and are never masked.
  private var reserved: [Bool]

  /// The most bytes that a code holds.
  package static let mostBytes = 2_331

  /// Encodes a text in the smallest version that holds it; `nil` above ``mostBytes``.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard
      let version = (1...40).first(where: { QRVersion($0).holds(bytes.count) }).map(QRVersion.init)
    else {
      return nil
    }
    size = version.size
    dark = Array(repeating: false, count: size * size)
    reserved = dark
    drawPatterns(version)
    drawCodewords(version.codewords(bytes))
    applyBestMask()
  }

  /// `true` if the module in a column and row is dark; modules outside the code are light.
  package subscript(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && dark[y * size + x]
  }

  private mutating func reserve(x: Int, y: Int, isDark: Bool) {
    guard (0..<size).contains(x), (0..<size).contains(y) else { return }
    dark[y * size + x] = isDark
    reserved[y * size + x] = true
  }

  // MARK: Patterns

  private mutating func drawPatterns(_ version: QRVersion) {
    for i in 0..<size {
      reserve(x: 6, y: i, isDark: i % 2 == 0)
      reserve(x: i, y: 6, isDark: i % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      drawSquare(x: x, y: y, radius: 4) { $0 != 2 && $0 != 4 }
    }
    let places = version.alignmentPlaces
    for (i, x) in places.enumerated() {
      for (j, y) in places.enumerated() {
        let isFinder =
          (i == 0 && (j == 0 || j == places.count - 1)) || (i == places.count - 1 && j == 0)
        if !isFinder { drawSquare(x: x, y: y, radius: 2) { $0 != 1 } }
      }
    }
    drawFormat(mask: 0)
    if version.number >= 7 { drawVersion(version.number) }
  }

  /// Draws rings around a module; `isDark` decides by the distance from the centre.
  private mutating func drawSquare(
    x: Int, y: Int, radius: Int, isDark: (_ distance: Int) -> Bool
  ) {
    for dy in -radius...radius {
      for dx in -radius...radius {
        reserve(x: x + dx, y: y + dy, isDark: isDark(max(abs(dx), abs(dy))))
      }
    }
  }

  /// Writes both copies of the level and mask, which a BCH code protects.
  private mutating func drawFormat(mask: Int) {
    // Level M is 00.
    var remainder = mask
    for _ in 0..<10 { remainder = (remainder << 1) ^ ((remainder >> 9) * 0x537) }
    let bits = (mask << 10 | remainder) ^ 0x5412
    let first =
      (0...5).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (9..<15).map { (14 - $0, 8) }
    let second = (0..<8).map { (size - 1 - $0, 8) } + (8..<15).map { (8, size - 15 + $0) }
    for copy in [first, second] {
      for (i, place) in copy.enumerated() {
        reserve(x: place.0, y: place.1, isDark: bits >> i & 1 == 1)
      }
    }
    reserve(x: 8, y: size - 8, isDark: true)
  }

  private mutating func drawVersion(_ number: Int) {
    var remainder = number
    for _ in 0..<12 { remainder = (remainder << 1) ^ ((remainder >> 11) * 0x1F25) }
    let bits = number << 12 | remainder
    for i in 0..<18 {
      let (a, b) = (size - 11 + i % 3, i / 3)
      reserve(x: a, y: b, isDark: bits >> i & 1 == 1)
      reserve(x: b, y: a, isDark: bits >> i & 1 == 1)
    }
  }

  // MARK: Data

  /// Fills pairs of columns from the right, upwards and downwards in turn.
  private mutating func drawCodewords(_ codewords: [UInt8]) {
    var bit = 0
    for right in stride(from: size - 1, through: 1, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) {
      for step in 0..<size {
        let y = (right + 1) & 2 == 0 ? size - 1 - step : step
        for x in [right, right - 1] where !reserved[y * size + x] && bit < codewords.count * 8 {
          dark[y * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
    }
  }

  private mutating func applyBestMask() {
    let best = (0..<8).map { masked($0) }.min { $0.penalty < $1.penalty }
    if let best { self = best }
  }

  private func masked(_ mask: Int) -> QRCode {
    var code = self
    for y in 0..<size {
      for x in 0..<size where !reserved[y * size + x] && Self.isFlipped(x: x, y: y, mask: mask) {
        code.dark[y * size + x].toggle()
      }
    }
    code.drawFormat(mask: mask)
    return code
  }

  private static func isFlipped(x: Int, y: Int, mask: Int) -> Bool {
    let (product, sum) = (x * y, x + y)
    switch mask {
    case 0: return sum % 2 == 0
    case 1: return y % 2 == 0
    case 2: return x % 3 == 0
    case 3: return sum % 3 == 0
    case 4: return (x / 3 + y / 2) % 2 == 0
    case 5: return product % 2 + product % 3 == 0
    case 6: return (product % 2 + product % 3) % 2 == 0
    default: return (sum % 2 + product % 3) % 2 == 0
    }
  }

  /// The penalty for patterns that are hard to read: long runs, blocks, finder-like sequences, and
  /// an uneven share of dark modules.
  private var penalty: Int {
    let rows = (0..<size).map { y in (0..<size).map { self[$0, y] } }
    let columns = (0..<size).map { x in (0..<size).map { self[x, $0] } }
    let lines = (rows + columns).reduce(0) { $0 + Self.penalty(of: $1) }
    var blocks = 0
    for y in 1..<size {
      for x in 1..<size
      where Set([rows[y][x], rows[y - 1][x], rows[y][x - 1], rows[y - 1][x - 1]]).count == 1 {
        blocks += 3
      }
    }
    let share = dark.count { $0 } * 20 / dark.count
    return lines + blocks + 10 * max(abs(share - 10) - 1, 0)
  }

  private static func penalty(of line: [Bool]) -> Int {
    var penalty = 0
    var run = 0
    for (i, isDark) in line.enumerated() {
      run = i > 0 && line[i - 1] == isDark ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    for start in 0...(line.count - finder.count) where Array(line[start..<start + 7]) == finder {
      let before = line[max(0, start - 4)..<start]
      let after = line[(start + 7)..<min(line.count, start + 11)]
      if !before.contains(true) || !after.contains(true) { penalty += 40 }
    }
    return penalty
  }

  // MARK: Output

  /// The rows from top to bottom, with 1 for a dark module and 0 for a light one.
  var rows: [String] {
    (0..<size).map { y in (0..<size).map { self[$0, y] ? "1" : "0" }.joined() }
  }

  /// Returns the code in half blocks, with its quiet zone.
  ///
  /// If `isInverted` is `true`, the light modules are drawn, for a dark background.
  package func text(isInverted: Bool) -> String {
    let quiet = 4
    return stride(from: -quiet, to: size + quiet, by: 2).map { y in
      (-quiet..<size + quiet).map { x in
        switch (self[x, y] != isInverted, self[x, y + 1] != isInverted) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined() + "\n"
    }.joined()
  }
}
