import ContentModel

extension Diagnostic {
  /// A declaration that values break.
  ///
  /// One mistake in a declaration breaks many values, which are right. `groupedByDeclaration`
  /// reports them once.
  package struct Declaration: Hashable, Sendable {
    /// The place of the declaration; `nil` if the first of the values is the best place.
    package var location: SourceLocation?
    /// A message that follows the number of values, such as `values of 'title' do not fit …`.
    package var summary: String
    /// `true` if the declaration is right as long as most of its values fit it.
    package var needsMajority: Bool
    /// The greatest number of values that are reported one by one.
    package var mostAlone: Int

    /// A declaration that is reported once for more than ten values that break it.
    package init(at location: SourceLocation?, summary: String, needsMajority: Bool = false) {
      (self.location, self.summary) = (location, summary)
      (self.needsMajority, mostAlone) = (needsMajority, 10)
    }

    /// A missing declaration, which is reported once for all places that need it.
    package init(missingAt location: SourceLocation?, summary: String) {
      self.init(at: location, summary: summary)
      mostAlone = 1
    }

    package static func == (a: Declaration, b: Declaration) -> Bool {
      a.location == b.location && a.summary.hasSameBytes(as: b.summary)
        && a.needsMajority == b.needsMajority && a.mostAlone == b.mostAlone
    }
  }

  /// Returns the diagnostic with the declaration that its value breaks.
  package func breaking(_ declaration: Declaration?) -> Diagnostic {
    var diagnostic = self
    diagnostic.declaration = declaration
    return diagnostic
  }
}

extension [Diagnostic] {
  private struct Group: Hashable {
    var rule: Rule
    var declaration: Diagnostic.Declaration

    init?(_ diagnostic: Diagnostic) {
      guard let declaration = diagnostic.declaration else { return nil }
      (rule, self.declaration) = (diagnostic.rule, declaration)
    }
  }

  /// Returns the diagnostics, with one at the declaration for many values that break the same rule
  /// of it.
  ///
  /// The combined diagnostic has the count of the values, and a note for each. If the declaration
  /// needs a majority and more than half of its values fit, the values are reported one by one. At
  /// least the `fewest` values are reported at their declaration if no value fits it.
  /// `valueCount` returns the number of all values of a declaration, or `nil` if it is unknown.
  package func groupedByDeclaration(
    fewest: Int = 3, valueCount: (Diagnostic.Declaration) -> Int? = { _ in nil }
  ) -> [Diagnostic] {
    var counts: [Group: Int] = [:]
    for diagnostic in self {
      if let group = Group(diagnostic) { counts[group, default: 0] += 1 }
    }
    counts = counts.filter { group, broken in
      let declaration = group.declaration
      guard broken > declaration.mostAlone else {
        // No value fits.
        return broken >= (declaration.needsMajority ? fewest : 2)
          && valueCount(declaration) == (declaration.needsMajority ? broken : 0)
      }
      guard declaration.needsMajority, let all = valueCount(declaration) else { return true }
      return 2 * broken >= all
    }
    guard !counts.isEmpty else { return self }
    var members: [Group: [Diagnostic]] = [:]
    var alone: [Diagnostic] = []
    for diagnostic in self {
      if let group = Group(diagnostic), counts[group] != nil {
        members[group, default: []].append(diagnostic)
      } else {
        alone.append(diagnostic)
      }
    }
    let grouped = members.map { group, all in
      let first = all.inStableOrder()
      return Diagnostic(
        first[0].severity, rule: group.rule, at: group.declaration.location ?? first[0].location,
        message: "\(all.count) \(group.declaration.summary)",
        notes: first.map { Diagnostic.Note($0.message, at: $0.location) })
    }
    return alone + grouped.inStableOrder()
  }
}
