import TestInputs

/// A random file with all notations of YAML that contentc reads.
struct RandomFile {
  private var random: SeededGenerator
  private(set) var text = ""
  private let step: Int
  private let lineBreak: String
  /// The anchors so far: of texts, and of mappings.
  private var texts: [String] = []
  private var mappings: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    step = random.one(of: [2, 2, 2, 3, 4])
    lineBreak = random.one(of: ["\n", "\n", "\n", "\r\n", "\r"])
    if random.once(in: 8) { text += "\u{FEFF}" }
    if random.once(in: 4) { text += "# A comment" + lineBreak }
    if random.once(in: 4) { text += "---" + lineBreak }
    if random.once(in: 6) { list(column: 0, depth: 3) } else { mapping(column: 0, depth: 3) }
    if random.once(in: 6) { text += "..." + lineBreak }
    if random.once(in: 6), text.hasSuffix(lineBreak) {
      text.unicodeScalars.removeLast(lineBreak.unicodeScalars.count)
    }
  }

  private static let words = [
    "rose", "a lily", "it's", "5", "true", "~", "x: y", "ünï", "🌷", "a, b", "[c]", "# d", "- e", "",
    "two  spaces", " lead", "%{n}", "\"q\"", "back\\slash", "https://a/b?c=d", "x\u{2028}y",
  ]

  private func margin(_ column: Int) -> String { String(repeating: " ", count: column) }

  private mutating func comment() -> String { random.once(in: 6) ? "  # note" : "" }

  private mutating func mapping(column: Int, depth: Int, isFirstBegun: Bool = false) {
    var isBegun = isFirstBegun
    let merges = random.once(in: 6) ? mappings.last : nil
    if let merges {
      text += (isBegun ? "" : margin(column)) + "<<: *\(merges)" + lineBreak
      isBegun = false
    }
    for number in 0..<Int.random(in: 1...4, using: &random) {
      if !isBegun { between(column: column) }
      text += isBegun ? "" : margin(column)
      isBegun = false
      let key = random.one(of: ["k\(number)", "'k\(number)'", "\"k\(number)\"", "kü\(number)"])
      if random.once(in: 12) {
        text += "? \(key)" + lineBreak + margin(column) + ":"
      } else {
        text += key + ":"
      }
      value(column: column, depth: depth)
    }
  }

  private mutating func between(column: Int) {
    if random.once(in: 8) { text += lineBreak }
    if random.once(in: 8) { text += margin(column) + "# between" + lineBreak }
  }

  private mutating func list(column: Int, depth: Int) {
    for number in 0..<Int.random(in: 1...3, using: &random) {
      text += margin(column) + "-"
      if depth > 0, random.once(in: 3) {
        text += " id: i\(number)" + lineBreak
        mapping(column: column + 2, depth: depth - 1)
      } else if depth > 0, random.once(in: 4) {
        text += " "
        mapping(column: column + 2, depth: depth - 1, isFirstBegun: true)
      } else {
        value(column: column, depth: 0)
      }
    }
  }

  /// Appends the text after a key or a dash.
  private mutating func value(column: Int, depth: Int) {
    let inner = column + step
    switch depth > 0 ? Int.random(in: 0..<12, using: &random) : 9 {
    case 0, 1:
      var anchor: String?
      if random.once(in: 3) {
        anchor = "m\(mappings.count)"
        text += " &m\(mappings.count)"
      }
      text += comment() + lineBreak
      mapping(column: inner, depth: depth - 1)
      if let anchor { mappings.append(anchor) }
    case 2:
      text += comment() + lineBreak
      list(column: random.once(in: 2) ? inner : column + 1, depth: depth - 1)
    case 3:
      let anchor = random.once(in: 3) ? "m\(mappings.count)" : nil
      text +=
        (anchor.map { " &\($0)" } ?? "") + " " + flow(depth: 2, column: inner, isMapping: true)
      if let anchor { mappings.append(anchor) }
      text += comment() + lineBreak
    case 4: text += " " + flow(depth: 2, column: inner, isMapping: false) + comment() + lineBreak
    case 5:
      let names = texts + mappings
      text += names.isEmpty ? lineBreak : " *\(random.one(of: names))" + comment() + lineBreak
    case 6: text += comment() + lineBreak
    default: scalar(column: column)
    }
  }

  private mutating func scalar(column: Int) {
    if random.once(in: 8) {
      text += " &t\(texts.count)"
      texts.append("t\(texts.count)")
    } else if random.once(in: 12) {
      text += " !!str"
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: block(column: column)
    case 2:
      text += " one" + lineBreak + margin(column + step) + "two" + comment() + lineBreak
    case 3:
      text += " \"a" + lineBreak + lineBreak + margin(column + step) + "b\"" + comment() + lineBreak
    default: text += " " + inline() + comment() + lineBreak
    }
  }

  private mutating func block(column: Int) {
    let chomping = random.one(of: ["", "-", "+"])
    let indicator = random.once(in: 4) ? "\(step)" : ""
    text += " " + random.one(of: ["|", ">"]) + indicator + chomping + comment() + lineBreak
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let line = random.one(of: [
        "A line", "# none", "- x: y", "\"q\"", "ünï", "long line of words",
      ])
      text += margin(column + step) + line + lineBreak
      if random.once(in: 4) { text += lineBreak }
    }
    text += margin(column + step) + "end" + lineBreak
    for _ in 0..<Int.random(in: 0...2, using: &random) { text += lineBreak }
  }

  private mutating func inline() -> String {
    let word = random.one(of: Self.words)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return "'" + word.replacing("'", with: "''") + "'"
    case 1:
      return "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    default: return random.one(of: ["rose", "two words", "5", "true", "~", "-1", "x#y", "a:b"])
    }
  }

  private mutating func flow(depth: Int, column: Int, isMapping: Bool) -> String {
    let isSpread = random.once(in: 3)
    let separator = isSpread ? lineBreak + margin(column + 1) : " "
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { number in
      let isNested = depth > 0 && random.once(in: 4)
      let value =
        isNested
        ? flow(depth: depth - 1, column: column + 1, isMapping: random.once(in: 2))
        : flowScalar()
      return isMapping ? "k\(number): \(value)" : value
    }
    let comma = !parts.isEmpty && random.once(in: 4) ? "," : ""
    let inside =
      (isSpread && !parts.isEmpty ? separator : "")
      + parts.joined(separator: "," + separator) + comma
      + (isSpread && !parts.isEmpty ? lineBreak + margin(column) : "")
    return isMapping ? "{\(inside)}" : "[\(inside)]"
  }

  private mutating func flowScalar() -> String {
    let plain = random.one(of: ["rose", "two words", "5", "~"])
    return random.once(in: 2) ? plain : "'" + random.one(of: ["a", "b, c", "{d}", "it''s"]) + "'"
  }
}
