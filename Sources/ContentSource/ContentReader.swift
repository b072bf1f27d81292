import ContentModel
package import Diagnostics

/// Reads a content folder: every file once, every mistake reported.
package enum ContentReader {
  /// The folder as a tree; `nil` only where `content.yaml` does not tell the locales and devices.
  package static func read(_ folder: ContentFolder) -> Diagnosed<ContentTree?> {
    var diagnostics = folder.items.compactMap { item in item.problem?.diagnostic(at: folder.shownPath(item.path)) }
    let files = folder.items.filter { $0.problem == nil }.map(\.path)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard let projectPath = ["content.yaml", "content.yml"].first(where: files.contains) else {
      return Diagnosed(nil, diagnostics + missingProject(folder))
    }
    let projectFile = LoadedFile(projectPath, folder, duplicateKeys: .error)
    let read = projectFile.root.map(Project.read)
    diagnostics += projectFile.diagnostics + (read?.diagnostics ?? [])
    guard let project = read?.output else {
      return Diagnosed(nil, diagnostics + syntaxProblems(files.filter { $0 != projectPath }, folder))
    }

    let loaded = load(files.filter { $0 != projectPath }, folder) { project.duplicateKeys(in: $0) }
    diagnostics += loaded.flatMap(\.diagnostics)
    let datatypes = readDatatypes(loaded, folder)
    let collected = collect(loaded, project, datatypes.output)
    diagnostics += datatypes.diagnostics + collected.diagnostics + unknownFiles(folder, files, projectPath)
    let assets = AssetCollector.collect(files)

    let checker = EntryChecker(project: project, datatypes: datatypes.output, assets: assets.map(\.path))
    let checked = checker.check(collected.output.entries + (collected.output.maintenance.map { [$0] } ?? []))
    diagnostics += checked.diagnostics + checker.check(datatypes.output)
    let tree = ContentTree(
      project: project, datatypes: datatypes.output, entries: checked.output.filter { $0.id != .maintenance },
      maintenance: checked.output.first { $0.id == .maintenance }, assets: assets,
      sources: ([projectFile] + loaded).compactMap(\.source), folder: folder, unread: collected.output.unread)
    return Diagnosed(tree, diagnostics)
  }

  private static func missingProject(_ folder: ContentFolder) -> [Diagnostic] {
    guard !folder.items.contains(where: { ["content.yaml", "content.yml"].contains($0.path) }) else { return [] }
    return [
      Diagnostic(
        .error, "missing-project", at: SourceLocation(path: folder.shownPath("content.yaml")),
        "a content folder must have 'content.yaml', which names the app, its locales and its bundles",
        notes: [Diagnostic.Note("'contentc init' makes a small project to begin with")])
    ]
  }

  /// Reads and parses, on all processors, every file that holds YAML for us.
  private static func load(
    _ files: [String], _ folder: ContentFolder, duplicateKeys: @Sendable (String) -> Diagnostic.Severity
  ) -> [LoadedFile] {
    let wanted = files.filter { path in
      let isPlaced = ["datatypes/", "entries/", "strings/"].contains(where: path.hasPrefix)
      return EntryFileName(path).map { isPlaced || $0.stem == "maintenance" } ?? false
    }
    let loaded = try? wanted.chunks(of: 32).concurrentMap { chunk in
      chunk.map { LoadedFile($0, folder, duplicateKeys: duplicateKeys($0)) }
    }
    return (loaded ?? []).flatMap { $0 }
  }

  /// What is wrong with files whatever `content.yaml` may say once it can be read.
  private static func syntaxProblems(_ files: [String], _ folder: ContentFolder) -> [Diagnostic] {
    load(files, folder) { _ in .warning }.flatMap(\.diagnostics).filter { $0.id != "duplicate-key" }
  }

  private static func readDatatypes(_ files: [LoadedFile], _ folder: ContentFolder) -> Diagnosed<[Datatype]> {
    var all = Diagnosed<[Datatype]>([])
    for file in files where file.path.hasPrefix("datatypes/") {
      guard let name = EntryFileName(String(file.path.dropFirst("datatypes/".count))) else { continue }
      let isPlain = EntryID.isPart(name.stem) && name.locale == nil && name.device == nil
      guard isPlain, !Datatype.reservedNames.contains(name.stem) else {
        let rule =
          isPlain ? "not be one of \(Datatype.reservedNames.joined(separator: ", "))" : "be of a-z, 0-9 and '-'"
        all.diagnostics.append(
          .wrongType("a datatype's name", must: rule, at: SourceLocation(path: folder.shownPath(file.path))))
        continue
      }
      let datatype = file.root.map { Datatype.read($0, name: name.stem) } ?? Diagnosed(.unread(name.stem))
      all.diagnostics += datatype.diagnostics
      if let same = all.output.first(where: { $0.name == name.stem }) {
        let place = SourceLocation(path: folder.shownPath(file.path))
        all.diagnostics.append(
          .duplicate("datatype", name.stem, id: "duplicate-datatype", at: place, first: same.location))
      } else {
        all.output.append(datatype.output)
      }
    }
    return all
  }

  private static func collect(
    _ files: [LoadedFile], _ project: Project, _ datatypes: [Datatype]
  ) -> Diagnosed<(entries: [Entry], maintenance: Entry?, unread: [Glob])> {
    var collector = EntryCollector(project: project, datatypes: datatypes)
    for file in files {
      guard let node = file.root else {
        collector.addUnreadFile(file.path)
        continue
      }
      let top = file.path.prefix { $0 != "/" }
      let rest = String(file.path.dropFirst(top.count + 1))
      switch top {
      case "datatypes": break
      case "entries": collector.addEntryFile(rest, root: node)
      case "strings": collector.addCatalogFile(rest, root: node)
      default: collector.addMaintenanceFile(file.path, root: node)
      }
    }
    let entries = collector.finish()
    return Diagnosed((entries.entries, entries.maintenance, collector.unread), collector.diagnostics)
  }

  /// Files at a place that nothing reads, most often a slip in a folder's name.
  private static func unknownFiles(
    _ folder: ContentFolder, _ files: [String], _ projectPath: String
  ) -> [Diagnostic] {
    let folders = ["datatypes", "entries", "strings", "assets"]
    return files.compactMap { path in
      let top = String(path.prefix { $0 != "/" })
      let name = EntryFileName(path)
      let isKnown =
        path.contains("/")
        ? top == "assets" || (folders.contains(top) && name != nil) : path == projectPath || name?.stem == "maintenance"
      guard !isKnown, !path.hasSuffix(".md") else { return nil }
      if folders.contains(path) {
        return Diagnostic(
          .error, "file-for-folder", at: SourceLocation(path: folder.shownPath(path)),
          "a file must not stand where a folder belongs")
      }
      let nearest = path.contains("/") ? top.nearest(among: folders) : nil
      return Diagnostic(
        .warning, "unread-file", at: SourceLocation(path: folder.shownPath(path)),
        "nothing reads this file" + (nearest.flatMap { $0 == top ? nil : "; did you mean the folder '\($0)'?" } ?? ""))
    }
  }
}

/// A file of YAML: its tree, and what it was made of.
private struct LoadedFile: Sendable {
  var path: String
  var root: YAMLNode?
  var source: ContentTree.SourceFile?
  var diagnostics: [Diagnostic]

  init(_ path: String, _ folder: ContentFolder, duplicateKeys: Diagnostic.Severity) {
    self.path = path
    do {
      let bytes = try folder.read(path)
      let read = YAMLReader(duplicateKeys: duplicateKeys).read(bytes, path: folder.shownPath(path))
      (root, diagnostics) = (read.output, read.diagnostics)
      source = ContentTree.SourceFile(path: path, size: bytes.count, digest: Digest(of: bytes))
    } catch {
      diagnostics = [error.diagnostic(at: folder.shownPath(path))]
    }
  }
}
