package import ContentModel
import Diagnostics
package import Translations

extension TranslationImport {
  /// Returns the report of an import, or of the changes that it would make.
  package func report(of name: String, below folder: String, isDry: Bool) -> Report {
    var parts = ["\(changed.counted("text")) changed", "\(unchanged.grouped) unchanged"]
    if missing > 0 { parts.append("\(missing.grouped) without a translation") }
    if equal > 0 {
      parts.append("\(equal.grouped) equal to \(equal == 1 ? "its source" : "their sources")")
    }
    if skipped > 0 { parts.append("\(skipped.grouped) left out") }
    if refused > 0 { parts.append("\(refused.grouped) refused") }
    let summary =
      "\(isDry ? "Would import" : "Imported") \(name): "
      + parts.joined(separator: ", ") + "\n"
    let paths = files.map { folder.isEmpty ? $0.path : "\(folder)/\($0.path)" }
    let list = isDry ? diff(below: folder) : paths.map { "  \($0)\n" }.joined()
    var report = Report(text: summary + list)
    if isDry { report.text += "Nothing was changed: --dry-run\n" }
    report.json = [
      "changed": .integer(Int64(changed)), "unchanged": .integer(Int64(unchanged)),
      "missing": .integer(Int64(missing)), "equal": .integer(Int64(equal)),
      "skipped": .integer(Int64(skipped)), "refused": .integer(Int64(refused)),
      "files": .array(paths.map { .string($0) }), "dryRun": .boolean(isDry),
    ]
    if isDry { report.json["diff"] = .string(files.map { $0.diff(below: folder) }.joined()) }
    report.isResult = isDry
    return report
  }

  /// The changes in the form of `diff -u`, without characters that a terminal would obey.
  package func diff(below folder: String) -> String {
    files.map { TerminalText(page: $0.diff(below: folder)).string }.joined()
  }
}

extension TranslationProject.LockUpdate {
  /// The report of the command that updates the lock.
  package func report(isDry: Bool) -> Report {
    var parts = [
      "\(added.grouped) added", "\(accepted.grouped) taken over", "\(removed.grouped) removed",
    ]
    if outdated > 0 { parts.append("\(outdated.grouped) still outdated") }
    let text = "\(lock.count.counted("translation")): \(parts.joined(separator: ", "))\n"
    return Report(
      text: text + (isDry ? "Nothing was changed: --dry-run\n" : ""),
      json: [
        "translations": .integer(Int64(lock.count)), "added": .integer(Int64(added)),
        "accepted": .integer(Int64(accepted)), "removed": .integer(Int64(removed)),
        "outdated": .integer(Int64(outdated)), "dryRun": .boolean(isDry),
      ], isResult: isDry)
  }
}

extension TranslationProject {
  /// Returns the file of a locale's texts.
  ///
  /// With `onlyOpen`, the file has only texts whose translation is missing or outdated. For such a
  /// text in a plural or a list, the file has all categories or items.
  package func file(
    _ format: TranslationFormat, into locale: LocaleTag, onlyOpen: Bool
  ) -> TranslationFile {
    var units = units(into: locale)
    if onlyOpen {
      let groups = Set(units.filter(\.isOpen).compactMap(\.group))
      units = units.filter { $0.isOpen || $0.group.map(groups.contains) ?? false }
    }
    return TranslationFile(format, from: locales.source, to: locale, units: units.map(\.unit))
  }
}
