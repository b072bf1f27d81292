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

    package init(at location: SourceLocation?, summary: String) {
      (self.location, self.summary) = (location, summary)
    }

    package static func == (a: Declaration, b: Declaration) -> Bool {
      a.location == b.location && a.summary == b.summary
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
  /// The greatest number of values that are reported one by one for a declaration.
  private static var mostAlone: Int { 10 }

  private struct Group: Hashable {
    var rule: String
    var declaration: Diagnostic.Declaration

    init?(_ diagnostic: Diagnostic) {
      guard let declaration = diagnostic.declaration else { return nil }
      (rule, self.declaration) = (diagnostic.id, declaration)
    }
  }

  /// Returns the diagnostics, with one at the declaration for more than ten values that break the
  /// same rule of it.
  ///
  /// The combined diagnostic has the count of the values, and its notes show the first ten.
  package func groupedByDeclaration() -> [Diagnostic] {
    var counts: [Group: Int] = [:]
    for group in compactMap(Group.init) { counts[group, default: 0] += 1 }
    counts = counts.filter { $0.value > Self.mostAlone }
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
        first[0].severity, id: group.rule, at: group.declaration.location ?? first[0].location,
        message: "\(all.count) \(group.declaration.summary)",
        notes: first.prefix(Self.mostAlone).map { Diagnostic.Note($0.message, at: $0.location) })
    }
    return alone + grouped.inStableOrder()
  }
}
