import CMark
import TestInputs
import TestServers
import Testing

@testable import Markdown

/// The examples of the specification that belongs to the installed libcmark-gfm.
///
/// `make setup-judges` unpacks it.
@Suite(.nightly) struct CommonMarkExamplesTests {
  static let examples: [String] = {
    guard let text = try? CheckedOutFiles.text(".build/tools/cmark-gfm/spec.txt") else { return [] }
    var examples: [String] = []
    var lines: [Substring]?
    let fence = String(repeating: "`", count: 32)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("\(fence) example") {
        lines = []
      } else if line == ".", let input = lines {
        examples.append(
          input.map { $0.split(separator: "→", omittingEmptySubsequences: false) }
            .map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n")
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return examples
  }()

  @Test func hasTheExamplesOfTheInstalledVersion() {
    #expect(String(cString: cmark_version_string()) == "0.29.0.gfm.6")
    #expect(Self.examples.count == 673)
  }

  @Test(arguments: [false, true])
  func readsEachExampleAsTheLibraryDoes(usesExtensions: Bool) {
    for (number, example) in Self.examples.enumerated() {
      // The examples' own destinations are refused; with an entry's id, links remain.
      let linked = example.split(separator: "/url", omittingEmptySubsequences: false)
        .joined(separator: "product/url")
      let variants = [
        example, linked,
        example.split(separator: "\n", omittingEmptySubsequences: false)
          .joined(separator: "\r\n"),
        // Lines of content begin further to the right than the library assumes.
        "> - x\n>\n"
          + linked.split(separator: "\n", omittingEmptySubsequences: false)
          .map { ">   \($0)" }.joined(separator: "\n"),
      ]
      for (variant, text) in variants.enumerated() {
        let options = MarkdownOptions(tables: usesExtensions, strikethrough: usesExtensions)
        expectCommonMark(
          in: text, options: options, "example \(number + 1), variant \(variant): \(text)")
      }
    }
  }
}

/// Expects the structure, the problems and the positions of the library's own tree, and returns the
/// result of reading.
@discardableResult
func expectCommonMark(
  in text: String, options: MarkdownOptions, _ place: Comment
) -> (text: MarkdownText, problems: [MarkdownProblem]) {
  let found = MarkdownText.read(text, options: options)
  let expected = TreeDescription(CommonMarkTree(of: text, usesExtensions: options.tables))
  #expect(TreeDescription(found.text.blocks).lines == expected.lines, place)
  // CommonMark has no rule for signs without an effect.
  let problems = found.problems.filter { !$0.isWarning }
  let counts = Dictionary(problems.map { ($0.rule, 1) }, uniquingKeysWith: +)
  #expect(counts == expected.problems, place)
  #expect(found.lostPositions == 0, place)
  expectPositions(of: found.text, in: text, place: place)
  return (found.text, problems)
}

/// Expects that the first character of each run is at the run's position.
func expectPositions(of text: MarkdownText, in source: String, place: Comment) {
  let lines = source.splitIntoMarkdownLines()
  for run in text.allRuns {
    let (line, column) = (run.position.line - 1, run.position.column - 1)
    guard lines.indices.contains(line), column >= 0, column <= lines[line].count else {
      Issue.record("\(run.position) is outside; \(place)")
      continue
    }
    // A line break is at the end of its line, or at the white space before it.
    let found: Unicode.Scalar = column < lines[line].count ? lines[line][column] : "\n"
    let expected = run.text.unicodeScalars.first
    let isRight =
      if run.image != nil {
        found == "!"
      } else if run.style.contains(.code) {
        found == "`"
      } else {
        found == expected || "\\&".unicodeScalars.contains(found)
          || " \t\n\u{B}\u{C}".unicodeScalars.contains(found)
            && (expected == " " || expected == "\n")
          || found == "\0" && expected == "\u{FFFD}"
          // A refused image is its alternative text.
          || found == "!"
      }
    #expect(isRight, "\(run) is at '\(found)'; \(place)")
  }
}

extension MarkdownText {
  /// All runs, in order.
  var allRuns: [Run] { Self.runs(of: blocks) }

  private static func runs(of blocks: [Block]) -> [Run] {
    blocks.flatMap { block -> [Run] in
      switch block {
      case .paragraph(let runs), .heading(_, let runs): runs
      case .quote(let blocks): runs(of: blocks)
      case .list(_, let items): items.flatMap { runs(of: $0) }
      case .table(let table): ([table.header] + table.rows).flatMap { $0.flatMap { $0 } }
      case .code, .rule: []
      }
    }
  }
}

extension String {
  /// The scalars of each line, as Markdown divides lines.
  func splitIntoMarkdownLines() -> [[Unicode.Scalar]] {
    var lines: [[Unicode.Scalar]] = [[]]
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      if scalar == "\n", previous == "\r" {
        // Ended by the carriage return.
      } else if scalar == "\n" || scalar == "\r" {
        lines.append([])
      } else {
        lines[lines.count - 1].append(scalar)
      }
      previous = scalar
    }
    return lines
  }
}
