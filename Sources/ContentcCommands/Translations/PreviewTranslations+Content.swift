import ContentModel
package import ContentPreview
import ContentSource
import Diagnostics
import Translations

extension PreviewTranslations {
  /// The translations of a content folder on disk.
  ///
  /// With `mayEdit`, the page may save texts and import files.
  package init(of place: ContentPlace, mayEdit: Bool) {
    let content = PreviewedContent(place: place)
    self.init(
      list: content.list, export: content.export, importFile: content.importFile,
      save: mayEdit ? content.save : nil)
  }
}

/// A content folder whose translations a page shows.
private struct PreviewedContent: Sendable {
  let place: ContentPlace

  private func read() -> Diagnosed<TranslatedContent?> {
    do throws(Failure) { return TranslatedContent.read(try place.open()) } catch {
      return Diagnosed(nil, diagnostics: [error.diagnostic])
    }
  }

  func list(_ locale: LocaleTag?) -> PreviewTranslations.List? {
    guard let project = read().output?.project else { return nil }
    let (source, targets) = (project.locales.source, project.locales.targets)
    let units = locale.map { targets.contains($0) ? project.units(into: $0) : [] } ?? []
    return PreviewTranslations.List(
      source: source, targets: targets, isLocked: project.lock != nil,
      units: units.map { PreviewTranslations.Unit($0, source: source) })
  }

  func export(
    _ format: TranslationFormat, into locale: LocaleTag, onlyOpen: Bool
  ) -> Diagnosed<[UInt8]?> {
    let read = read()
    guard let project = read.output?.project else {
      return Diagnosed(nil, diagnostics: read.diagnostics)
    }
    let file = project.file(format, into: locale, onlyOpen: onlyOpen).encoded()
    return Diagnosed(file.hasErrors ? nil : file.output, diagnostics: file.diagnostics)
  }

  func importFile(
    _ file: PreviewTranslations.ImportedFile, _ isDryRun: Bool
  ) -> PreviewTranslations.ImportReport {
    change(isDry: isDryRun) { content in
      try content.importing(
        [(file.name, file.bytes)], options: TranslationImport.Options(equalAs: file.equalAs))
    }
  }

  /// Writes the texts of an edit, unless one of them has changed since the page showed it.
  func save(_ edit: PreviewTranslations.Edit) -> PreviewTranslations.ImportReport {
    change(isDry: false) { content in
      let project = content.project
      _ = try content.target(edit.locale.identifier)
      let units = project.units(into: edit.locale).map { ($0.unit.id, $0.unit) }
      let known = Dictionary(units) { first, _ in first }
      let edits = [edit] + edit.others
      let stale = edits.compactMap { $0.problem(with: known[$0.id]) }
      guard stale.isEmpty else { return Diagnosed(nil, diagnostics: stale) }
      let file = TranslationFile(
        .xliff, from: project.locales.source, to: edit.locale,
        units: edits.map { TranslationUnit(id: $0.id, source: $0.source, target: $0.target) })
      // A person typed this text on purpose, even if it equals the source.
      var plan = try content.importing(
        [file], options: TranslationImport.Options(equalAs: .translated))
      // If the import would skip or refuse a text, nothing is saved.
      if let saved = plan.output, saved.skipped > 0 || saved.refused > 0 {
        plan.output = nil
        for index in plan.diagnostics.indices { plan.diagnostics[index].severity = .error }
      }
      return plan
    }
  }

  private func change(
    isDry: Bool, _ plan: (TranslatedContent) throws -> Diagnosed<TranslationImport?>
  ) -> PreviewTranslations.ImportReport {
    let read = read()
    guard let content = read.output else {
      return PreviewTranslations.ImportReport(diagnostics: read.diagnostics, isRefused: true)
    }
    do {
      let planned = try plan(content)
      guard let changes = planned.output else {
        return PreviewTranslations.ImportReport(
          diagnostics: planned.diagnostics, isRefused: true)
      }
      if !isDry { try ContentFiles(content.folder).replace(changes.files) }
      return PreviewTranslations.ImportReport(
        changedFiles: changes.files.map { content.folder.shownPath($0.path) },
        changedUnits: changes.changed, refusedUnits: changes.refused,
        equalUnits: changes.equal, diff: changes.diff(below: content.folder.name),
        diagnostics: planned.diagnostics)
    } catch {
      let problem =
        (error as? Failure)?.diagnostic
        ?? .error(.unwritableFile, at: nil, message: "the change failed: \(error)")
      return PreviewTranslations.ImportReport(diagnostics: [problem], isRefused: true)
    }
  }
}

extension PreviewTranslations.Unit {
  fileprivate init(_ located: LocatedUnit, source: LocaleTag) {
    let unit = located.unit
    let parent = located.inherited ?? (unit.target == nil ? (unit.source, source) : nil)
    self.init(
      id: unit.id, entry: located.text.entry, source: unit.source, target: unit.target,
      state: unit.state, isOutdated: located.isOutdated,
      inherited: parent.map { Inherited(text: $0.text, locale: $0.locale) },
      note: unit.note, maximumLength: unit.maximumLength, whereUsed: unit.whereUsed,
      isMarkdown: located.text.isMarkdown, location: located.location.description,
      group: located.group)
  }
}

extension PreviewTranslations.Edit {
  /// Returns the reason why the edit is not based on the current texts; `nil` if it is.
  fileprivate func problem(with unit: TranslationUnit?) -> Diagnostic? {
    guard let unit else {
      return .error(.translationUnknown, at: nil, message: "the content has no text '\(id)'")
    }
    if !unit.source.hasSameBytes(as: source) {
      return .error(
        .translationSource, at: nil, message: "the source text has changed meanwhile")
    }
    let isSame = unit.target.map { target in previous?.hasSameBytes(as: target) ?? false }
    return isSame ?? (previous == nil)
      ? nil
      : .error(
        .translationSource, at: nil, message: "the file has another translation meanwhile")
  }
}
