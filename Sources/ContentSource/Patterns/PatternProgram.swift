/// A regular expression as instructions, whose alternatives are followed concurrently.
struct PatternProgram: Sendable {
  /// The limit of instructions, each of which may cost a few nanoseconds per scalar of a text.
  static let largestSize = 5000

  private enum Instruction {
    case one(Int)
    case assertion(PatternAssertion)
    case split(Int, Int)
    case jump(Int)
    case match
  }

  private var instructions: [Instruction] = []
  private let sets: [CompiledSet]

  init(_ node: PatternNode, sets: [ScalarSet]) {
    self.sets = sets.map(CompiledSet.init)
    append(node)
    instructions.append(.match)
  }

  private mutating func append(_ node: PatternNode) {
    switch node {
    case .one(let set): instructions.append(.one(set))
    case .assertion(let assertion):
      instructions.append(.assertion(assertion))
    case .sequence(let parts): for part in parts { append(part) }
    case .choice(let parts): append(choice: parts[...])
    case .repeated(let part, let least, let most): append(part, least: least, most: most)
    }
  }

  private mutating func append(choice parts: ArraySlice<PatternNode>) {
    var jumps: [Int] = []
    for part in parts.dropLast() {
      let split = reserve()
      append(part)
      jumps.append(reserve())
      instructions[split] = .split(split + 1, instructions.count)
    }
    if let last = parts.last { append(last) }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func append(_ part: PatternNode, least: Int, most: Int?) {
    for _ in 0..<least { append(part) }
    guard let most else {
      let split = reserve()
      append(part)
      instructions.append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(most, least) {
      splits.append(reserve())
      append(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  private mutating func reserve() -> Int {
    instructions.append(.match)
    return instructions.count - 1
  }

  func matchesWhole(_ text: String.UnicodeScalarView) -> Bool {
    var threads = Threads(count: instructions.count)
    var answers = Answers()
    var before: Unicode.Scalar?
    var index = text.startIndex
    threads.start(0)
    while index < text.endIndex {
      let scalar = text[index]
      let next = text.index(after: index)
      follow(&threads, between: before, and: scalar, isLast: next == text.endIndex)
      answers.begin(scalar)
      for place in threads.takeWaiting() {
        if case .one(let set) = instructions[place], answers.contains(in: set, of: sets) {
          threads.start(place + 1)
        }
      }
      if threads.isEmpty { return false }
      (before, index) = (scalar, next)
    }
    follow(&threads, between: before, and: nil, isLast: false)
    return threads.isMatch
  }

  /// Follows all paths from the started instructions to the instructions that wait for a scalar.
  private func follow(
    _ threads: inout Threads, between before: Unicode.Scalar?, and after: Unicode.Scalar?,
    isLast: Bool
  ) {
    while let place = threads.next() {
      switch instructions[place] {
      case .one: threads.wait(at: place)
      case .match: threads.isMatch = true
      case .jump(let target): threads.start(target)
      case .split(let first, let second):
        threads.start(first)
        threads.start(second)
      case .assertion(let assertion):
        if assertion.holds(between: before, and: after, isLast: isLast) { threads.start(place + 1) }
      }
    }
  }

  /// The instructions that a match has reached, each once.
  private struct Threads {
    var isMatch = false
    private var waiting: [Int] = []
    private var open: [Int] = []
    /// For each instruction, the number of the step that last started it.
    private var started: [Int]
    private var number = 1

    init(count: Int) { started = [Int](repeating: 0, count: count) }

    var isEmpty: Bool { open.isEmpty }

    mutating func start(_ place: Int) {
      guard started[place] != number else { return }
      started[place] = number
      open.append(place)
    }

    mutating func next() -> Int? { open.popLast() }

    mutating func wait(at place: Int) { waiting.append(place) }

    /// Begins the next step, and returns the instructions that wait for its scalar.
    mutating func takeWaiting() -> [Int] {
      number += 1
      isMatch = false
      defer { waiting.removeAll(keepingCapacity: true) }
      return waiting
    }
  }

  /// The known answers to whether a set contains the current scalar.
  ///
  /// Each set is searched only once for a scalar beyond ASCII, because a pattern may repeat a class
  /// of thousands of characters thousands of times.
  private struct Answers {
    private var scalar: Unicode.Scalar = "\0"
    private var caseForms: [Unicode.Scalar] = []
    private var known: [Bool?] = []
    private var asked: [Int] = []

    mutating func begin(_ scalar: Unicode.Scalar) {
      self.scalar = scalar
      guard !scalar.isASCII else { return }
      caseForms = []
      for set in asked { known[set] = nil }
      asked.removeAll(keepingCapacity: true)
    }

    mutating func contains(in set: Int, of sets: [CompiledSet]) -> Bool {
      if scalar.isASCII { return sets[set].contains(ascii: scalar) }
      if known.isEmpty { known = [Bool?](repeating: nil, count: sets.count) }
      if let answer = known[set] { return answer }
      if sets[set].ignoresCase, caseForms.isEmpty { caseForms = scalar.caseForms }
      let answer = sets[set].set.contains(scalar, caseForms: caseForms)
      known[set] = answer
      asked.append(set)
      return answer
    }
  }
}

/// A set of scalars with a table for ASCII.
private struct CompiledSet: Sendable {
  let set: ScalarSet
  let ignoresCase: Bool
  private let ascii: (low: UInt64, high: UInt64)

  private static let asciiForms = (0..<128).map { Unicode.Scalar(UInt8($0)).caseForms }

  init(_ set: ScalarSet) {
    self.set = set
    ignoresCase = set.ignoresCase
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for value in UInt8(0)..<128
    where set.contains(Unicode.Scalar(value), caseForms: Self.asciiForms[Int(value)]) {
      if value < 64 { bits.low |= 1 << value } else { bits.high |= 1 << (value - 64) }
    }
    ascii = bits
  }

  func contains(ascii scalar: Unicode.Scalar) -> Bool {
    (scalar.value < 64 ? ascii.low >> scalar.value : ascii.high >> (scalar.value - 64)) & 1 == 1
  }
}
