extension PatternParser {
  /// Parses the escape after a backslash.
  mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
    guard let scalar = next else {
      throw failure("not end in '\\'; '\\\\' is the character itself", at: start..<place)
    }
    switch scalar {
    case "A": return assertion(.textStart)
    case "z": return assertion(.textEnd)
    case "Z": return assertion(.lastLineEnd)
    case "b": return assertion(.wordBoundary)
    case "B": return assertion(.noWordBoundary)
    case "R":
      place += 1
      return .choice([
        .sequence([one(.scalar("\r")), one(.scalar("\n"))]), one(.newline),
      ])
    case "Q":
      place += 1
      return quotation()
    default: return one(try scalarEscape(from: start, inClass: false).set)
    }
  }

  private mutating func assertion(_ assertion: PatternAssertion) -> PatternNode {
    place += 1
    return .assertion(assertion)
  }

  /// Parses literal text up to `\E`.
  private mutating func quotation() -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = next, !skip("\\E") {
      parts.append(one(literal(scalar)))
      place += 1
    }
    return .sequence(parts)
  }

  /// Parses an escape that matches one scalar of a set; `scalar` is the only scalar of the set, or
  /// `nil` if the set has several.
  mutating func scalarEscape(
    from start: Int, inClass: Bool
  ) throws(PatternError) -> (set: ScalarSet, scalar: Unicode.Scalar?) {
    guard let scalar = next else {
      throw failure("not end in '\\'; '\\\\' is the character itself", at: start..<place)
    }
    place += 1
    if let set = Self.sets[scalar] { return (set, nil) }
    if let single = Self.controls[scalar] ?? (inClass && scalar == "b" ? "\u{8}" : nil) {
      return (.scalar(single), single)
    }
    switch scalar {
    case "p", "P":
      let set = try property(from: start)
      return (scalar == "P" ? .inverted(set) : set, nil)
    case "x", "u", "U", "0":
      let single = try coded(scalar, from: start)
      return (literal(single), single)
    case "1"..."9":
      while let digit = next, ("0"..."9").contains(digit) { place += 1 }
      throw refusal("backreferences", from: start)
    case "k", "g": throw refusal("backreferences", from: start)
    case "a"..."z", "A"..."Z":
      throw failure("not use the escape '\\\(scalar)', which is not known", at: start..<place)
    default: return (literal(scalar), scalar)
    }
  }

  private static let sets: [Unicode.Scalar: ScalarSet] = [
    "d": .digit, "D": .inverted(.digit), "w": .word, "W": .inverted(.word), "s": .space,
    "S": .inverted(.space),
    "h": .horizontalSpace, "H": .inverted(.horizontalSpace), "v": .newline,
    "V": .inverted(.newline),
  ]

  private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
    "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "e": Unicode.Scalar(UInt8(27)), "a": "\u{7}",
  ]

  /// Parses a scalar by its number: `\x41`, `\x{41}`, `\u0041`, `\u{41}`, `\U00000041`, `\0101`.
  private mutating func coded(_ letter: Unicode.Scalar, from start: Int) throws(PatternError)
    -> Unicode.Scalar
  {
    let radix = letter == "0" ? 8 : 16
    let isBraced = letter != "0" && letter != "U" && skip("{")
    let length = isBraced ? 8 : letter == "x" ? 2 : letter == "u" ? 4 : letter == "U" ? 8 : 3
    let first = place
    while place < first + length, let digit = next, digit.isASCII,
      Int(String(digit), radix: radix) != nil
    {
      place += 1
    }
    let isWhole = letter == "0" || (isBraced ? place > first : place == first + length)
    let value =
      place == first ? (letter == "0" ? 0 : nil) : UInt32(text(first..<place), radix: radix)
    guard isWhole, !isBraced || skip("}"), let value, let scalar = Unicode.Scalar(value) else {
      throw failure(
        "give a character's number in hexadecimal digits, as in '\\u{1F337}'", at: start..<place)
    }
    return scalar
  }

  private mutating func property(from start: Int) throws(PatternError) -> ScalarSet {
    guard skip("{") else {
      throw failure(
        "have a property's name in braces after '\\p', as in '\\p{L}'", at: start..<place)
    }
    let first = place
    while let scalar = next, scalar != "}" { place += 1 }
    let name = text(first..<place)
    guard skip("}") else { throw failure("have a '}' for each '{'", at: start..<start + 2) }
    guard let set = ScalarSet(property: name) else {
      throw failure(
        "not use the property '\(name)': general categories such as L, Lu and Nd are known; "
          + "for a script, write a range such as [\\u0400-\\u04FF]", at: start..<place)
    }
    return set
  }
}
