package import ContentCompiler
import ContentModel
package import Diagnostics

/// The report and the errors of a coverage.
package struct CoveragePage {
  package let coverage: Coverage
  package let scope: CoverageScope
  /// `false` if translations.lock does not exist, so that no translation is known to be outdated.
  package let isLocked: Bool
  /// The largest number of entries in the text.
  package var limit = 50

  package init(coverage: Coverage, scope: CoverageScope, isLocked: Bool) {
    (self.coverage, self.scope, self.isLocked) = (coverage, scope, isLocked)
  }

  /// A table of locales and datatypes, and the numbers of outdated translations; for one locale or
  /// datatype, also the missing and the outdated texts.
  package var text: String {
    let heading =
      "Texts in the reader's language; each entry once per locale, as the device 'any' sees it\n\n"
    let parts = [heading + table, outdated, scope.listsGaps ? list : ""].filter { !$0.isEmpty }
    return parts.joined(separator: "\n")
  }

  /// The numbers of outdated translations, or the reason why they are unknown.
  private var outdated: String {
    guard isLocked else {
      return "Outdated translations are unknown: 'contentc translations lock' makes "
        + "translations.lock\n"
    }
    let counts = coverage.locales.filter { $0.total.outdated > 0 }.map {
      "\($0.total.outdated.grouped) in \($0.locale)"
    }
    // The list of texts shows the outdated ones, too.
    guard !counts.isEmpty, !scope.listsGaps else { return "" }
    return "Outdated, since their source texts have changed: \(counts.joined(separator: ", "))\n"
  }

  /// Returns an error for each locale whose share is lower than a limit in percent.
  package func shortfalls(under limit: Double) -> [Diagnostic] {
    coverage.locales.filter { $0.total.isUnder(percent: limit) }.map { row in
      Diagnostic(
        .error, rule: .coverage, at: nil,
        message:
          "'\(row.locale)' covers \(Self.percent(row.total.share)) %, "
          + "but must cover \(Self.exact(limit)) %",
        notes: [
          Diagnostic.Note(
            "\(row.total.words); 'contentc coverage --locale \(row.locale)' lists them")
        ])
    }
  }

  /// An error for each locale with outdated translations, or a single error if these are unknown.
  package var outdatedProblems: [Diagnostic] {
    guard isLocked else {
      return [
        .error(
          .outdated, at: nil,
          message: "without translations.lock, outdated translations are unknown",
          notes: [
            Diagnostic.Note("'contentc translations lock' makes the file; commit it")
          ])
      ]
    }
    return coverage.locales.filter { $0.total.outdated > 0 }.map { row in
      let count = row.total.outdated
      return Diagnostic(
        .error, rule: .outdated, at: nil,
        message: "'\(row.locale)' has \(count.counted("outdated translation"))",
        notes: [
          Diagnostic.Note(
            "'contentc coverage --locale \(row.locale)' lists them; 'contentc translations lock' "
              + "accepts translations that changed since, and with '--accept' those that still fit"
          )
        ])
    }
  }

  // MARK: The table

  private var table: String {
    let names = coverage.datatypes
    let head = ["locale", "all"] + names
    let rows = coverage.locales.map { row in
      [row.locale.identifier, Self.cell(row.total)]
        + names.map { name in
          row.datatypes.first { $0.name == name }.map { Self.cell($0.counts) } ?? "–"
        }
    }
    let lines = [head] + rows
    let widths = head.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      let cells = zip(line, widths).enumerated().map { column, cell in
        let (text, width) = cell
        return column == 0 ? text.padded(to: width) : text.paddedLeft(to: width)
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }

  private static func cell(_ counts: Coverage.Counts) -> String { "\(percent(counts.share)) %" }

  /// Returns a share in percent with at most one decimal place.
  ///
  /// The number is rounded down, so that 100 means all.
  private static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000 + 1e-9).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns a limit in percent with all its decimal places.
  ///
  /// If the limit were rounded like a share, it could look equal to a share below the limit.
  private static func exact(_ limit: Double) -> String {
    limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
  }

  // MARK: Missing texts

  private var list: String { coverage.locales.compactMap(list).joined(separator: "\n") }

  private func list(of row: Coverage.OfLocale) -> String? {
    let open = row.entries.map { (id: $0.id, gaps: $0.gaps.filter(\.isOpen)) }
      .filter { !$0.gaps.isEmpty }
    if open.isEmpty {
      return scope.locale == nil ? nil : "\(row.locale): nothing is left to translate\n"
    }
    // The entries with the most gaps first, otherwise in their order.
    let worst = open.enumerated().sorted {
      (-$0.element.gaps.count, $0.offset) < (-$1.element.gaps.count, $1.offset)
    }
    let entries = open.count.counted("entry", plural: "entries")
    var lines = ["\(row.locale): \(row.total.words), in \(entries)"]
    for (id, gaps) in worst.prefix(limit).map(\.element) {
      lines.append("  \(id)")
      let width = gaps.map(\.path.count).max() ?? 0
      for gap in gaps {
        lines.append("    \(gap.path.padded(to: width))  \(gap.words(coverage.source))")
      }
    }
    if worst.count > limit {
      let more = (worst.count - limit).counted("entry", plural: "entries")
      lines.append("  … and \(more) more; --json lists all")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Coverage.Counts {
  /// The counts as a phrase, such as `of 80 texts, 3 fall back, 1 is missing`.
  fileprivate var words: String {
    var parts = ["of \(all.counted("text"))"]
    if fallback > 0 { parts.append("\(fallback.grouped) \(fallback == 1 ? "falls" : "fall") back") }
    if missing > 0 { parts.append("\(missing.grouped) \(missing == 1 ? "is" : "are") missing") }
    if outdated > 0 {
      parts.append("\(outdated.grouped) \(outdated == 1 ? "is" : "are") outdated")
    }
    return parts.joined(separator: ", ")
  }
}

extension Coverage.Gap {
  /// `true` if a translator must act.
  fileprivate var isOpen: Bool { [.fallback, .missing, .outdated].contains(state) }

  fileprivate func words(_ source: LocaleTag) -> String {
    if state == .outdated { return "outdated" + (location.map { " at \($0)" } ?? "") }
    if let from, let location { return "\(from) at \(location)" }
    return "missing" + (location.map { "; \(source) at \($0)" } ?? "")
  }
}
