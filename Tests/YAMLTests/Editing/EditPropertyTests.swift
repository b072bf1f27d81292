import ContentModel
import Diagnostics
import TestInputs
import Testing

@testable import YAML

@Suite struct EditPropertyTests {
  private func read(_ bytes: [UInt8]) -> YAMLNode? {
    let read = YAMLReader().read(bytes, path: "a")
    return read.diagnostics.contains { $0.severity == .error } ? nil : read.output
  }

  @Test func generatesReadableFiles() {
    let unread = (0..<400 as Range<UInt64>).filter {
      read(Array(RandomFile(seed: $0).text.utf8)) == nil
    }
    #expect(unread.count < 20, "\(unread.prefix(10))")
  }

  /// Texts that exist: no byte outside their values changes.
  @Test(arguments: 0..<400 as Range<UInt64>)
  func changesOnlyTheLinesOfTheValue(seed: UInt64) throws {
    let bytes = Array(RandomFile(seed: seed).text.utf8)
    var random = SeededGenerator(seed: seed)
    guard let old = read(bytes), let syntax = YAMLSyntax(of: bytes, path: "a") else { return }
    for place in RandomEdits(syntax).some(2, using: &random) {
      let text = RandomEdits.text(using: &random)
      let after = try YAMLFile(bytes, path: "a").applying([YAMLEdit(place.path, text: text)])
      let new = try #require(read(after))
      #expect(
        Meaning(new) == Meaning(old).setting(place.path[...], to: text),
        "\(place.path.shown) \(text.debugDescription)")
      if bytes.contains(where: { $0 >= 0x80 }) { continue }
      let rest = max(0, bytes.count - place.range.upperBound)
      #expect(
        after.starts(with: bytes.prefix(place.range.lowerBound))
          && after.suffix(rest).elementsEqual(bytes.suffix(rest)),
        "\(seed) \(place.path.shown) \(text.debugDescription)")
    }
  }

  /// Several edits at once, of texts that exist or not, through aliases and merge keys.
  @Test(arguments: 0..<1000 as Range<UInt64>)
  func makesAllEditsAndNoOther(seed: UInt64) throws {
    let bytes = Array(RandomFile(seed: seed).text.utf8)
    var random = SeededGenerator(seed: seed &+ 7)
    guard let old = read(bytes) else { return }
    var expected = Meaning(old)
    let paths = expected.paths().shuffled(using: &random).prefix(
      Int.random(in: 1...5, using: &random))
    var edits: [YAMLEdit] = []
    for path in paths {
      let isClash = edits.contains {
        $0.path.starts(with: path) || path.starts(with: $0.path)
          || ($0.path.dropLast(2).elementsEqual(path.dropLast())
            && path.last.map { !$0.isKey } ?? false)
      }
      if isClash || path.isEmpty { continue }
      edits.append(YAMLEdit(path, text: RandomEdits.text(using: &random)))
    }
    for edit in edits { expected = expected.setting(edit.path[...], to: edit.text) }
    do {
      let after = try YAMLFile(bytes, path: "a").applying(edits)
      #expect(Meaning(try #require(read(after))) == expected, "\(seed)")
      #expect(try YAMLFile(after, path: "a").applying(edits) == after, "\(seed)")
    } catch let failure as YAMLEditFailure {
      for problem in failure.problems { #expect(isExpected(problem), "\(seed) \(problem)") }
    }
  }

  /// Returns `true` for conflicting paths, for values with tags, and for notations without a place
  /// for a text.
  private func isExpected(_ problem: YAMLEditProblem) -> Bool {
    switch problem.reason {
    case .conflictingEdit, .tagged, .notation, .missingItem, .wrongKind: true
    default: false
    }
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func survivesDamagedFiles(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(RandomFile(seed: seed).text.utf8)
    let marks = Array("[]{},:-?&*!|>'\"%@`#\n\r\t \\~<0\u{0}é\u{2028}".utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      bytes.insert(random.one(of: marks), at: random.below(bytes.count + 1))
    }
    let paths = read(bytes).map { Meaning($0).paths() } ?? [[.member("k0")]]
    let edits = paths.shuffled(using: &random).prefix(3).map { YAMLEdit($0, text: "new") }
    for edit in edits {
      guard let after = try? YAMLFile(bytes, path: "a").applying([edit]) else { continue }
      #expect(read(after) != nil)
    }
  }
}
