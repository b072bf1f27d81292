/// The parser of regular expressions.
struct PatternParser {
  let scalars: [Unicode.Scalar]
  var place = 0
  var flags = Flags()
  /// The sets of the parsed parts.
  private(set) var sets: [ScalarSet] = []
  /// The number of characters, ranges and names in classes.
  var memberCount = 0
  private var depth = 0

  /// The options that `(?ims)` switches on.
  struct Flags {
    var ignoresCase = false
    var dotTakesNewlines = false
    var anchorsMatchLines = false
    var ignoresSpaces = false
  }

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try choice()
    guard place == scalars.count else {
      throw failure("have a '(' for each ')'", at: place..<place + 1)
    }
    return node
  }

  var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  /// Skips a text; returns `false` if it is not next.
  mutating func skip(_ text: String) -> Bool {
    guard scalars[place...].starts(with: text.unicodeScalars) else { return false }
    place += text.unicodeScalars.count
    return true
  }

  func failure(_ rule: String, at place: Range<Int>) -> PatternError {
    PatternError(rule, at: place)
  }

  /// Returns an error that quotes the text from `start` up to the current place.
  func refusal(_ feature: String, from start: Int) -> PatternError {
    failure("not use \(feature): '\(text(start..<place))' is not supported", at: start..<place)
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  private mutating func choice() throws(PatternError) -> PatternNode {
    guard depth < 100 else { throw failure("not nest groups deeper than 100", at: place..<place) }
    depth += 1
    defer { depth -= 1 }
    var parts = [try sequence()]
    while skip("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while true {
      if flags.ignoresSpaces { skipSpacesAndComments() }
      guard let next, next != "|", next != ")" else { break }
      let start = place
      guard let part = try atom() else { continue }
      parts.append(try quantified(part, from: start))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func skipSpacesAndComments() {
    while let scalar = next, scalar.properties.isWhitespace || scalar == "#" {
      place += 1
      guard scalar == "#" else { continue }
      while let scalar = next, scalar != "\n" { place += 1 }
    }
  }

  /// Parses one part without its quantifier; returns `nil` for a part such as flags, which matches
  /// no text.
  private mutating func atom() throws(PatternError) -> PatternNode? {
    let start = place
    let scalar = scalars[place]
    place += 1
    switch scalar {
    case "(": return try group(from: start)
    case "[": return one(try characterClass(from: start))
    case "\\": return try escape(from: start)
    case ".": return one(flags.dotTakesNewlines ? .all : .inverted(.newline))
    case "^": return .assertion(flags.anchorsMatchLines ? .lineStart : .textStart)
    case "$": return .assertion(flags.anchorsMatchLines ? .lineEnd : .textEnd)
    case "*", "+", "?":
      throw failure(
        "have something before '\(scalar)' to repeat; '\\\(scalar)' is the character itself",
        at: start..<place)
    default: return one(literal(scalar))
    }
  }

  /// Returns a part that matches one scalar of a set.
  mutating func one(_ set: ScalarSet) -> PatternNode {
    sets.append(set)
    return .one(set: sets.count - 1)
  }

  func literal(_ scalar: Unicode.Scalar) -> ScalarSet {
    guard flags.ignoresCase else { return .scalar(scalar) }
    return .ignoringCase(.union(scalar.caseForms.map { .scalar($0) }))
  }

  private mutating func quantified(_ part: PatternNode, from start: Int) throws(PatternError)
    -> PatternNode
  {
    let quantifierStart = place
    guard let (least, most) = try quantifier() else { return part }
    // When a whole text must match, a lazy quantifier means the same as a greedy one.
    if !skip("?"), next == "+" {
      place += 1
      throw refusal("possessive quantifiers", from: quantifierStart)
    }
    let second = place
    if try quantifier() != nil {
      throw failure("have something to repeat before '\(text(second..<place))'", at: second..<place)
    }
    // After a quotation, a quantifier repeats only the last character, as in other engines.
    if scalars[start...].starts(with: "\\Q".unicodeScalars), case .sequence(var parts) = part,
      let last = parts.popLast()
    {
      return .sequence(parts + [.repeated(last, least: least, most: most)])
    }
    return .repeated(part, least: least, most: most)
  }

  private mutating func quantifier() throws(PatternError) -> (least: Int, most: Int?)? {
    if flags.ignoresSpaces { skipSpacesAndComments() }
    if skip("*") { return (0, nil) }
    if skip("+") { return (1, nil) }
    if skip("?") { return (0, 1) }
    let start = place
    guard skip("{") else { return nil }
    let least = number()
    let most = skip(",") ? number() : least
    let hasComma = scalars[start..<place].contains(",")
    guard skip("}"), least != nil || most != nil else {
      // A brace that begins no quantifier stands for itself.
      place = start
      return nil
    }
    if let least, let most, most < least {
      throw failure("have the smaller number first in '\(text(start..<place))'", at: start..<place)
    }
    return (least ?? 0, hasComma ? most : least)
  }

  /// Parses a number, which saturates far above every limit.
  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next.flatMap({ Int(String($0)) }), next?.isASCII == true {
      value = min((value ?? 0) * 10 + digit, 1 << 30)
      place += 1
    }
    return value
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode? {
    let outer = flags
    if skip("?"), !skip(":") {
      if skip("#") {
        while let scalar = next, scalar != ")" { place += 1 }
        return try closing(start) { nil }
      }
      try refuseOtherGroups(from: start)
      if try !skipName(from: start) {
        try readFlags(from: start)
        // Flags without a group, as in `(?i)`, apply up to the end of the surrounding group.
        if skip(")") { return nil }
        guard skip(":") else { throw failure("have flags such as '(?i)'", at: start..<place) }
      }
    }
    defer { flags = outer }
    let node = try choice()
    return try closing(start) { node }
  }

  private mutating func closing(_ start: Int, node: () -> PatternNode?) throws(PatternError)
    -> PatternNode?
  {
    guard skip(")") else { throw failure("have a ')' for each '('", at: start..<start + 1) }
    return node()
  }

  private mutating func refuseOtherGroups(from start: Int) throws(PatternError) {
    let features = [
      ("<=", "look-behind"), ("<!", "look-behind"), ("=", "look-ahead"), ("!", "look-ahead"),
      (">", "atomic groups"),
      ("|", "branch resets"), ("(", "conditions"), ("P=", "backreferences"), ("P>", "recursion"),
      ("R", "recursion"),
      ("&", "recursion"),
    ]
    for (sign, feature) in features where skip(sign) { throw refusal(feature, from: start) }
  }

  /// Skips the name of a group.
  private mutating func skipName(from start: Int) throws(PatternError) -> Bool {
    let ends: [(String, Unicode.Scalar)] = [("P<", ">"), ("<", ">"), ("'", "'")]
    guard let end = ends.first(where: { skip($0.0) })?.1 else { return false }
    let nameStart = place
    while let scalar = next, scalar != end { place += 1 }
    guard next == end, place > nameStart else {
      throw failure("give the group a name", at: start..<place)
    }
    place += 1
    return true
  }

  private mutating func readFlags(from start: Int) throws(PatternError) {
    var isOn = true
    while let scalar = next, scalar != ")", scalar != ":" {
      place += 1
      switch scalar {
      case "-": isOn = false
      case "i": flags.ignoresCase = isOn
      case "s": flags.dotTakesNewlines = isOn
      case "m": flags.anchorsMatchLines = isOn
      case "x": flags.ignoresSpaces = isOn
      case "n", "U": break
      default: throw refusal("the flag '\(scalar)'; there are i, m, s and x", from: start)
      }
    }
  }
}
