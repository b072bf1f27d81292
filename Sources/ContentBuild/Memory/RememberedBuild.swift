import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import System

/// A build as it is stored in the notes of a memory.
struct RememberedBuild {
  var facts: BuildFacts
  var summary: BuildSummary
  /// The diagnostics before any policy was applied.
  let diagnostics: [Diagnostic]
  /// The digest of the build's state; `nil` if it was not saved.
  var state: Digest?

  init(facts: BuildFacts, summary: BuildSummary, diagnostics: [Diagnostic], state: Digest?) {
    (self.facts, self.summary, self.diagnostics, self.state) = (facts, summary, diagnostics, state)
  }

  /// Returns the outcome of a request that led to this build.
  ///
  /// The diagnostics have no source lines if the content folder no longer exists.
  func outcome(
    of request: BuildRequest, summary: BuildSummary, took watch: Stopwatch
  ) -> BuildOutcome {
    let content = diagnostics.isEmpty ? nil : try? request.unlistedContent()
    return BuildOutcome(
      product: BuildOutcome.Product(
        facts: facts, summary: summary, content: request.content,
        folder: request.out.withoutTrailingSlashes,
        seconds: watch.seconds),
      diagnostics: request.policy.judge(diagnostics),
      sources: content.map(SourceTexts.init) ?? SourceTexts())
  }

  /// The notes of a memory; `nil` if they cannot be encoded.
  var notes: [UInt8]? {
    let value: Value = [
      "facts": facts.value, "diagnostics": .array(diagnostics.map(\.value)),
      "summary": .array(summary.numbers.map { .integer(Int64($0.1)) }),
    ]
    guard case .dictionary(var members) = value else { return nil }
    members["state"] = state.map { .data($0.bytes) }
    return try? PropertyList.encode(.dictionary(members), as: .binary)
  }

  /// Reads the notes of a memory.
  init?(notes: [UInt8]) {
    // This machine wrote the file, which has a value for each warning.
    guard let value = try? PropertyList.decode(notes, as: .binary, valueLimit: .max).value,
      case .dictionary(let all) = value,
      let facts = all["facts"].flatMap(BuildFacts.init),
      case .array(let diagnostics)? = all["diagnostics"],
      case .array(let summary)? = all["summary"], let summary = BuildSummary(summary)
    else { return nil }
    let state: Digest? =
      if case .data(let bytes)? = all["state"] { Digest(bytes: bytes) } else { nil }
    self.init(
      facts: facts, summary: summary, diagnostics: diagnostics.compactMap(Diagnostic.init),
      state: state)
  }
}

extension BuildSummary {
  /// Creates a summary from the values of ``numbers``, in the same order; `nil` for other values.
  fileprivate init?(_ values: [Value]) {
    let numbers = values.compactMap {
      if case .integer(let number) = $0 { Int(number) } else { nil }
    }
    self.init()
    // A damaged memory can hold any numbers. With this limit, sums of them cannot overflow.
    guard numbers.count == self.numbers.count, numbers.allSatisfy((0...1 << 50).contains) else {
      return nil
    }
    objectsWritten = numbers[0]
    objectsKept = numbers[1]
    filesWritten = numbers[2]
    filesKept = numbers[3]
    bytesTotal = numbers[4]
    gzipBytesTotal = numbers[5]
    bytesWritten = numbers[6]
    straysRemoved = numbers[7]
  }
}
