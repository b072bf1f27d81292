package import ContentModel
package import Diagnostics

/// The locales that a project declares; files of translations may use only these.
package struct TranslationLocales: Sendable {
  /// The locale in which content is written.
  package var source: LocaleTag
  /// The other locales.
  package var targets: [LocaleTag]

  package init(source: LocaleTag, targets: [LocaleTag]) {
    self.source = source
    self.targets = targets.filter { $0 != source }
  }

  /// Returns the declared locale with a tag, or with an alias of it.
  func target(_ tag: String) -> LocaleTag? {
    guard let tag = LocaleTag(tag) else { return nil }
    return targets.first { $0 == tag } ?? targets.first { $0.canonical == tag.canonical }
  }

  /// Returns `true` if a tag is the source locale or an alias of it.
  func isSource(_ tag: String) -> Bool {
    LocaleTag(tag).map { $0 == source || $0.canonical == source.canonical } ?? false
  }
}

extension TranslationFile {
  /// Reads a file, and recognizes its format by its content.
  ///
  /// The output has a file for each declared locale into which the given file translates.
  /// Languages that are not declared are left out, with a warning; without any declared language,
  /// there is an error. A unit with a mistake is left out with an error that names it, and all
  /// others are in the output. `path` is for diagnostics only.
  package static func decode(
    _ bytes: [UInt8], path: String, locales: TranslationLocales
  ) -> Diagnosed<[TranslationFile]> {
    do throws(TranslationProblem) {
      let input = try TextInput(bytes, path: path)
      if input.bytes.starts(with: "PK\u{3}\u{4}".utf8) {
        throw TranslationProblem(
          "the file must not be an archive or a workbook", at: SourceLocation(path: path),
          advice: "export CSV from the spreadsheet, or name the .xliff file in the archive")
      }
      let text = input.bytes.drop(while: \.isWhitespace)
      guard !text.isEmpty,
        let format = TranslationFormat.allCases.first(where: { $0.recognizes(text) })
      else {
        throw TranslationProblem("the file must not be empty", at: SourceLocation(path: path))
      }
      return try format.read(input, locales)
    } catch {
      return Diagnosed([], diagnostics: [error.diagnostic])
    }
  }
}

/// The units of a file by locale, and the problems found.
struct TranslationCollection {
  let format: TranslationFormat
  let locales: TranslationLocales
  private var files: [OpenFile] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// `true` if a diagnostic was left out.
  private var isCut = false
  private var count = 0
  /// The units with a mistake: by their ids, or by their places if they have no id.
  private var damaged: Set<ExactString> = []
  /// The languages of the file that are not declared, with their places.
  private var undeclared: [(tag: String, place: SourceLocation)] = []
  private var undeclaredTags: Set<ExactString> = []

  /// The units of one locale so far.
  private struct OpenFile {
    var file: TranslationFile
    var places: [ExactString: SourceLocation?] = [:]
    /// The ids that several units have; none of these units is imported, since one of them is
    /// wrong.
    var repeated: Set<ExactString> = []
  }

  init(_ format: TranslationFormat, locales: TranslationLocales) {
    (self.format, self.locales) = (format, locales)
  }

  /// The most units and diagnostics of a file: hostile files can have very many.
  private static let (mostUnits, mostDiagnostics) = (1_000_000, 1_000)

  /// `true` if there are too many units: the file is refused.
  var isFull: Bool { count >= Self.mostUnits }

  /// Returns the declared locale with a tag, and makes it ready for units.
  ///
  /// Records a tag that is not declared, and returns `nil` for it.
  mutating func open(_ tag: String, at place: SourceLocation) -> LocaleTag? {
    guard let locale = locales.target(tag) else {
      if undeclared.count < 100, undeclaredTags.insert(tag) { undeclared.append((tag, place)) }
      return nil
    }
    if index(of: locale) == nil {
      let file = TranslationFile(format, from: locales.source, to: locale, units: [])
      files.append(OpenFile(file: file))
    }
    return locale
  }

  /// Reports a source language that is not the project's.
  mutating func checkSource(_ tag: String, at place: SourceLocation) -> Bool {
    if locales.isSource(tag) { return true }
    append(
      .error(
        .translationLocale, at: place,
        message: "the source language must be '\(locales.source)', not '\(tag.shortened)'",
        notes: [.init("export the texts again with 'contentc translations export'")]))
    return false
  }

  /// Adds a unit, or reports that its id occurs twice.
  mutating func add(_ unit: TranslationUnit, to locale: LocaleTag) {
    guard let index = index(of: locale), !isFull else { return }
    count += 1
    let texts = [unit.id.text, unit.source, unit.target ?? ""]
    if texts.contains(where: { $0.unicodeScalars.contains(TextInput.damagedCharacter) }) {
      return report(
        "a text must be UTF-8; some of its bytes are not", of: unit.id.text, at: unit.targetPlace,
        advice: "type the text again")
    }
    if let first = files[index].places[unit.id] {
      files[index].repeated.insert(unit.id)
      noteDamage(of: unit.id.text, at: unit.place)
      append(
        .error(
          .translationUnit, at: unit.place,
          message: "unit '\(unit.id.text.shortened)' must occur once for '\(locale)'",
          notes: [.init("the first is here", at: first)]))
      return
    }
    files[index].places[unit.id] = .some(unit.place)
    files[index].file.units.append(unit)
  }

  /// Reports a mistake in one unit, which is left out.
  ///
  /// `id` is `nil` for a unit without an id.
  mutating func report(
    _ message: String, of id: String?, at place: SourceLocation?, advice: String? = nil
  ) {
    let notes = advice.map { [Diagnostic.Note($0)] } ?? []
    reportDamage(.error(.translationUnit, at: place, message: message, notes: notes), of: id)
  }

  /// Reports a state that the format does not have; the unit is left out.
  mutating func reportState(_ name: String, of id: String, at place: SourceLocation) {
    var known: [String] = []
    for (name, _) in format.states where !known.contains(name) { known.append(name) }
    let nearest = name.nearest(among: known).map { "; '\($0)' is near" } ?? ""
    reportDamage(
      .error(
        .translationState, at: place,
        message: "state '\(name.shortened)' must be one of \(known.joined(separator: ", "))"
          + nearest), of: id)
  }

  /// Reports the reason for which a unit is left out, and names the unit.
  mutating func reportDamage(_ diagnostic: Diagnostic, of id: String?) {
    noteDamage(of: id, at: diagnostic.location)
    var diagnostic = diagnostic
    if let id, !id.isEmpty { diagnostic.notes.append(.init("the text is '\(id.shortened)'")) }
    append(diagnostic)
  }

  private mutating func noteDamage(of id: String?, at place: SourceLocation?) {
    // No id has a line break, so the name of a place cannot equal an id.
    let name = id.flatMap { $0.isEmpty ? nil : $0 } ?? "\n\(place?.description ?? "")"
    damaged.insert(ExactString(name))
  }

  private mutating func append(_ diagnostic: Diagnostic) {
    if diagnostics.count < Self.mostDiagnostics {
      diagnostics.append(diagnostic)
    } else {
      isCut = true
    }
  }

  private func index(of locale: LocaleTag) -> Int? {
    files.firstIndex { $0.file.targetLocale == locale }
  }

  /// Returns the files, with a diagnostic for each language that is not declared.
  func finished(path: String) -> Diagnosed<[TranslationFile]> {
    guard !isFull else {
      let message = "a file must have less than a million units"
      let problem = TranslationProblem(message, at: SourceLocation(path: path))
      return Diagnosed([], diagnostics: [problem.diagnostic])
    }
    let known = locales.targets.map(\.identifier)
    var diagnostics = diagnostics
    for (tag, place) in undeclared {
      let language = LocaleTag(tag)?.language
      let nearest =
        tag.shortened.nearestLocale(among: known)
        ?? locales.targets.first { $0.language == language }?.identifier
      let advice =
        nearest.map { "a declared locale is '\($0)'" }
        ?? "the project declares \(known.joined(separator: ", "))"
      let message = "language '\(tag.shortened)' must be a declared locale other than the source's"
      diagnostics.append(
        files.isEmpty
          ? .error(.translationLocale, at: place, message: message, notes: [.init(advice)])
          : .warning(.translationLocale, at: place, message: message, notes: [.init(advice)]))
    }
    if isCut {
      diagnostics.append(
        .error(
          .translationFile, at: SourceLocation(path: path),
          message: "the file has more mistakes: the first \(Self.mostDiagnostics) are shown"))
    }
    if files.isEmpty, diagnostics.isEmpty {
      diagnostics.append(
        .error(
          .translationFile, at: SourceLocation(path: path),
          message: "the file must have translations into a declared locale",
          notes: [.init("the project declares \(known.joined(separator: ", "))")]))
    }
    return Diagnosed(finishedFiles, diagnostics: diagnostics)
  }

  /// The files, without the units whose ids occur several times.
  private var finishedFiles: [TranslationFile] {
    var finished = files.map { open in
      var file = open.file
      if !open.repeated.isEmpty {
        file.units.removeAll { open.repeated.contains($0.id) }
      }
      return file
    }
    if !finished.isEmpty { finished[0].damaged = damaged.count }
    return finished
  }
}

extension String {
  /// The text for a message: at most 80 characters.
  var shortened: String {
    let scalars = unicodeScalars.prefix(81)
    guard scalars.count > 80 else { return self }
    return String(String.UnicodeScalarView(scalars.prefix(79))) + "…"
  }
}
