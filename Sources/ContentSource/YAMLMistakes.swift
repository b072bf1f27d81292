import ContentModel
import Diagnostics

/// The diagnostics of a folder's YAML, some of which cause further mistakes in the same lines.
struct YAMLMistakes {
  private let diagnostics: [Diagnostic]
  private let sources: SourceTexts
  /// The lines in which a YAML error lost text.
  private let lossyLines: Set<Line>
  /// The comments that look like a part of a text, by line: one begins there at most.
  private let comments: [Line: SourceLocation]

  init(_ diagnostics: [Diagnostic], in folder: ContentFolder) {
    (self.diagnostics, sources) = (diagnostics, SourceTexts(folder))
    lossyLines = Set(
      diagnostics.filter { $0.rule.traits.contains(.losesText) }.compactMap {
        $0.location.map(Line.init)
      })
    let places = diagnostics.filter { $0.rule == .commentInText }.compactMap(\.location)
    comments = Dictionary(places.map { (Line($0), $0) }) { first, _ in first }
  }

  /// Returns these diagnostics and the mistakes, without those that only follow from these.
  ///
  /// A comment that causes an error becomes an error, since that error is not reported.
  /// `valueCount` returns the number of values of a declaration.
  func all(
    and mistakes: [Diagnostic], valueCount: (Diagnostic.Declaration) -> Int? = { _ in nil }
  ) -> [Diagnostic] {
    var others = mistakes
    var own = diagnostics
    if !lossyLines.isEmpty || !comments.isEmpty {
      var causes: Set<Line> = []
      others.removeAll { mistake in
        guard let line = mistake.location.map(Line.init) else { return false }
        if lossyLines.contains(line) { return true }
        guard let comment = comments[line], isCaused(mistake, by: comment) else { return false }
        if mistake.severity == .error { causes.insert(line) }
        return true
      }
      for index in own.indices where own[index].rule == .commentInText {
        guard let line = own[index].location.map(Line.init), causes.contains(line) else { continue }
        own[index].severity = .error
      }
    }
    return own + others.withoutRepeats.groupedByDeclaration(valueCount: valueCount)
  }

  /// Returns `true` if a comment explains a mistake in its line: it is in place of a value, or it
  /// hides the end of a collection.
  private func isCaused(_ mistake: Diagnostic, by comment: SourceLocation) -> Bool {
    // A lost value has the location of its comment.
    if mistake.location == comment { return true }
    guard mistake.rule == .wrongType, let place = mistake.location?.range?.start,
      let start = comment.range?.start
    else { return false }
    return place < start && isBracket(at: place, in: comment.path)
  }

  /// Returns `true` if a bracket, which begins a collection, is at a position.
  private func isBracket(at place: SourcePosition, in path: ExactString) -> Bool {
    let line = sources.bytes(path).flatMap { SourceLines($0)[place.line] }
    return line?.dropFirst(place.column - 1).first.map { $0 == "[" || $0 == "{" } ?? false
  }

  private struct Line: Hashable {
    var path: ExactString
    var line: Int?

    init(_ location: SourceLocation) {
      (path, line) = (location.path, location.range?.start.line)
    }
  }
}

extension [Diagnostic] {
  /// The diagnostics without repeats, which occur if several aliases refer to one node.
  fileprivate var withoutRepeats: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return filter { seen.insert($0).inserted }
  }
}
