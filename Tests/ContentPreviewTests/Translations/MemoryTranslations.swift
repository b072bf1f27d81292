import ContentModel
import ContentPreview
import Diagnostics
import Synchronization
import Translations

/// Translations in memory, which are changed as the commands change those of a content folder.
///
/// A class, since the closures that it gives to a preview share its units.
final class MemoryTranslations: Sendable {
  typealias Unit = PreviewTranslations.Unit
  typealias Report = PreviewTranslations.ImportReport

  let source: LocaleTag
  private let units: Mutex<[(locale: LocaleTag, units: [Unit])]>
  /// Writes a changed unit elsewhere, too.
  private let onSave: @Sendable (LocaleTag, Unit) -> Void

  init(
    source: LocaleTag, units: [(locale: LocaleTag, units: [Unit])],
    onSave: @escaping @Sendable (LocaleTag, Unit) -> Void = { _, _ in }
  ) {
    (self.source, self.onSave) = (source, onSave)
    self.units = Mutex(units)
  }

  func units(of locale: LocaleTag) -> [Unit] {
    units.withLock { $0.first { $0.locale == locale }?.units ?? [] }
  }

  /// The closures that a preview gets.
  func translations(isEditable: Bool) -> PreviewTranslations {
    var translations = PreviewTranslations(
      list: { self.list($0) },
      export: { self.export($0, into: $1, onlyOpen: $2) },
      importFile: { self.importFile($0, isDryRun: $1) })
    if isEditable { translations.save = { self.change($0, isDryRun: false) } }
    return translations
  }

  private func list(_ locale: LocaleTag?) -> PreviewTranslations.List {
    PreviewTranslations.List(
      source: source, targets: units.withLock { all in all.map { $0.locale } }, isLocked: true,
      units: locale.map { units(of: $0) } ?? [])
  }

  private func export(
    _ format: TranslationFormat, into locale: LocaleTag, onlyOpen: Bool
  ) -> Diagnosed<[UInt8]?> {
    let wanted = units(of: locale).filter { !onlyOpen || $0.target == nil }
    let file = TranslationFile(
      format, from: source, to: locale,
      units: wanted.map { TranslationUnit(id: $0.id, source: $0.source, target: $0.target) }
    ).encoded()
    return Diagnosed(file.hasErrors ? nil : file.output, diagnostics: file.diagnostics)
  }

  private func importFile(
    _ file: PreviewTranslations.ImportedFile, isDryRun: Bool
  ) -> Report {
    let read = TranslationFile.decode(
      file.bytes, path: file.name,
      locales: TranslationLocales(source: source, targets: list(nil).targets))
    guard !read.hasErrors else { return Report(diagnostics: read.diagnostics, isRefused: true) }
    var report = Report(diagnostics: read.diagnostics)
    for translations in read.output {
      for unit in translations.units {
        if unit.repeatsSource { report.equalUnits += 1 }
        if unit.repeatsSource, file.equalAs == .missing { continue }
        guard let target = unit.target,
          let known = units(of: translations.targetLocale).first(where: { $0.id == unit.id }),
          known.target != target
        else { continue }
        let edit = PreviewTranslations.Edit(
          locale: translations.targetLocale, id: unit.id, source: unit.source,
          previous: known.target,
          target: target)
        let one = change(edit, isDryRun: isDryRun)
        report.changedUnits += one.changedUnits
        report.changedFiles += one.changedFiles.filter { !report.changedFiles.contains($0) }
        report.diff += one.diff
        report.diagnostics += one.diagnostics
      }
    }
    report.isRefused = report.diagnostics.hasErrors
    return report
  }

  /// Changes a unit, unless the edit is of another source text or translation.
  private func change(_ edit: PreviewTranslations.Edit, isDryRun: Bool) -> Report {
    guard var unit = units(of: edit.locale).first(where: { $0.id == edit.id }) else {
      return Self.refused("unit '\(edit.id)' is not in the content")
    }
    guard unit.source == edit.source else {
      return Self.refused("the source text has changed to '\(unit.source)'")
    }
    guard unit.target == edit.previous else {
      return Self.refused("the translation has changed to '\(unit.target ?? "")'")
    }
    if let most = unit.maximumLength, edit.target.unicodeScalars.count > most {
      return Self.refused("the text must have at most \(most) characters")
    }
    let file = "content/entries/\(unit.entry.text).\(edit.locale.identifier).yaml"
    let diff = "--- \(file)\n-\(unit.target ?? "")\n+\(edit.target)\n"
    (unit.target, unit.state, unit.isOutdated, unit.inherited) =
      (edit.target, .translated, false, nil)
    if !isDryRun {
      put(unit, in: edit.locale)
      onSave(edit.locale, unit)
    }
    return Report(changedFiles: [file], changedUnits: 1, diff: diff)
  }

  /// Replaces a unit, as an edit of a file does.
  func put(_ unit: Unit, in locale: LocaleTag) {
    units.withLock { all in
      for place in all.indices where all[place].locale == locale {
        for index in all[place].units.indices where all[place].units[index].id == unit.id {
          all[place].units[index] = unit
        }
      }
    }
  }

  private static func refused(_ message: String) -> Report {
    Report(
      diagnostics: [.error(.translationSource, at: nil, message: message)], isRefused: true)
  }
}
