import ContentModel
import Diagnostics
import SourceYAML
import TranslationFiles

/// The translations of imported files that the content can take, and the problems of the others.
struct ImportedUnits {
  private(set) var units: [ImportedUnit] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The number of units without a translation.
  private(set) var missing = 0
  /// The number of translations that are left out, because the content does not have their texts,
  /// or because a plural or a list is incomplete.
  private(set) var skipped = 0
  private let skipsUnknown: Bool
  /// The first place of each translation, which no other file may repeat.
  private var places: [LocaleTag: [ExactString: SourceLocation?]] = [:]
  /// The files that repeat translations of others.
  private var repeating: Set<ExactString> = []

  /// Finds the units of the content for those of files.
  ///
  /// With `skipsUnknown`, a unit that the content does not have is a warning, not an error.
  init(_ files: [TranslationFile], in project: TranslationProject, skipsUnknown: Bool) {
    self.skipsUnknown = skipsUnknown
    // Each locale at the place of its first file.
    let locales = files.enumerated().filter { place, file in
      files.firstIndex { $0.targetLocale == file.targetLocale } == place
    }.map(\.element.targetLocale)
    for locale in locales {
      let located = project.units(into: locale)
      let known = Dictionary(firstOf: located.map { ($0.unit.id, $0) })
      let found = files.filter { $0.targetLocale == locale }.flatMap {
        imported($0, known: known, in: project)
      }
      // Several files may have the parts of a plural or a list.
      units += whole(found, among: located)
    }
  }

  private mutating func imported(
    _ file: TranslationFile, known: [ExactString: LocatedUnit], in project: TranslationProject
  ) -> [ImportedUnit] {
    var found: [ImportedUnit] = []
    var ids: [String]?
    for unit in file.units {
      guard let current = known[unit.id] else {
        // A catalog of several languages has no text for a category that this one lacks.
        if unit.target == nil, let plural = unit.plural,
          project.table.text(plural.text)?.isPlural == true
        {
          continue
        }
        let candidates = ids ?? known.names
        ids = candidates
        reportUnknown(unit, locale: file.targetLocale, in: project, among: candidates)
        continue
      }
      guard let target = unit.target else {
        missing += 1
        continue
      }
      guard !target.isBlank || current.unit.source.isBlank else {
        missing += 1
        warnOfBlank(unit)
        continue
      }
      guard noteFirst(unit, in: file.targetLocale) else { continue }
      let imported = ImportedUnit(
        unit: unit, current: current, locale: file.targetLocale, target: target,
        isReviewed: file.format == .csv)
      if imported.isOfOtherSource { warnOfOtherSource(imported) }
      // White space around Markdown has no meaning, and tools trim texts.
      if imported.isChange, !current.text.isMarkdown {
        diagnostics += unit.whitespaceWarnings(replacing: current.unit.target)
      }
      found.append(imported)
    }
    return found
  }

  /// Notes a translation; returns `false` if another file has one of the same text, which is
  /// reported once for each file.
  private mutating func noteFirst(_ unit: TranslationUnit, in locale: LocaleTag) -> Bool {
    guard let first = places[locale]?[unit.id] else {
      places[locale, default: [:]][unit.id] = .some(unit.place)
      return true
    }
    if repeating.insert(unit.place?.path ?? "") {
      diagnostics.append(
        .error(
          "translation-unit", at: unit.place,
          message: "only one file may translate '\(unit.id)' into '\(locale)'",
          notes: [Diagnostic.Note("the first is here", at: first)]))
    }
    return false
  }

  private mutating func reportUnknown(
    _ unit: TranslationUnit, locale: LocaleTag, in project: TranslationProject, among ids: [String]
  ) {
    // A file that was exported for another state of the content can have very many.
    let isFirst = diagnostics.count < 100
    let nearest = isFirst ? unit.id.nearest(among: ids) : nil
    var message = "the content has no text '\(unit.id)'"
    if let plural = unit.plural, let text = project.table.text(plural.text), text.isPlural {
      message =
        "'\(locale)' has no plural category '\(plural.category.rawValue)', as in '\(unit.id)'"
    }
    var notes = nearest.map { [Diagnostic.Note("did you mean '\($0)'?")] } ?? []
    if skipsUnknown {
      skipped += 1
      diagnostics.append(
        .warning(
          "translation-unknown", at: unit.place, message: message + "; it is left out", notes: notes
        ))
    } else {
      notes.append(Diagnostic.Note("'--skip-unknown' imports the other texts"))
      diagnostics.append(
        .error("translation-unknown", at: unit.place, message: message, notes: notes))
    }
  }

  private mutating func warnOfOtherSource(_ imported: ImportedUnit) {
    diagnostics.append(
      .warning(
        "translation-source", at: imported.unit.place,
        message: "the source text of '\(imported.unit.id)' has changed since the export; "
          + "the translation counts as outdated",
        notes: [
          Diagnostic.Note(
            "the source text is here", at: imported.current.text.node.location)
        ]))
  }

  private mutating func warnOfBlank(_ unit: TranslationUnit) {
    diagnostics.append(
      .warning(
        "translation-space", at: unit.targetPlace ?? unit.place,
        message: "the translation of '\(unit.id)' is white space only, and counts as missing"))
  }

  /// Returns the units without those of incomplete plurals and lists, which the content gets only
  /// as a whole.
  ///
  /// If the content has a plural, each of its categories can be changed; of a list, each item that
  /// it has.
  private mutating func whole(
    _ found: [ImportedUnit], among located: [LocatedUnit]
  ) -> [ImportedUnit] {
    let given = Set(names: found.map(\.unit.id))
    var missing: [ExactString: [String]] = [:]
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
    return found.filter { imported in
      let current = imported.current
      guard imported.isChange, current.unit.target == nil, let group = current.group,
        let lacking = missing[group], current.text.list != nil || !present.contains(group)
      else { return true }
      skipped += 1
      if reported.insert(group) {
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
  package var group: String? { text.list?.id ?? (category == nil ? nil : text.id) }

  /// `true` if a plural without this category is complete.
  fileprivate var isOptional: Bool {
    category == .zero && text.isOfCatalog && unit.target == nil
  }
}

extension Diagnostic {
  fileprivate static func incomplete(
    _ imported: ImportedUnit, lacking: [String]
  ) -> Diagnostic {
    let names = lacking.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    let more = lacking.count > 3 ? " and \(lacking.count - 3) more" : ""
    let kind = imported.current.text.list == nil ? "plural" : "list"
    return .warning(
      "translation-incomplete", at: imported.place,
      message: "a \(kind) must be translated as a whole; it is left out, because \(names)\(more) "
        + "\(lacking.count == 1 ? "has" : "have") no translation")
  }
}
