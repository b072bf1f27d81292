import ContentModel
import ContentSource
import Diagnostics
import YAML

/// A content folder with translations written into its files, in memory.
struct EditedFolder {
  /// The changed files, by path.
  private(set) var files: [EditedFile] = []
  /// The problems of translations that cannot be written, at their places in the imported file.
  private(set) var problems: [Problem] = []
  /// The units that are written into each file.
  private var units: [ExactString: [ImportedUnit]] = [:]
  private let folder: ContentFolder
  /// The hashes of the files from which the tree was read.
  private let digests: [ExactString: Digest]

  /// A problem of an import.
  struct Problem {
    var diagnostic: Diagnostic
    /// The units to leave out so that the problem disappears; empty if nothing can be imported.
    var units: [ImportedUnit] = []
  }

  /// The edits of one file; `units` has the unit of each edit, or `nil` for a copied value.
  private struct Edits {
    var edits: [YAMLEdit] = []
    var units: [ImportedUnit?] = []

    mutating func add(_ edit: YAMLEdit, for unit: ImportedUnit?) {
      edits.append(edit)
      units.append(unit)
    }
  }

  /// Edits the files of a folder.
  init(
    _ changes: [ImportedUnit], in folder: ContentFolder, tree: ContentTree,
    project: TranslationProject
  ) {
    self.folder = folder
    digests = Dictionary(firstOf: tree.sources.map { ($0.path, $0.digest) })
    let overlays = OverlayFiles(of: tree)
    var byPath: [ExactString: Edits] = [:]
    var translations: [LocaleTag: Translations] = [:]
    let listed = Dictionary(grouping: changes.filter { $0.current.text.list != nil }) {
      ExactString("\($0.locale) \($0.current.text.list?.id.text ?? "")")
    }
    var finishedLists: Set<ExactString> = []
    for change in changes {
      let known = translations[change.locale] ?? project.table.translations(into: change.locale)
      translations[change.locale] = known
      let place = overlays.place(
        of: change.current.text, in: change.current.category, among: known)
      guard let list = change.current.text.list else {
        byPath[place.path, default: Edits()].add(
          YAMLEdit(place.steps + change.steps, text: change.target), for: change)
        continue
      }
      let name = ExactString("\(change.locale) \(list.id)")
      guard finishedLists.insert(name).inserted else { continue }
      let items = list.edits(
        by: listed[name] ?? [], in: known.lists[list.id], below: place.steps)
      for (edit, unit) in items { byPath[place.path, default: Edits()].add(edit, for: unit) }
    }
    for path in byPath.names {
      guard let edits = byPath[path] else { continue }
      units[path] = edits.units.compactMap(\.self)
      apply(edits, to: path, in: tree.project)
    }
  }

  private mutating func apply(_ edits: Edits, to path: String, in project: Project) {
    let old = try? folder.read(path)
    guard old.map({ Digest(of: $0) }) == digests[path] else {
      problems.append(
        Problem(
          diagnostic: .error(
            .changedFile, at: SourceLocation(path: folder.shownPath(path)),
            message: "the file has changed while the command read it; run it again")))
      return
    }
    let reader = YAMLReader(duplicateKeys: project.duplicateKeys(in: path))
    let file = YAMLFile(old ?? [], path: folder.shownPath(path), reader: reader)
    do throws(YAMLEditFailure) {
      let new = try file.applying(edits.edits)
      if new != old { files.append(EditedFile(path: path, old: old, new: new)) }
    } catch {
      problems += error.problems.map { problem in
        let unit = problem.edit.flatMap { edits.units[$0] }
        let notes = unit.map { unit in
          [
            Diagnostic.Note("the translation belongs here", at: problem.location),
            Diagnostic.Note("the text is '\(unit.unit.id)'"),
          ]
        }
        let diagnostic = Diagnostic.error(
          .translationUnwritable, at: unit?.place ?? problem.location, message: problem.message,
          notes: notes ?? [])
        return Problem(diagnostic: diagnostic, units: unit.map { [$0] } ?? units[path] ?? [])
      }
    }
  }

  /// The folder with the edited files.
  private var edited: ContentFolder {
    let new = Dictionary(firstOf: files.map { ($0.path, $0.new) })
    let folder = folder
    var edited = folder
    let known = Set(folder.items.map(\.path))
    edited.items += new.names.filter { !known.contains($0) }.map { ContentFolder.Item(path: $0) }
    edited.items.sort { $0.path < $1.path }
    edited.read = { path throws(ContentFolder.Problem) in
      if let bytes = new[path] { return bytes }
      return try folder.read(path)
    }
    return edited
  }

  /// Reads and checks the edited folder, and returns the problems of the translations: new errors,
  /// and warnings about the changed texts.
  func problems(
    of changes: [ImportedUnit], foundBy check: (ContentInput) throws -> [Diagnostic]
  ) rethrows -> [Problem] {
    // A file that could not be edited lacks its translations, and a check would report each of
    // them.
    guard !files.isEmpty, problems.isEmpty else { return [] }
    let input = ContentInput.read(edited)
    guard let tree = input.tree else { return input.diagnostics.map { problem(ofFile: $0) } }
    let places = EditedPlaces(of: changes, in: tree)
    var found = places.unwritten
    var others: [Diagnostic] = []
    var lines = EditedLines(of: files, in: folder)
    for diagnostic in try check(input) {
      if let change = places.change(at: diagnostic.location) {
        var moved = diagnostic.moved(to: change)
        moved.notes += lines.note(on: diagnostic, in: change).map { [$0] } ?? []
        found.append(Problem(diagnostic: moved, units: [change]))
      } else if diagnostic.severity == .error {
        others.append(diagnostic)
      }
    }
    if others.isEmpty { return found }
    let known = Set(try check(ContentInput.read(folder)).map(\.withoutPlace))
    return found
      + others.filter { !known.contains($0.withoutPlace) }.map { problem(ofFile: $0) }
  }

  /// Returns a problem at a place without a changed text.
  ///
  /// Any changed text of the same file may be the cause.
  private func problem(ofFile diagnostic: Diagnostic) -> Problem {
    let path = units.names.first {
      ExactString(folder.shownPath($0)) == diagnostic.location?.path
    }
    return Problem(diagnostic: diagnostic, units: path.flatMap { units[$0] } ?? [])
  }
}

/// The lines of the edited files, for the notes on texts of several lines.
private struct EditedLines {
  private let files: [ExactString: [UInt8]]
  /// The lines of each file and of each text with a problem, so that none is split twice.
  private var written: Lines = [:]
  private var texts: Lines = [:]

  private typealias Lines = [ExactString: [ArraySlice<UInt8>]]

  init(of files: [EditedFile], in folder: ContentFolder) {
    self.files = Dictionary(firstOf: files.map { (folder.shownPath($0.path), $0.new) })
  }

  /// Returns a note with the line that has a problem in a text of several lines.
  ///
  /// It is `nil` for a text that YAML has in another form, such as one with escapes, and for a line
  /// that the text has more than once.
  mutating func note(on diagnostic: Diagnostic, in change: ImportedUnit) -> Diagnostic.Note? {
    guard change.target.utf8.contains(0x0A), let location = diagnostic.location,
      let start = location.range?.start, let file = files[location.path]
    else { return nil }
    let lines = written[location.path] ?? Self.lines(file)
    written[location.path] = lines
    guard lines.indices.contains(start.line - 1), !lines[start.line - 1].isEmpty else { return nil }
    let line = lines[start.line - 1]
    let target = ExactString(change.target)
    let text = texts[target] ?? Self.lines(Array(change.target.utf8))
    texts[target] = text
    let found = text.indices.filter { text[$0] == line }
    guard found.count == 1 else { return nil }
    let shown = String(decoding: line, as: UTF8.self).shortened
    return Diagnostic.Note("line \(found[0] + 1) of the text is: \(shown)")
  }

  /// Splits a text into its lines, without the spaces before each.
  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.drop { $0 == 0x20 }
    }
  }
}

/// The places of changed texts in the edited files.
private struct EditedPlaces {
  private typealias Place = (range: SourceRange, change: ImportedUnit)

  /// The places of each file, in order of their beginnings.
  private var byPath: [ExactString: [Place]] = [:]
  /// An error for each text that differs from the imported one after the edit.
  private(set) var unwritten: [EditedFolder.Problem] = []

  init(of changes: [ImportedUnit], in tree: ContentTree) {
    let table = TextTable(of: tree)
    var translations: [LocaleTag: Translations] = [:]
    for change in changes {
      let known = translations[change.locale] ?? table.translations(into: change.locale)
      translations[change.locale] = known
      let text = table.text(change.current.text.id)
      let found = text.flatMap { known.node(of: $0, in: change.current.category) }
      guard let text, let node = found, node.text.hasSameBytes(as: change.target) else {
        let problem = Diagnostic.error(
          .translationUnwritable, at: change.place,
          message: "'\(change.unit.id)' has another text in the files after the import")
        unwritten.append(EditedFolder.Problem(diagnostic: problem, units: [change]))
        continue
      }
      byPath[node.path, default: []].append((node.range, change))
      // Problems of a plural as a whole are reported at its first line.
      guard change.current.category != nil else { continue }
      for part in known.nodes(of: text) {
        byPath[part.path, default: []].append((part.range, change))
      }
    }
    for path in byPath.keys { byPath[path]?.sort { $0.range.start < $1.range.start } }
  }

  /// Returns the smallest changed text around a place.
  func change(at location: SourceLocation?) -> ImportedUnit? {
    guard let location, let start = location.range?.start, let places = byPath[location.path] else {
      return nil
    }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].range.start <= start { low = middle + 1 } else { high = middle }
    }
    // Of nested ranges, the innermost begins last. Only the ranges of plurals contain others.
    let mostNested = 2 * PluralCategory.allCases.count
    return places[..<low].suffix(mostNested).last { start < $0.range.end }?.change
  }
}

extension Diagnostic {
  /// The problem without its lines, which an edit can move.
  fileprivate var withoutPlace: Diagnostic {
    var problem = self
    problem.location = location.map { SourceLocation(path: $0.path) }
    problem.notes = []
    return problem
  }

  /// The problem at the place of the translation in the imported file.
  fileprivate func moved(to change: ImportedUnit) -> Diagnostic {
    var moved = self
    moved.location = change.place
    moved.declaration = nil
    moved.fixIt = nil
    moved.notes.append(Note("the text is '\(change.unit.id)'"))
    return moved
  }
}

extension WholeList {
  /// The edits of a translated list, in the order of its items.
  ///
  /// Existing items of the locale get the translated texts. New items, and all items of a new list,
  /// are copies of the source's items with translated texts.
  fileprivate func edits(
    by units: [ImportedUnit], in translated: YAMLNode?, below prefix: [YAMLEdit.Step]
  ) -> [(edit: YAMLEdit, unit: ImportedUnit?)] {
    let count = translated?.items.count ?? 0
    let byItem = Dictionary(grouping: units) { $0.current.text.steps[steps.count].index ?? 0 }
    var edits: [(edit: YAMLEdit, unit: ImportedUnit?)] = []
    for index in byItem.keys.sorted() where index < count {
      edits += (byItem[index] ?? []).map { unit in
        (YAMLEdit(prefix + unit.steps, text: unit.target), unit)
      }
    }
    let last = translated == nil ? node.items.count - 1 : (byItem.keys.max() ?? 0)
    guard last >= count else { return edits }
    for index in count...last where index < node.items.count {
      let units = Dictionary(grouping: byItem[index] ?? [], by: \.current.text.steps)
      copy(
        node.items[index], at: steps + [.index(index)], translatedBy: units, below: prefix,
        into: &edits)
    }
    return edits
  }

  /// Adds the edits that copy a value of the source with some of its texts translated.
  private func copy(
    _ node: YAMLNode, at steps: [YAMLEdit.Step],
    translatedBy units: [[YAMLEdit.Step]: [ImportedUnit]], below prefix: [YAMLEdit.Step],
    into edits: inout [(edit: YAMLEdit, unit: ImportedUnit?)]
  ) {
    if let translated = units[steps] {
      edits += translated.map { (YAMLEdit(prefix + $0.steps, text: $0.target), $0) }
      return
    }
    guard units.keys.contains(where: { $0.starts(with: steps) }) else {
      edits.append((YAMLEdit(prefix + steps, copying: node), nil))
      return
    }
    for (index, item) in node.items.enumerated() {
      copy(item, at: steps + [.index(index)], translatedBy: units, below: prefix, into: &edits)
    }
    for (key, value) in node.members {
      copy(
        value, at: steps + [.member(key.text)], translatedBy: units, below: prefix, into: &edits)
    }
  }
}

extension YAMLEdit.Step {
  /// The index of an item; `nil` for another step.
  fileprivate var index: Int? { if case .index(let index) = self { index } else { nil } }
}
