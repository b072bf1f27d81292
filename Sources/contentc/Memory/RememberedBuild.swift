import ContentModel
import ContentStore
import Diagnostics
import PropertyLists

/// What a build has to say besides what it wrote, as the memory's notes keep it.
struct RememberedBuild {
  let facts: BuildFacts
  let summary: BuildSummary
  /// As they were found, before any flag judged them.
  let diagnostics: [Diagnostic]

  init(facts: BuildFacts, summary: BuildSummary, diagnostics: [Diagnostic]) {
    (self.facts, self.summary, self.diagnostics) = (facts, summary, diagnostics)
  }

  /// The notes of a memory; `nil` where they cannot be made.
  var notes: [UInt8]? {
    let value: Value = [
      "facts": facts.value, "diagnostics": .array(diagnostics.map(\.value)),
      "summary": .array(summary.numbers.map { .integer(Int64($0.1)) }),
    ]
    return try? PropertyList.encode(value, as: .binary)
  }

  /// Reads the notes of a memory.
  init?(notes: [UInt8]) {
    guard let value = try? PropertyList.decode(notes, as: .binary).value, case .dictionary(let all) = value,
      let facts = all["facts"].flatMap(BuildFacts.init), case .array(let diagnostics)? = all["diagnostics"],
      case .array(let summary)? = all["summary"], let summary = BuildSummary(summary)
    else { return nil }
    self.init(facts: facts, summary: summary, diagnostics: diagnostics.compactMap(Diagnostic.init))
  }
}

extension BuildSummary {
  /// Reads what `numbers` gave.
  fileprivate init?(_ values: [Value]) {
    let numbers = values.compactMap { if case .integer(let number) = $0 { Int(number) } else { nil } }
    self.init()
    guard numbers.count == self.numbers.count else { return nil }
    (objectsWritten, objectsKept, filesWritten, filesKept) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (bytesTotal, gzipBytesTotal, bytesWritten, straysRemoved) = (numbers[4], numbers[5], numbers[6], numbers[7])
  }
}
