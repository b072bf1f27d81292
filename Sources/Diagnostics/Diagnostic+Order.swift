import ContentModel

extension [Diagnostic] {
  /// Returns the diagnostics ordered by path (bytes), position, id and message, without exact
  /// duplicates.
  ///
  /// Unreadable files and folders come first, because other mistakes may follow from them.
  package func inStableOrder() -> [Diagnostic] {
    let sorted = enumerated().sorted { a, b in
      a.element.precedes(b.element) ?? (a.offset < b.offset)
    }
    var seen: Set<Diagnostic> = []
    let unique = sorted.map(\.element).filter { seen.insert($0).inserted }
    guard unique.contains(where: \.explainsOthers) else { return unique }
    return unique.filter(\.explainsOthers) + unique.filter { !$0.explainsOthers }
  }

  /// Returns at most `limit` diagnostics in their order, preferring errors to warnings, and a last
  /// one that counts the rest.
  package func cut(to limit: Int) -> [Diagnostic] {
    guard count > limit else { return self }
    let errors = Swift.min(count { $0.severity == .error }, limit)
    var left: [Diagnostic.Severity: Int] = [.error: errors, .warning: limit - errors]
    var shown: [Diagnostic] = []
    var rest: [Diagnostic] = []
    for diagnostic in self {
      if let free = left[diagnostic.severity], free > 0 {
        left[diagnostic.severity] = free - 1
        shown.append(diagnostic)
      } else {
        rest.append(diagnostic)
      }
    }
    let isError = rest.contains { $0.severity == .error }
    shown.append(
      Diagnostic(
        isError ? .error : .warning, rule: .moreMistakes, at: nil,
        message: "not all mistakes are listed; mend these first (\(rest.summary) more)"))
    return shown
  }

  /// The number of diagnostics of each severity, such as `2 errors, 1 warning`.
  package var summary: String {
    let errors = count { $0.severity == .error }
    let counts = [(errors, "error"), (count - errors, "warning")].filter { $0.0 > 0 }
    guard !counts.isEmpty else { return "no errors" }
    return counts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// `true` if mistakes in other files may follow from this one.
  fileprivate var explainsOthers: Bool { rule.traits.contains(.explainsOthers) }

  /// Returns `true` if this diagnostic is printed before `other`; `nil` if both have the same
  /// place, id, message and severity.
  fileprivate func precedes(_ other: Diagnostic) -> Bool? {
    let (ownPath, otherPath) = (location?.path ?? "", other.location?.path ?? "")
    if ownPath != otherPath { return ownPath < otherPath }
    let (own, others) = (location?.range, other.location?.range)
    if own?.start != others?.start {
      return (own?.start ?? .beforeAll) < (others?.start ?? .beforeAll)
    }
    if let order = id.precedes(other.id) { return order }
    if let order = message.precedes(other.message) { return order }
    if own?.end != others?.end { return (own?.end ?? .beforeAll) < (others?.end ?? .beforeAll) }
    return severity == other.severity ? nil : severity > other.severity
  }
}

extension String {
  /// Returns `true` if the bytes of this text sort before those of `other`; `nil` if both are
  /// equal.
  fileprivate func precedes(_ other: String) -> Bool? {
    if utf8.elementsEqual(other.utf8) { return nil }
    return utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension SourcePosition {
  fileprivate static let beforeAll = SourcePosition(line: 0, column: 0)
}
