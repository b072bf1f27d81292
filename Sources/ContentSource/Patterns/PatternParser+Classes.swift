extension PatternParser {
  /// Parses a class in brackets, after its `[`.
  ///
  /// A class has members, ranges and inner classes, with `&&`, `--` or `~~` between them.
  mutating func characterClass(from start: Int, depth: Int = 0) throws(PatternError) -> ScalarSet {
    guard depth < 100 else { throw failure("not nest classes deeper than 100", at: start..<place) }
    let isInverted = skip("^")
    let first = try members(from: start, depth: depth)
    var others: [(operation: ScalarSet.Operation, set: ScalarSet)] = []
    while next != "]" {
      guard let operation = ScalarSet.Operation.allCases.first(where: { skip($0.rawValue) }) else {
        throw failure(
          "have a ']' for each '['; '\\[' is the character itself", at: start..<start + 1)
      }
      others.append((operation, try members(from: start, depth: depth)))
    }
    place += 1
    let set = others.isEmpty ? first : .combined(first, others)
    return isInverted ? .inverted(set) : set
  }

  private var isAtOperator: Bool {
    ScalarSet.Operation.allCases.contains {
      scalars[place...].starts(with: $0.rawValue.unicodeScalars)
    }
  }

  private mutating func members(from start: Int, depth: Int) throws(PatternError) -> ScalarSet {
    var sets: [ScalarSet] = []
    while let scalar = next, scalar != "]", !isAtOperator {
      let memberStart = place
      memberCount += 1
      guard memberCount <= PatternProgram.largestSize else {
        throw failure(
          "be smaller: its classes have more than \(PatternProgram.largestSize) members",
          at: start..<place)
      }
      if skip("[:") {
        sets.append(try posixClass(from: memberStart))
      } else if skip("[") {
        sets.append(try characterClass(from: memberStart, depth: depth + 1))
      } else {
        sets.append(try memberOrRange())
      }
    }
    guard !sets.isEmpty else {
      throw failure(
        "have something in '[]'; '\\]' is the character itself",
        at: start..<min(place + 1, scalars.count))
    }
    return .union(sets)
  }

  private mutating func memberOrRange() throws(PatternError) -> ScalarSet {
    let start = place
    let low = try member()
    guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]",
      scalars[place + 1] != "-"
    else {
      return low.set
    }
    // After a set, as in [\w-.], a hyphen stands for itself.
    guard let first = low.scalar else { return low.set }
    place += 1
    let high = try member()
    guard let last = high.scalar else {
      throw failure("have one character at each end of '\(text(start..<place))'", at: start..<place)
    }
    guard first <= last else {
      throw failure(
        "have the smaller character first in '\(text(start..<place))'", at: start..<place)
    }
    return flags.ignoresCase ? .ignoringCase(.range(first...last)) : .range(first...last)
  }

  private mutating func member() throws(PatternError) -> (set: ScalarSet, scalar: Unicode.Scalar?) {
    let start = place
    let scalar = scalars[place]
    place += 1
    return scalar == "\\" ? try scalarEscape(from: start, inClass: true) : (literal(scalar), scalar)
  }

  /// Parses a class such as `[:alpha:]` or `[:^alpha:]`.
  private mutating func posixClass(from start: Int) throws(PatternError) -> ScalarSet {
    let isInverted = skip("^")
    let first = place
    while let scalar = next, scalar != ":", scalar != "]" { place += 1 }
    let name = text(first..<place)
    guard skip(":]"), let set = ScalarSet(property: name) else {
      throw failure(
        "have the name of a class between '[:' and ':]', such as [:alpha:]", at: start..<place)
    }
    return isInverted ? .inverted(set) : set
  }
}
