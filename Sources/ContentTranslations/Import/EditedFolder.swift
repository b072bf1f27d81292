import ContentModel
import ContentSource
import Diagnostics
import SourceYAML
import TranslationFiles
import YAMLEditing

/// A content folder with translations written into its files, in memory.
struct EditedFolder {
  /// The changed files, by path.
  private(set) var files: [EditedFile] = []
  /// The problems of translations that cannot be written, at their places in the imported file.
  private(set) var diagnostics: [Diagnostic] = []
  private let folder: ContentFolder

  /// The edits of one file; `units` has the unit of each edit, or `nil` for a copied value.
  private struct Edits {
    var edits: [YAMLEdit] = []
    var units: [ImportedUnit?] = []

    mutating func add(_ steps: [YAMLEdit.Step], text: String, for unit: ImportedUnit?) {
      edits.append(YAMLEdit(steps, text: text))
      units.append(unit)
    }
  }

  /// Edits the files of a folder.
  init(
    _ changes: [ImportedUnit], in folder: ContentFolder, tree: ContentTree,
    project: TranslationProject
  ) {
    self.folder = folder
    let overlays = OverlayFiles(of: tree)
    var byPath: [ExactString: Edits] = [:]
    var translations: [LocaleTag: Translations] = [:]
    var newLists: Set<ExactString> = []
    for change in changes {
      let known = translations[change.locale] ?? project.table.translations(into: change.locale)
      translations[change.locale] = known
      let place = overlays.place(of: change.current.text, in: known)
      var edits = byPath[place.path] ?? Edits()
      if let list = change.current.text.list, !known.hasList(list) {
        if newLists.insert("\(change.locale) \(list.id)") {
          let items = changes.filter {
            $0.locale == change.locale && $0.current.text.list?.id == list.id
          }
          for (steps, text, unit) in list.values(translatedBy: items) {
            edits.add(place.steps + steps, text: text, for: unit)
          }
        }
      } else {
        edits.add(place.steps + change.steps, text: change.target, for: change)
      }
      byPath[place.path] = edits
    }
    for path in byPath.names {
      if let edits = byPath[path] { apply(edits, to: path, in: tree.project) }
    }
  }

  private mutating func apply(_ edits: Edits, to path: String, in project: Project) {
    let old = try? folder.read(path)
    let reader = YAMLReader(duplicateKeys: project.duplicateKeys(in: path))
    let file = YAMLFile(old ?? [], path: folder.shownPath(path), reader: reader)
    do throws(YAMLEditFailure) {
      let new = try file.applying(edits.edits)
      if new != old { files.append(EditedFile(path: path, old: old, new: new)) }
    } catch {
      diagnostics += error.problems.map { problem in
        let unit = problem.edit.flatMap { edits.units[$0] }
        return .error(
          "translation-unwritable", at: unit?.place ?? problem.location, message: problem.message,
          notes: unit == nil
            ? [] : [Diagnostic.Note("the translation belongs here", at: problem.location)])
      }
    }
  }

  /// The folder with the edited files.
  private var edited: ContentFolder {
    let new = Dictionary(firstOf: files.map { ($0.path, $0.new) })
    let folder = folder
    var edited = folder
    let known = Set(names: folder.items.map(\.path))
    edited.items += new.names.filter { !known.contains($0) }.map { ContentFolder.Item(path: $0) }
    edited.items.sort { $0.path.precedesInBytes($1.path) }
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
  ) rethrows -> [Diagnostic] {
    guard !files.isEmpty else { return [] }
    let input = ContentInput.read(edited)
    guard let tree = input.tree else { return input.diagnostics }
    let places = EditedPlaces(of: changes, in: tree)
    var problems = places.unwritten
    var others: [Diagnostic] = []
    for diagnostic in try check(input) {
      if let change = places.change(at: diagnostic.location) {
        problems.append(diagnostic.moved(to: change))
      } else if diagnostic.severity == .error {
        others.append(diagnostic)
      }
    }
    if others.isEmpty { return problems }
    let known = Set(try check(ContentInput.read(folder)).map(\.withoutPlace))
    return problems + others.filter { !known.contains($0.withoutPlace) }
  }
}

/// The places of changed texts in the edited files.
private struct EditedPlaces {
  private var byPath: [ExactString: [(range: SourceRange, change: ImportedUnit)]] = [:]
  /// An error for each text that the edited content does not have as imported.
  private(set) var unwritten: [Diagnostic] = []

  init(of changes: [ImportedUnit], in tree: ContentTree) {
    let table = TextTable(of: tree)
    var translations: [LocaleTag: Translations] = [:]
    for change in changes {
      let known = translations[change.locale] ?? table.translations(into: change.locale)
      translations[change.locale] = known
      let whole = table.text(change.current.text.id).flatMap(known.node)
      let node = change.current.category.map { whole?[$0.rawValue] } ?? whole
      guard let node, node.text == change.target else {
        unwritten.append(
          .error(
            "translation-unwritable", at: change.place,
            message: "'\(change.unit.id)' has another text in the files after the import"))
        continue
      }
      byPath[node.path, default: []].append((node.range, change))
      // Problems of a plural as a whole are reported at its first line.
      if let whole, change.current.category != nil {
        byPath[node.path]?.append((whole.range, change))
      }
    }
  }

  /// Returns the changed text at a place, the smallest one around it.
  func change(at location: SourceLocation?) -> ImportedUnit? {
    guard let location, let start = location.range?.start else { return nil }
    // The innermost of two ranges begins last.
    return byPath[location.path]?.filter { $0.range.start <= start && start < $0.range.end }
      .max { $0.range.start < $1.range.start }?.change
  }
}

extension Diagnostic {
  /// The problem without the lines that an edit moves.
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

extension Translations {
  /// Returns `true` if the locale has a list, so that its items can be replaced one by one.
  fileprivate func hasList(_ list: WholeList) -> Bool {
    values.contains { id, _ in id.text.utf8.starts(with: "\(list.id).".utf8) }
  }
}

extension WholeList {
  /// The values of a translated list in written order: those of the translations, and of all else
  /// the source's.
  fileprivate func values(
    translatedBy units: [ImportedUnit]
  ) -> [(steps: [YAMLEdit.Step], text: String, unit: ImportedUnit?)] {
    let units = Dictionary(grouping: units, by: \.current.text.steps)
    var values: [(steps: [YAMLEdit.Step], text: String, unit: ImportedUnit?)] = []
    func visit(_ node: YAMLNode, at steps: [YAMLEdit.Step]) {
      if let translated = units[steps] {
        values += translated.map { ($0.steps, $0.target, $0) }
        return
      }
      switch node.kind {
      case .scalar: values.append((steps, node.isNull ? "" : node.text, nil))
      case .sequence:
        for (index, item) in node.items.enumerated() { visit(item, at: steps + [.index(index)]) }
      case .mapping:
        for (key, value) in node.members { visit(value, at: steps + [.member(key.text)]) }
      }
    }
    visit(node, at: steps)
    return values
  }
}
