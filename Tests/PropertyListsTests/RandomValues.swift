import ContentModel
import TestInputs

extension Value {
  /// Returns a random value of the kinds that a format has: OpenStep has four, JSON lacks dates and
  /// data.
  static func random(
    carriedBy format: PropertyListFormat, depth: Int = 0, using g: inout SeededGenerator
  ) -> Value {
    let kinds: [Int] =
      switch format {
      case .binary, .xml: depth < 5 ? Array(0...7) : Array(0...5)
      case .openstep: depth < 5 ? [0, 5, 6, 7] : [0, 5]
      case .json: depth < 5 ? [0, 1, 2, 3, 6, 7] : [0, 1, 2, 3]
      }
    switch depth == 0 ? 7 : kinds[Int.random(in: 0..<kinds.count, using: &g)] {
    case 0: return .string(.random(inXML: format == .xml, using: &g))
    case 1: return .integer(Int64(bitPattern: g.next()) >> Int64.random(in: 0...63, using: &g))
    case 2: return .real(.random(carriedBy: format, using: &g))
    case 3: return .boolean(Bool.random(using: &g))
    case 4:
      return .date(
        Instant(secondsSince1970: .random(in: -62_135_596_800...253_402_300_799, using: &g)))
    case 5:
      return .data(
        (0..<Int.random(in: 0...90, using: &g)).map { _ in UInt8.random(in: 0...255, using: &g) })
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &g)).map { _ in
          random(carriedBy: format, depth: depth + 1, using: &g)
        })
    default:
      let members = (0..<Int.random(in: 0...5, using: &g)).map { _ in
        (
          String.random(inXML: format == .xml, using: &g),
          random(carriedBy: format, depth: depth + 1, using: &g)
        )
      }
      return .dictionary(Members(members))
    }
  }
}

extension String {
  fileprivate static func random(inXML: Bool, using g: inout SeededGenerator) -> String {
    let nasty: [Unicode.Scalar] = [
      "\r", "\n", "\t", " ", "\"", "\\", "&", "<", ">", "'", "/", "é", "\u{301}", "\u{7F}",
      "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "🌷", "\u{10FFFF}", "]", ";", "=", "\0",
      "\u{1B}", "\u{FFFE}", "\u{FFFF}",
    ]
    let allowed = inXML ? nasty.dropLast(4) : nasty[...]
    var text = UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...20, using: &g) {
      let isNasty = UInt8.random(in: 0...3, using: &g) == 0
      text.append(
        isNasty
          ? allowed.randomElement(using: &g) ?? "x"
          : Unicode.Scalar(.random(in: 0x30...0x7A, using: &g)))
    }
    return String(text)
  }
}

extension Double {
  fileprivate static func random(
    carriedBy format: PropertyListFormat, using g: inout SeededGenerator
  ) -> Double {
    let number = Double(bitPattern: g.next())
    if number.isFinite { return number }
    return format == .json ? -0.0 : number.isNaN ? .nan : number
  }
}
