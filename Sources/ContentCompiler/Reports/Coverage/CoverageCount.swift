package import ContentModel
package import ContentSource
import System
package import YAML

/// The texts of each locale whose source text has changed since they were translated.
package typealias OutdatedTexts = [LocaleTag: Set<YAMLNode.Identity>]

/// Counts the localized texts of a tree by locale, datatype and state.
package func coverage(
  of tree: ContentTree, _ scope: CoverageScope = CoverageScope(),
  outdated: OutdatedTexts = [:]
) -> Coverage {
  let count = CoverageCount(of: tree, in: scope, outdated: outdated)
  let entries = tree.entries.filter { entry in
    scope.datatype.map { entry.id.datatype == $0 } ?? true
  }
  let rows = entries.chunks(of: 64).concurrentValues { entries in entries.map(count.row) }.flatMap(
    \.self)
  let names = Set(
    names: zip(entries, rows).filter { $1.contains { $0.counts.all > 0 } }.map { $0.0.id.datatype }
  ).names
  return Coverage(
    source: tree.project.locales.source, datatypes: names,
    locales: count.contexts.enumerated().map { place, context in
      var found = Coverage.OfLocale(locale: context.context.locale)
      let byDatatype = zip(entries, rows).reduce(into: [ExactString: Coverage.Counts]()) {
        counts, row in
        counts[row.0.id.datatype, default: .init()] =
          counts[row.0.id.datatype, default: .init()] + row.1[place].counts
      }
      found.datatypes = names.compactMap { name in
        byDatatype[name].flatMap { $0.all > 0 ? (name, $0) : nil }
      }
      found.total = found.datatypes.reduce(.init()) { $0 + $1.counts }
      found.entries = zip(entries, rows).compactMap { entry, row in
        row[place].gaps.isEmpty ? nil : Coverage.EntryGaps(id: entry.id, gaps: row[place].gaps)
      }
      return found
    })
}

/// The count of single entries, each in all locales.
private struct CoverageCount: Sendable {
  /// The context of the device `any` for each counted locale.
  let contexts: [(index: Int, context: Context)]
  private let source: (index: Int, context: Context)?
  private let locales: LocaleSet
  private let listsGaps: Bool
  private let rules: ResolutionRules
  /// The source locale, and its regional variants.
  private let variants: Set<LocaleTag>
  private let outdated: OutdatedTexts

  /// One entry in one locale.
  struct Cell: Sendable {
    var counts = Coverage.Counts()
    var gaps: [Coverage.Gap] = []
  }

  init(
    of tree: ContentTree, in scope: CoverageScope, outdated: OutdatedTexts
  ) {
    self.outdated = outdated
    let locales = tree.project.locales
    rules = ResolutionRules(of: tree.project)
    let all = rules.contexts.enumerated().filter { $0.element.device == DeviceTree.root }.map {
      (index: $0.offset, context: $0.element)
    }
    contexts = all.filter { context in scope.locale.map { context.context.locale == $0 } ?? true }
    source = all.first { $0.context.locale == locales.source }
    variants = Set(locales.declared.filter { $0.isRegionalVariant(of: locales.source) })
    (self.locales, listsGaps) = (locales, scope.listsGaps)
  }

  /// An entry in each locale.
  func row(_ entry: Entry) -> [Cell] {
    let base = source.flatMap { resolve(entry, in: $0.index) }
    let layers = LayerLocales(of: entry, source: locales.source)
    return contexts.map { context in
      let isSource = context.context.locale == locales.source
      guard let members = isSource ? base : resolve(entry, in: context.index) else { return Cell() }
      let texts = LocalizedTexts(
        of: members, beside: isSource ? [] : base ?? [], shape: entry.datatype.shape,
        locales: layers)
      return cell(of: texts, in: context.context.locale)
    }
  }

  private func resolve(_ entry: Entry, in context: Int) -> [Resolved.Member]? {
    rules.resolve(entry, in: context)?.members
  }

  private func cell(of texts: LocalizedTexts, in own: LocaleTag) -> Cell {
    var cell = Cell()
    for text in texts.all {
      let state = state(of: text, in: own)
      let isOutdated = isOutdated(text)
      cell.counts.count(state)
      if isOutdated { cell.counts.outdated += 1 }
      guard listsGaps, state != .translated || isOutdated else { continue }
      cell.gaps.append(
        Coverage.Gap(
          path: text.path, state: isOutdated ? .outdated : state, from: text.locale,
          location: text.origin?.location))
    }
    return cell
  }

  /// Returns `true` if the source text of a translation has changed since.
  private func isOutdated(_ text: LocalizedTexts.Text) -> Bool {
    guard let locale = text.locale, let origin = text.origin else { return false }
    return outdated[locale]?.contains(origin.identity) ?? false
  }

  private func state(of text: LocalizedTexts.Text, in own: LocaleTag) -> Coverage.State {
    guard let locale = text.locale else { return .missing }
    if locale == own { return .translated }
    return locale == locales.source && !variants.contains(own) ? .fallback : .inherited
  }
}
