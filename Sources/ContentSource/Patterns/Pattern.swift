/// A regular expression that a whole text must match.
///
/// For every expression, the time of a match is proportional to the length of the text. The matcher
/// follows all possible states at once, without backtracking (Thompson, 1968). Look-around and
/// backreferences require backtracking, so the parser refuses them.
package struct Pattern: Sendable {
  /// The expression as it was written.
  package let text: String
  private let program: PatternProgram

  package init(_ text: String) throws(PatternError) {
    self.text = text
    var parser = PatternParser(text)
    let node = try parser.parse()
    guard node.size <= PatternProgram.largestSize else {
      throw PatternError(
        "be smaller: with its repetitions written out it has more than \(PatternProgram.largestSize) parts",
        at: 0..<text.unicodeScalars.count)
    }
    program = PatternProgram(node, sets: parser.sets)
  }

  /// Returns `true` if the expression matches all of a text, scalar by scalar.
  package func matchesWhole(_ text: String) -> Bool {
    var text = text
    text.makeContiguousUTF8()
    return program.matchesWhole(text.unicodeScalars)
  }
}

/// The reason why a text is not a regular expression that can be used.
package struct PatternError: Error, Hashable, Sendable {
  /// The rule that the expression breaks, to be written after "'pattern' must".
  package var rule: String
  /// The part of the expression that breaks the rule, as a range of Unicode scalars.
  package var place: Range<Int>

  init(_ rule: String, at place: Range<Int>) {
    (self.rule, self.place) = (rule, place)
  }
}

/// A regular expression as a tree.
indirect enum PatternNode: Sendable {
  /// A scalar of the set at this index.
  case one(set: Int)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  case repeated(PatternNode, least: Int, most: Int?)

  /// A bound of the number of instructions, which saturates far above every limit.
  var size: Int {
    switch self {
    case .one, .assertion: 1
    case .sequence(let parts): parts.reduce(0) { min($0 + $1.size, Self.hugeSize) }
    case .choice(let parts): parts.reduce(0) { min($0 + $1.size + 2, Self.hugeSize) }
    case .repeated(let part, let least, let most):
      min((part.size + 2) * max(most ?? 0, least, 1), Self.hugeSize)
    }
  }

  private static let hugeSize = 1 << 30
}

/// A condition on a place between two scalars.
enum PatternAssertion: Sendable {
  case textStart, textEnd
  /// The end of the text, or the place before a newline that ends the text.
  case lastLineEnd
  case lineStart, lineEnd
  case wordBoundary, noWordBoundary

  func holds(between before: Unicode.Scalar?, and after: Unicode.Scalar?, isLast: Bool) -> Bool {
    switch self {
    case .textStart: before == nil
    case .textEnd: after == nil
    case .lastLineEnd: after.map { isLast && ScalarSet.newline.contains($0) } ?? true
    case .lineStart: before.map { ScalarSet.newline.contains($0) } ?? true
    case .lineEnd: after.map { ScalarSet.newline.contains($0) } ?? true
    case .wordBoundary: isWord(before) != isWord(after)
    case .noWordBoundary: isWord(before) == isWord(after)
    }
  }

  private func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    scalar.map { ScalarSet.word.contains($0) } ?? false
  }
}
