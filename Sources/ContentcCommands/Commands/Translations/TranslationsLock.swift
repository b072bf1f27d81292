import ArgumentParser
import ContentModel
import ContentSource
import Diagnostics
import Translations

/// Records the source texts of translations.
struct TranslationsLock: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record in translations.lock which source text each translation was made from.",
    discussion: help(
      """
      Takes over the translations that have changed since the last time, as made from the present \
      source texts, and new ones. A translation whose source text has changed, but which has not, \
      stays outdated; '--accept' takes it over, too, because it still fits. After a merge, the file \
      may have git's marks: the lines of both sides are taken.
      """))

  static let examples = """
    contentc translations lock
    contentc translations lock --accept product/country-charm --locale fr
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.tryAgain, "a file has changed meanwhile: run the command again")
  ]
  static let result: [ResultRow] = [
    ResultRow(
      ["translations": .integer, "added": .integer, "accepted": .integer, "removed": .integer],
      "numbers of translations in the lock, of new ones, of those taken over, and of removed rows"),
    ResultRow(["outdated": .integer], "the number of outdated translations"),
    ResultRow(["dryRun": .boolean], "whether the lock was left as it is"),
  ]

  @Option(
    help: ArgumentHelp(
      "An entry whose outdated translations still fit: an id or a pattern such as 'product/*'; may "
        + "be repeated. Default: none.", valueName: "entry"), completion: .entries)
  var accept: [String] = []
  @Option(
    help: ArgumentHelp("The locale of '--accept'. Default: all locales.", valueName: "locale"),
    completion: .translatedLocales)
  var locale: String?
  @Flag(help: "Show the numbers of changes, and change nothing.")
  var dryRun = false
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if locale != nil, accept.isEmpty {
      throw ValidationError("'--locale' limits '--accept': name an entry, or '**' for all")
    }
  }

  func perform() throws -> Report {
    let folder = try input.open()
    let read = TranslatedContent.read(folder, mergesSides: true)
    guard let content = read.output else {
      return Report(diagnostics: read.diagnostics, sources: SourceTexts(folder))
    }
    let patterns = try patterns(among: content.project.table.entries.map(\.text))
    let locale = try locale.map(content.target)
    let update = content.project.updatedLock { unit, target in
      (locale.map { $0 == target } ?? true)
        && patterns.contains { $0.matches(unit.text.entry.text) }
    }
    let path = TranslationLock.fileName
    let file = EditedFile(path: path, old: content.lock?.file, new: update.lock.encoded)
    if !dryRun, file.old != file.new { try ContentFiles(folder).replace([file]) }
    return update.report(isDry: dryRun)
  }

  private func patterns(among ids: [String]) throws(Failure) -> [Glob] {
    var patterns: [Glob] = []
    for text in accept {
      guard let pattern = Glob(text), ids.contains(where: pattern.matches) else {
        throw Failure(.missingInput, unknown: .unknownEntry, text, known: ids)
      }
      patterns.append(pattern)
    }
    return patterns
  }
}
