import ContentModel

/// An upper bound of the work that libcmark-gfm has with a text.
///
/// Version 0.29.0.gfm.6 needs quadratic time for some texts: it looks for the end of each `<!` up
/// to the end of the paragraph, walks over all open images and signs of emphasis for each link,
/// over struck text of another length for each `~`, and to the start of a paragraph for each of its
/// lines before a table. It copies the destination of a definition for each link, and looks at each
/// open list for each blank line. A hostile text of a megabyte would take minutes.
///
/// A paragraph ends at a blank line, so that counts between two blank lines bound this work. Honest
/// texts have less than a hundredth of what is allowed.
struct WorkEstimate {
  /// The most steps of up to ten nanoseconds each.
  private static let mostSteps = 60_000_000
  /// The bytes in which a search takes as long as a step.
  private static let bytesOfStep = 4
  /// The most bytes that references copy.
  private static let mostCopies = 100_000_000
  /// The most cells of a table that libcmark-gfm adds to short rows.
  private static let mostCells = 500_000
  /// The most signs of quotes and lists before the text of a line.
  ///
  /// Functions of libcmark-gfm that call themselves for each list need no deep stack then.
  private static let mostSigns = 1_000

  private let source: SourceText
  private let options: MarkdownOptions
  private var steps = 0
  private var brackets = 0
  private var deepest = 0
  private var longestDefinition = 0

  // Counts since the last blank line.
  private var start: Int?
  private var declarations = 0
  private var links = 0
  private var titles = 0
  private var images = 0
  private var emphases = 0
  private var tildes = 0
  private var closings = 0
  private var definition: Int?
  private var columns = 0
  private var rows = 0

  private init(_ source: SourceText, options: MarkdownOptions) {
    (self.source, self.options) = (source, options)
  }

  /// Returns the problem that a text has if it could take too long; `nil` for others.
  static func problem(in source: SourceText, options: MarkdownOptions) -> MarkdownProblem? {
    var estimate = WorkEstimate(source, options: options)
    return source.bytes.withUnsafeBufferPointer { estimate.problem(in: $0) }
  }

  private mutating func problem(in bytes: UnsafeBufferPointer<UInt8>) -> MarkdownProblem? {
    for line in source.lines {
      let signs = passPrefix(of: line, in: bytes)
      guard signs <= Self.mostSigns else { return nestingProblem(at: line) }
      if line.allSatisfy({ bytes[$0].isBlank }) {
        if let problem = endStretch(at: line.lowerBound) { return problem }
      } else {
        if start == nil { start = line.lowerBound }
        count(line, in: bytes)
      }
    }
    if let problem = endStretch(at: bytes.count) { return problem }
    guard brackets * longestDefinition > Self.mostCopies else { return nil }
    return problem(
      from: 0,
      "a Markdown text must not repeat long destinations so often; shorten the text after ']:'")
  }

  /// Counts the signs of quotes and lists that begin a line, and adds the work for lines that only
  /// have such signs: they keep all lists open.
  private mutating func passPrefix(of line: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Int
  {
    var (signs, columns) = (0, 0)
    var isPlain = true
    for index in line {
      let byte = bytes[index]
      let isLast = index + 1 == line.upperBound || bytes[index + 1].isBlank
      switch byte {
      case UInt8(ascii: " "): columns += 1
      case UInt8(ascii: "\t"): columns += 4
      case UInt8(ascii: ">"): signs += 1
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard isLast else { return finish() }
        (signs, isPlain) = (signs + 1, false)
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        guard isLast, index > line.lowerBound, bytes[index - 1].isDigit else { return finish() }
        (signs, isPlain) = (signs + 1, false)
      case _ where byte.isDigit: isPlain = false
      default:
        isPlain = false
        return finish()
      }
    }
    if isPlain { steps += deepest + 1 }
    return finish()

    func finish() -> Int {
      deepest = max(deepest, signs + columns / 2)
      return signs
    }
  }

  private mutating func count(_ line: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
    var pipes = 0
    var isMarkerRow = options.tables
    var previous: UInt8 = 0
    for index in line {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        if previous == UInt8(ascii: "<") { declarations += 1 }
      case UInt8(ascii: "["):
        if previous == UInt8(ascii: "!") { images += 1 }
      case UInt8(ascii: "]"): closings += 1
      case UInt8(ascii: "("):
        if previous == UInt8(ascii: "]") { links += 1 }
        if previous == 0 || previous.isSpace { titles += 1 }
      case UInt8(ascii: ":"):
        if previous == UInt8(ascii: "]"), definition == nil { definition = index }
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
        if previous != byte { emphases += 1 }
        if byte == UInt8(ascii: "~"), options.strikethrough { tildes += 1 }
      case UInt8(ascii: "|"): pipes += 1
      default: break
      }
      if isMarkerRow, !(byte.isSpace || "|-:>".utf8.contains(byte)) { isMarkerRow = false }
      previous = byte
    }
    guard options.tables else { return }
    rows += 1
    // Each cell of a line is added to a list, whose end libcmark-gfm looks for from its beginning.
    steps += pipes * pipes
    if isMarkerRow {
      steps += rows * (line.upperBound - (start ?? 0)) / Self.bytesOfStep
      columns = max(columns, pipes + 1)
    }
  }

  private mutating func endStretch(at end: Int) -> MarkdownProblem? {
    guard let start else { return overflowProblem(from: end) }
    let length = end - start
    steps += (declarations + min(links, titles)) * length / Self.bytesOfStep
    steps += (images + emphases) * closings + tildes * emphases
    brackets += closings
    if let definition { longestDefinition = max(longestDefinition, end - definition) }
    let cells = columns * rows
    (declarations, links, titles, images, closings) = (0, 0, 0, 0, 0)
    (emphases, tildes, columns, rows) = (0, 0, 0, 0)
    (self.start, definition) = (nil, nil)
    if cells > Self.mostCells {
      return problem(
        from: start,
        "a table must not have so many empty cells; divide it with a blank line, or shorten its "
          + "first row")
    }
    return overflowProblem(from: start)
  }

  private func overflowProblem(from start: Int) -> MarkdownProblem? {
    guard steps > Self.mostSteps else { return nil }
    return problem(
      from: start,
      "a paragraph or list must not have so much markup; divide it with blank lines")
  }

  private func nestingProblem(at line: Range<Int>) -> MarkdownProblem {
    MarkdownProblem(
      .nesting, message: BlockReader.nestingMessage,
      at: MarkdownPlace(position: source.position(ofByte: line.lowerBound), length: 1))
  }

  private func problem(from start: Int, _ message: String) -> MarkdownProblem {
    MarkdownProblem(.size, message: message, at: source.place(of: start..<source.bytes.count))
  }
}
