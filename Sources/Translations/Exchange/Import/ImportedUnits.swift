package import ContentModel
import Diagnostics
import YAML

/// The translations of imported files that the content can take, and the problems of the others.
///
/// A unit with a mistake is left out, with a diagnostic that names the unit. All other units are
/// still imported.
struct ImportedUnits {
  private(set) var diagnostics: [Diagnostic] = []
  /// The number of units without a translation.
  private(set) var missing = 0
  /// The number of translations that are left out with a warning: the content does not have their
  /// texts, or their languages do not have their plural categories.
  private(set) var skipped = 0
  /// The number of units whose translation in the file equals the source text.
  private(set) var equal = 0
  /// The texts that are left out because of an error, including texts that the content does not
  /// have.
  private(set) var refused: Set<ImportedUnit.Key> = []
  private let options: TranslationImport.Options
  /// For each locale, the imported units and all units of the content.
  private var found: [(units: [ImportedUnit], located: [LocatedUnit])] = []
  /// The place of each translation in the first file that has it; a second file must not have it.
  private var places: [ImportedUnit.Key: SourceLocation?] = [:]

  /// Matches the units of files with the units of the content.
  init(
    _ files: [TranslationFile], in project: TranslationProject, options: TranslationImport.Options
  ) {
    self.options = options
    // The locales have the order of their first files.
    let locales = files.enumerated().filter { place, file in
      files.firstIndex { $0.targetLocale == file.targetLocale } == place
    }.map(\.element.targetLocale)
    for locale in locales {
      let files = files.filter { $0.targetLocale == locale }
      let zeros = files.flatMap(\.units).compactMap { unit in
        unit.target == nil ? nil : unit.plural.flatMap { $0.category == .zero ? $0.text : nil }
      }
      let located = project.units(into: locale, withZeroOf: Set(zeros))
      let known = Dictionary(located.map { ($0.unit.id, $0) }) { first, _ in first }
      let units = files.flatMap { imported($0, known: known, in: project) }
      found.append((units, located))
      if options.equalAs == nil, !locale.isRegionalVariant(of: project.locales.source) {
        warnOfCopies(among: units, into: locale)
      }
    }
  }

  private mutating func imported(
    _ file: TranslationFile, known: [ExactString: LocatedUnit], in project: TranslationProject
  ) -> [ImportedUnit] {
    var found: [ImportedUnit] = []
    var ids: [String]?
    for read in file.units {
      if read.repeatsSource { equal += 1 }
      guard let current = known[read.id] else {
        if isUnusedCategory(read, of: file.targetLocale, in: project) { continue }
        let candidates = ids ?? known.names
        ids = candidates
        reportUnknown(read, locale: file.targetLocale, among: candidates)
        continue
      }
      // `counted` runs twice. The change of line breaks drops the translation of a copy in state
      // `new`, and some units equal their source only after that change.
      let unit = read.counted(equalAs: options.equalAs).withLineBreaks(of: current.unit)
        .counted(equalAs: options.equalAs)
      guard let target = unit.target else {
        missing += 1
        continue
      }
      guard !target.isBlank || current.unit.source.isBlank else {
        missing += 1
        warnOfBlank(unit)
        continue
      }
      let imported = ImportedUnit(
        unit: unit, current: current, locale: file.targetLocale, target: target,
        isReviewed: file.format.hasUntouchedStates)
      if takes(imported, from: file.format) { found.append(imported) }
    }
    return found
  }

  /// Returns `false` for a unit that is left out because of an error in it.
  private mutating func takes(_ imported: ImportedUnit, from format: TranslationFormat) -> Bool {
    let (unit, current) = (imported.unit, imported.current)
    if let first = places[imported.key] {
      refused.insert(imported.key)
      diagnostics.append(.repeated(imported, first: first))
      return false
    }
    places[imported.key] = .some(unit.place)
    if imported.isOfOtherSource { diagnostics.append(.otherSource(imported)) }
    guard imported.isChange else { return true }
    var problems: [Diagnostic] = []
    if let problem = unit.unwritableCharacter(replacing: current.unit.target) {
      problems.append(problem)
    }
    if let problem = format.problem(unit) { problems.append(problem) }
    // White space around Markdown has no meaning, and tools trim texts.
    if !current.text.isMarkdown {
      problems += unit.whitespaceWarnings(replacing: current.unit.target).map {
        $0.breaking(
          Diagnostic.Declaration(
            at: nil, summary: "translations have other white space than their sources"))
      }
    }
    diagnostics += problems
    if problems.hasErrors { refused.insert(imported.key) }
    return !problems.hasErrors
  }

  // MARK: Problems of units

  /// Returns `true` for a plural category that the locale's language does not have.
  ///
  /// A unit of such a category is left out, with a warning if it has a translation.
  private mutating func isUnusedCategory(
    _ unit: TranslationUnit, of locale: LocaleTag, in project: TranslationProject
  ) -> Bool {
    guard let plural = unit.plural, project.table.text(plural.text)?.isPlural == true else {
      return false
    }
    // In a catalog of several languages, a category that this language lacks has no text.
    guard unit.target != nil else { return true }
    skipped += 1
    let summary =
      "plurals have '\(plural.category.rawValue)', which '\(locale)' does not use; it is left out"
    diagnostics.append(
      .warning(
        .unusedCategory, at: unit.place,
        message: "'\(locale)' has no plural category '\(plural.category.rawValue)'; "
          + "'\(unit.id)' is left out"
      ).breaking(Diagnostic.Declaration(at: nil, summary: summary)))
    return true
  }

  private mutating func reportUnknown(
    _ unit: TranslationUnit, locale: LocaleTag, among ids: [String]
  ) {
    // A file from another state of the content can have very many unknown units.
    let isFirst = diagnostics.count < 100
    let nearest = isFirst ? unit.id.text.nearestPath(among: ids) : nil
    let message = "the content has no text '\(unit.id)'"
    var notes = nearest.map { [Diagnostic.Note("did you mean '\($0)'?")] } ?? []
    var problem: Diagnostic
    if options.skipsUnknown {
      skipped += 1
      problem = .warning(
        .translationUnknown, at: unit.place, message: message + "; it is left out")
    } else {
      refused.insert(ImportedUnit.Key(id: unit.id, locale: locale))
      notes.append(Diagnostic.Note("with '--skip-unknown', this is a warning"))
      problem = .error(.translationUnknown, at: unit.place, message: message)
    }
    problem.notes = notes
    let summary = "texts are not in the content and are left out; the file may be of other content"
    diagnostics.append(problem.breaking(Diagnostic.Declaration(at: nil, summary: summary)))
  }

  private mutating func warnOfBlank(_ unit: TranslationUnit) {
    let reason = unit.target == "" ? "is empty" : "is white space only"
    diagnostics.append(
      .warning(
        .translationSpace, at: unit.targetPlace ?? unit.place,
        message: "the translation of '\(unit.id)' \(reason), and counts as missing"))
  }

  /// Warns if most new translations of a locale equal their source texts, because tools fill in
  /// copies.
  private mutating func warnOfCopies(among units: [ImportedUnit], into locale: LocaleTag) {
    let changes = units.filter(\.isChange)
    let copies = changes.filter(\.unit.repeatsSource)
    guard let first = copies.first, 2 * copies.count > changes.count else { return }
    diagnostics.append(
      .warning(
        .translationCopies, at: first.place,
        message: "\(copies.count) of \(changes.count) new translations into '\(locale)' "
          + "\(copies.count == 1 ? "equals its source text" : "equal their source texts"), "
          + "and count\(copies.count == 1 ? "s" : "") as translated",
        notes: [
          Diagnostic.Note("'--equal-as missing' leaves out texts that a tool has copied"),
          Diagnostic.Note("'--equal-as translated' takes them without this warning"),
        ]))
  }

  // MARK: Plurals and lists

  /// The translations to write, the number of those that are left out with a warning, and the
  /// warnings.
  struct Selection {
    var units: [ImportedUnit] = []
    var skipped = 0
    var diagnostics: [Diagnostic] = []
  }

  /// Returns the translations, without those of `refused` texts and of incomplete plurals and
  /// lists.
  ///
  /// The content gets a plural or a list only as a whole.
  func selection(without refused: Set<ImportedUnit.Key>) -> Selection {
    let refused = refused.union(self.refused)
    var selection = Selection()
    for (units, located) in found {
      let left = units.filter { !refused.contains($0.key) }
      selection.addWhole(left, among: located)
    }
    return selection
  }
}

extension ImportedUnits.Selection {
  /// Adds units, without those of incomplete plurals and lists.
  ///
  /// If the content already has the plural, each of its categories can be imported alone. Of an
  /// incomplete list, only items that the content already has can be imported. A new plural of a
  /// string catalog needs only `other`.
  fileprivate mutating func addWhole(_ found: [ImportedUnit], among located: [LocatedUnit]) {
    let given = Set(found.map(\.unit.id))
    var missing: [ExactString: [ExactString]] = [:]
    var present: Set<ExactString> = []
    for unit in located {
      guard let group = unit.group else { continue }
      if unit.unit.target != nil {
        present.insert(group)
      } else if !unit.isOptional, !given.contains(unit.unit.id) {
        missing[group, default: []].append(unit.unit.id)
      }
    }
    var reported: Set<ExactString> = []
    units += found.filter { imported in
      let current = imported.current
      guard imported.isChange, current.unit.target == nil, let group = current.group,
        let lacking = missing[group], current.text.list != nil || !present.contains(group)
      else { return true }
      skipped += 1
      if reported.insert(group).inserted {
        diagnostics.append(.incomplete(imported, lacking: lacking))
      }
      return false
    }
  }
}

extension String {
  /// `true` for a text without a visible character.
  fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension LocatedUnit {
  /// The plural or the list that the content takes only as a whole; `nil` for a single text.
  package var group: ExactString? { text.list?.id ?? (category == nil ? nil : text.id) }

  /// `true` if a plural without this category can be written: readers of a string catalog get
  /// `other` instead.
  fileprivate var isOptional: Bool {
    text.isOfCatalog && text.list == nil && category.map { $0 != .other } ?? false
  }
}

extension Diagnostic {
  fileprivate static func repeated(_ imported: ImportedUnit, first: SourceLocation?) -> Diagnostic {
    .error(
      .translationUnit, at: imported.unit.place,
      message: "only one file may translate '\(imported.unit.id)' into '\(imported.locale)'",
      notes: [Note("the first is here", at: first)]
    ).breaking(
      Declaration(at: nil, summary: "texts are translated by several files, and are left out"))
  }

  fileprivate static func otherSource(_ imported: ImportedUnit) -> Diagnostic {
    .warning(
      .translationSource, at: imported.unit.place,
      message: "the source text of '\(imported.unit.id)' has changed since the export; "
        + "the translation counts as outdated",
      notes: [Note("the source text is here", at: imported.current.text.node.location)]
    ).breaking(
      Declaration(
        at: nil,
        summary: "source texts have changed since the export; the translations count as outdated"))
  }

  fileprivate static func incomplete(
    _ imported: ImportedUnit, lacking: [ExactString]
  ) -> Diagnostic {
    let names = lacking.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    let more = lacking.count > 3 ? " and \(lacking.count - 3) more" : ""
    let kind = imported.current.text.list == nil ? "plural" : "list"
    return .warning(
      .translationIncomplete, at: imported.place,
      message: "a \(kind) must be translated as a whole; it is left out, because \(names)\(more) "
        + "\(lacking.count == 1 ? "has" : "have") no translation")
  }
}
