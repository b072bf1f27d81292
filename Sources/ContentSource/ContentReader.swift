import ContentModel
package import Diagnostics
import System
import YAML

/// The reader of a content folder, which reads each file once and reports every mistake.
package enum ContentReader {
  /// Reads a folder as a tree; the tree is `nil` if `content.yaml` does not define locales and
  /// devices, or if `datatypes/` cannot be listed.
  ///
  /// With a `part`, the folder lists only the needed files, and the tree has only their entries.
  package static func read(
    _ folder: ContentFolder, only part: ContentPart? = nil
  ) -> Diagnosed<ContentTree?> {
    let files = folder.items.map(\.path.text).sorted { $0.sortsBefore($1) }
    guard let projectPath = ["content.yaml", "content.yml"].first(where: files.contains) else {
      return Diagnosed(nil, diagnostics: missingProject(folder))
    }
    let projectFile = LoadedFile(
      projectPath, in: folder, problem: folder.problems[projectPath], duplicateKeys: .error,
      store: YAMLStore())
    let read = projectFile.root.map(ProjectReading.init)
    let keyFolders = (read?.delivery.channels ?? []).compactMap(\.signing?.keys)
    let strays = unreadFiles(in: folder, besides: projectPath, keyFolders: keyFolders)
    let others = files.filter { $0 != projectPath }
    let unreadFolders = folder.unreadableFolders
    // Files without a locale are of the source locale; if it is undeclared, no entry can be
    // checked. Nor can it be without the datatypes.
    guard let project = read?.project, !project.hasUndeclaredSource,
      !unreadFolders.contains(where: { $0 == "datatypes" })
    else {
      let syntax = projectFile.diagnostics.ofProject + syntaxProblems(of: others, in: folder)
      return Diagnosed(
        nil,
        diagnostics: strays + YAMLMistakes(syntax, in: folder).all(and: read?.diagnostics ?? []))
    }

    let loaded = load(others, from: folder, part: part) { project.duplicateKeys(in: $0) }
    let datatypes = readDatatypes(loaded, in: folder, paths: others)
    let misnamed = others.filter(isOurs).compactMap(\.meantYAMLPath)
    let collected = collect(
      loaded, of: project, datatypes: datatypes.output, part: part, misnamed: misnamed,
      unreadFolders: unreadFolders)
    let checker = EntryChecker(
      project: project, datatypes: part?.datatypes ?? datatypes.output.map(\.name),
      assets: AssetCollector.collect(files).map(\.path), unreadFolders: unreadFolders, in: folder)
    let whole =
      collected.output.entries.entries
      + (collected.output.entries.maintenance.map { [$0] } ?? [])
    let checked = checker.check(whole, unread: collected.output.unread)
    let overlays = checker.check(
      collected.output.entries.overlays, unread: collected.output.unread)
    var unlisted = folder
    unlisted.items = []
    var tree = ContentTree(
      project: project, datatypes: datatypes.output,
      entries: checked.output.filter { $0.id != .maintenance },
      maintenance: checked.output.first { $0.id == .maintenance },
      assets: AssetCollector.collect(folder.items.filter { $0.problem == nil }.map(\.path.text)),
      sources: ([projectFile] + loaded).compactMap(\.source), folder: unlisted,
      unread: collected.output.unread)
    let syntax = YAMLMistakes(
      projectFile.diagnostics + loaded.flatMap(\.diagnostics), in: folder)
    let declared = checker.check(datatypes.output)
    let mistakes =
      (read?.diagnostics ?? []) + datatypes.diagnostics + collected.diagnostics
      + (checked.diagnostics + overlays.diagnostics).unexplained(byDefaults: declared) + declared
      + (part == nil ? AssetCollector.warnings(of: tree.assets, in: folder) : [])
    let diagnostics = strays + syntax.all(and: mistakes) { checked.output.valueCount(of: $0) }
    tree.hasErrors = diagnostics.contains { $0.severity == .error }
    return Diagnosed(tree, diagnostics: diagnostics)
  }

  static func missingProject(_ folder: ContentFolder) -> [Diagnostic] {
    let misnamed = folder.items.map(\.path.text).first { path in
      let meant = path.withoutSecondEnding ?? path
      return ["content.yaml", "content.yml"].contains(meant.lowercased())
    }
    return [
      Diagnostic(
        .error, rule: .missingProject, at: SourceLocation(path: folder.shownPath("content.yaml")),
        message:
          "a content folder must have 'content.yaml', which names the app, its locales and its bundles",
        notes: [
          Diagnostic.Note(
            misnamed.map { "there is '\($0)'; rename it to 'content.yaml'" }
              ?? "'contentc init' makes a small project to begin with")
        ])
    ]
  }

  /// Reads and parses all content files, on all processors.
  private static func load(
    _ files: [String], from folder: ContentFolder, part: ContentPart? = nil,
    duplicateKeys: @Sendable (String) -> Diagnostic.Severity
  ) -> [LoadedFile] {
    let wanted = files.filter(isContent)
    let problems = folder.problems
    let stores = YAMLStorePool()
    return wanted.chunks(of: 16).concurrentValues { chunk in
      stores.withStore { store in
        chunk.map {
          part?.opened[$0]
            ?? LoadedFile(
              $0, in: folder, problem: problems[$0], duplicateKeys: duplicateKeys($0), store: store)
        }
      }
    }.flatMap { $0 }
  }

  /// Returns `true` if a file is YAML that the reader reads, other than `content.yaml`.
  private static func isContent(_ path: String) -> Bool { path.isYAMLName && isOurs(path) }

  /// Returns `true` if the reader reads content from a file's folder.
  private static func isOurs(_ path: String) -> Bool {
    if ["datatypes/", "entries/", "strings/"].contains(where: { path.hasBytePrefix($0) }) {
      return true
    }
    let name = path.isYAMLName ? path : path.meantYAMLPath
    return name.flatMap { EntryFileName($0) }?.stem == "maintenance"
  }

  /// The syntax errors of files, which do not depend on `content.yaml`.
  private static func syntaxProblems(of files: [String], in folder: ContentFolder) -> [Diagnostic] {
    load(files, from: folder) { _ in .warning }.flatMap(\.diagnostics).filter {
      !$0.rule.traits.contains(.needsProject)
    }
  }

  private static func readDatatypes(
    _ files: [LoadedFile], in folder: ContentFolder, paths: [String]
  ) -> Diagnosed<[Datatype]> {
    var all = Diagnosed<[Datatype]>([])
    for path in paths where path.hasBytePrefix("datatypes/") {
      // The content of a skipped file cannot be checked against anything.
      let name = path.meantYAMLPath.flatMap { EntryFileName($0.dropping("datatypes/")) }
      if let name, EntryID.isPart(name.stem) { all.output.append(.unread(name.stem)) }
    }
    for file in files where file.path.hasBytePrefix("datatypes/") {
      guard let name = EntryFileName(file.path.dropping("datatypes/")) else { continue }
      let isPlain = EntryID.isPart(name.stem) && name.locale == nil && name.device == nil
      guard isPlain, !Datatype.reservedNames.contains(name.stem) else {
        let rule =
          isPlain
          ? "not be one of \(Datatype.reservedNames.joined(separator: ", "))"
          : "be of a-z, 0-9 and '-'"
        let meant = name.stem.lowercased()
        if !isPlain, EntryID.isPart(meant) { all.output.append(.unread(meant)) }
        all.diagnostics.append(
          .wrongType(
            "a datatype's name", must: rule, at: SourceLocation(path: folder.shownPath(file.path))))
        continue
      }
      // An error in the YAML may have moved lines into other mappings.
      let root = file.hasErrors ? nil : file.root
      let datatype =
        root.map { Datatype.read($0, name: name.stem) }
        ?? Diagnosed(.unread(name.stem, at: SourceLocation(path: folder.shownPath(file.path))))
      all.diagnostics += datatype.diagnostics
      if let same = all.output.first(where: { $0.name == name.stem }) {
        let place = SourceLocation(path: folder.shownPath(file.path))
        all.diagnostics.append(
          .duplicate(
            "datatype", named: name.stem, rule: .duplicateDatatype, at: place, first: same.location)
        )
      } else {
        all.output.append(datatype.output)
      }
    }
    return all
  }

  private static func collect(
    _ files: [LoadedFile], of project: Project, datatypes: [Datatype], part: ContentPart?,
    misnamed: [String], unreadFolders: [String]
  ) -> Diagnosed<(entries: EntryCollector.Collected, unread: UnreadIDs)> {
    var collector = EntryCollector(project: project, datatypes: datatypes, wanted: part?.entries)
    // No entry has layers in files of different datatypes.
    let groups = Dictionary(grouping: files) { ExactString(String($0.datatypeName ?? "")) }
    let collected = groups.keys.sorted().map { groups[$0] ?? [] }.concurrentValues {
      [collector] files in
      var own = collector
      for file in files { own.add(file) }
      own.end()
      return own
    }
    for path in misnamed { collector.addUnreadFile(path) }
    for path in unreadFolders { collector.addUnreadFolder(path) }
    let entries = collector.finish(with: collected)
    return Diagnosed((entries, collector.unread), diagnostics: collector.diagnostics)
  }

  /// Returns diagnostics of files that cannot be used, and of YAML files in folders that no reader
  /// reads, such as one with a misspelt name.
  ///
  /// `keyFolders` hold key documents, which the commands for signed channels read.
  private static func unreadFiles(
    in folder: ContentFolder, besides projectPath: String, keyFolders: [String]
  ) -> [Diagnostic] {
    let folders = ["datatypes", "entries", "strings", "assets"]
    let others = folder.items.filter { item in
      item.path.text != projectPath && item.path.text != ContentFolder.translationLock
        && !isContent(item.path.text)
        && !keyFolders.contains { item.path.hasPrefix("\($0)/") }
    }
    // In a foreign folder, such as an output folder, only the first file is reported.
    var strangers: [ExactString: Int] = [:]
    for item in others where item.problem == nil {
      if let top = item.path.text.topFolder { strangers[top, default: 0] += 1 }
    }
    for name in folders { strangers[name] = nil }
    return others.compactMap { item in
      let path = item.path.text
      let top = path.topFolder
      let place = SourceLocation(path: folder.shownPath(path))
      if let problem = item.problem { return problem.diagnostic(at: place.path.text) }
      if folders.contains(path) {
        return Diagnostic(
          .error, rule: .fileForFolder, at: place,
          message: "a file must not have the name of a folder")
      }
      if let meant = path.meantYAMLPath, isOurs(path) {
        return .misspeltEnding(of: path, meant: meant, at: place)
      }
      if item.path.hasPrefix("assets/") || item.path.hasSuffix(".md") { return nil }
      let isOurs = top.map(folders.contains) ?? true
      guard let count = isOurs ? 1 : top.flatMap({ strangers.removeValue(forName: $0) }) else {
        return nil
      }
      let nearest = isOurs ? nil : top?.nearest(among: folders)
      let others = count > 1 ? ", nor the \(count - 1) others in '\(top ?? "")'" : ""
      let hint =
        nearest.map { "; did you mean the folder '\($0)'?" }
        ?? path.withoutSecondEnding.map { "; rename it to '\($0)'" } ?? ""
      return Diagnostic(
        .warning, rule: .unreadFile, at: place, message: "nothing reads this file\(others)\(hint)")
    }
  }
}

extension [Diagnostic] {
  /// Returns the mistakes of values without those of fields whose own default does not fit, either.
  fileprivate func unexplained(byDefaults defaults: [Diagnostic]) -> [Diagnostic] {
    let fields = Set(defaults.compactMap { $0.declaration?.location })
    guard !fields.isEmpty else { return self }
    return filter { mistake in
      !(mistake.declaration?.needsMajority ?? false)
        || mistake.declaration?.location.map(fields.contains) != true
    }
  }
}

extension Diagnostic {
  fileprivate static func misspeltEnding(
    of path: String, meant: String, at place: SourceLocation
  ) -> Diagnostic {
    let endings = [path, meant].map { "." + ($0.pathParts.last?.split(separator: ".").last ?? "") }
    return Diagnostic(
      .error, rule: .fileName, at: place,
      message: "a content file's name must end in '\(endings[1])', not in '\(endings[0])'")
  }
}

extension String {
  /// The first part of a path; `nil` if it is the only one.
  fileprivate var topFolder: String? {
    utf8.firstIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) }
  }
}

extension String {
  /// The file's name without an ending behind that of YAML, such as `rose.yaml.txt`; `nil` for
  /// another name.
  fileprivate var withoutSecondEnding: String? {
    guard let name = pathParts.last, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    let first = String(name[..<dot])
    return first.isYAMLName ? first : nil
  }
}

extension EntryCollector {
  fileprivate mutating func add(_ file: LoadedFile) {
    guard let node = file.root else { return addUnreadFile(file.path) }
    guard let name = file.name else { return }
    // An error in the YAML may have moved entries into others.
    if file.hasErrors, name.locale == nil, name.device == nil { addUnreadFile(file.path) }
    switch file.folder {
    case "datatypes": break
    case "entries": addEntryFile(name, id: file.id, root: node)
    case "strings": addCatalogFile(name, path: file.path.dropping("strings/"), root: node)
    default: addMaintenanceFile(name, root: node)
    }
  }
}

extension LoadedFile {
  /// `true` if an error in the YAML was reported.
  fileprivate var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The datatype of the entries in a file below `entries/`.
  fileprivate var datatypeName: Substring? {
    folder == "entries" ? name.map { $0.stem.beforeFirstSlash } : nil
  }
}
