import ContentModel
import ContentSource
import PropertyLists
import SiteFormat

extension CompiledState {
  /// Makes the indexes of the scope's contexts, the changed parts of the record, and config.
  ///
  /// Returns `nil` if a file of the earlier build cannot be read.
  mutating func republish(
    _ scope: EditScope, of tree: ContentTree, after earlier: CompiledState,
    stored: (Digest, String) -> [UInt8]?, into ledger: ObjectLedger,
    retaining retained: Recompilation.RetainedEntries
  ) throws -> Recompilation? {
    let rows = try? allRows(of: tree.project, in: scope, stored: stored)
    guard let rows else { return nil }
    try index(rows, in: scope, as: tree.project.format, into: ledger)
    let builder = BuildRecordBuilder(project: tree.project, contexts: contexts.map(\.name))
    try recordEntries(of: rows, in: scope, by: builder, into: ledger)
    let changed = try recordSources(tree.sources, in: scope, by: builder, into: ledger)
    let (objects, before) = (allObjects(tree.project), earlier.allObjects(tree.project))
    let record = try builder.record(
      entries: datatypes.compactMap(\.inRecord), sources: folders.compactMap(\.inRecord),
      objects: objects.map { ($0.digest, $0.fileExtension, $0.size) })
    try ledger.add(record)
    guard let earlierRecord = redirectConfig(in: scope, of: tree.project, to: record) else {
      return nil
    }
    let isThere = Set(objects)
    let gone = before.filter { !isThere.contains($0) }.map { ($0.digest, $0.fileExtension) }
    let recordLink = OutputLink(
      path: "build.\(record.fileExtension)", digest: record.digest,
      fileExtension: record.fileExtension)
    return Recompilation(
      config: OutputFile(
        path: "preview/config.\(record.fileExtension)",
        bytes: try PropertyList.encode(config, as: tree.project.format)),
      links: links(in: scope, of: tree.project) + [recordLink],
      removedObjects: gone
        + (earlierRecord == record.digest ? [] : [(earlierRecord, record.fileExtension)]),
      relinkedObjects: earlier.links(in: scope, of: tree.project).map {
        ($0.digest, $0.fileExtension)
      },
      changed: changed,
      objectCount: objects.count + 1, state: self, retained: retained)
  }

  private mutating func index(
    _ rows: [BundleRows], in scope: EditScope, as format: PropertyListFormat,
    into ledger: ObjectLedger
  ) throws {
    let parts = scope.parts
    let indexer = IndexBuilder(name: { parts.entry($0)?.rest ?? "" }, format: format) {
      try ledger.add($0)
    }
    for context in scope.contexts {
      let index = try indexer.index(rows, context: context)
      indexes[context] = ObjectState(index.object)
      for place in selections.indices {
        if let list = index.lists[selections[place].name] {
          selections[place].lists[context] = ObjectState(list)
        }
      }
    }
  }

  /// Replaces the parts of the record with the objects of the scope's entries.
  private mutating func recordEntries(
    of rows: [BundleRows], in scope: EditScope, by builder: BuildRecordBuilder,
    into ledger: ObjectLedger
  ) throws {
    let parts = scope.parts
    let objects = EntryObjects(
      rows, presence: { parts.entry($0)?.presence ?? [] }, assets: { parts.entry($0)?.assets ?? [] }
    )
    for place in scope.recordedDatatypes {
      let object = try builder.entries(
        parts.entries(of: place).map { $0.isWithheld ? nil : $0.rest },
        in: objects.groups(of: datatypes[place].items))
      try ledger.add(object)
      datatypes[place].record = ObjectState(object)
    }
  }

  /// Replaces the parts of the record with the changed files, and returns these files.
  private mutating func recordSources(
    _ sources: [ContentTree.SourceFile], in scope: EditScope, by builder: BuildRecordBuilder,
    into ledger: ObjectLedger
  ) throws -> [ContentTree.SourceFile] {
    let read = Dictionary(firstOf: sources.map { ($0.path, $0) })
    var changed: [ContentTree.SourceFile] = []
    for place in Set(scope.changedFiles.compactMap(folders.place)).sorted() {
      let folder = folders[place]
      var files = scope.parts.files(of: place)
      for number in scope.changedFiles where folder.items.contains(number) {
        let index = number - folder.items.lowerBound
        guard let file = read[folder.path(of: files[index].name)] else { continue }
        (files[index].size, files[index].digest) = (file.size, file.digest)
        changed.append(file)
      }
      let object = try builder.sources(
        files.filter { !$0.isWithheld }.map {
          .init(path: folder.path(of: $0.name), size: $0.size, digest: $0.digest)
        })
      if let object { try ledger.add(object) }
      folders[place] = Part(
        folder.name, items: folder.items, record: object, bytes: FileState.encode(files))
    }
    return changed
  }

  /// Puts the scope's new indexes and the record into config; returns the earlier record.
  private mutating func redirectConfig(
    in scope: EditScope, of project: Project, to record: OutputObject
  ) -> Digest? {
    guard case .dictionary(var members) = config,
      let earlier = members["build"].flatMap({ Digest($0) }),
      case .dictionary(var byLocale)? = members["indexes"]
    else { return nil }
    for context in scope.contexts {
      let locale = contexts[context].locale
      guard case .dictionary(var byDevice)? = byLocale[locale],
        let device = contexts[context].ancestry.first
      else {
        return nil
      }
      byDevice[device] = indexes[context].digest.value(in: project.format)
      byLocale[locale] = .dictionary(byDevice)
    }
    members["indexes"] = .dictionary(byLocale)
    members["build"] = record.digest.value(in: project.format)
    config = .dictionary(members)
    return earlier
  }

  /// Returns the rows of all bundles, for indexes; `startup` is loaded for the scope's contexts only.
  private func allRows(
    of project: Project, in scope: EditScope, stored: (Digest, String) -> [UInt8]?
  ) throws -> [BundleRows] {
    let opened = Set(scope.parts.datatypes)
    return try selections.map { state in
      guard let bundle = project.bundles.first(where: { $0.name == state.bundle }) else {
        throw Unreadable()
      }
      var selection = Selection(bundle: bundle, entries: state.entries)
      (selection.tile, selection.placeField) = (state.tile, state.placeField)
      var rows = BundleRows(selection: selection, whole: state.whole)
      for context in scope.contexts
      where bundle.isStartup && state.whole[context].startup?.isEmptyDictionary == true {
        let digest = state.whole[context].object.digest
        guard bundle.format == project.format,
          let bytes = stored(digest, bundle.format.fileExtension),
          Digest(of: bytes) == digest,
          let value = try? PropertyList.decode(bytes, as: bundle.format).value
        else { throw Unreadable() }
        rows.whole[context].startup = value
      }
      // The entries of a split bundle are of one datatype. If that was not opened, the lists are
      // unchanged.
      if selection.isDirectory {
        rows.split = state.split.map { _ in [] }
      } else if let first = state.entries.first,
        datatypes.place(of: first).map(opened.contains) ?? false
      {
        rows.split = state.split.map { $0.map { ($0.entry, state.rows[$0.row]) } }
      } else {
        rows.lists = zip(state.lists, state.split).map { (digest: $0.digest, count: $1.count) }
      }
      rows.listChanges = state.listChanges
      return rows
    }
  }

  private struct Unreadable: Error {}

  /// Every object of the build but the record, by digest.
  private func allObjects(_ project: Project) -> [ObjectState] {
    var all: Set<ObjectState> = []
    func add(_ row: BundleRow, of bundle: BundleDefinition?) {
      for object in row.objects {
        all.insert(
          ObjectState(
            digest: object.digest, fileExtension: (bundle?.format ?? project.format).fileExtension,
            size: object.size))
        if let recipe = object.recipe {
          all.insert(
            ObjectState(
              digest: recipe.digest, fileExtension: Recipe.fileExtension, size: recipe.size))
        }
      }
    }
    for selection in selections {
      let bundle = project.bundles.first { $0.name == selection.bundle }
      for row in selection.whole { add(row, of: bundle) }
      for row in Set(selection.split.joined().map(\.row)) { add(selection.rows[row], of: bundle) }
      all.formUnion(selection.lists)
    }
    all.formUnion(indexes + fixed)
    all.formUnion((datatypes + folders).compactMap(\.record))
    return all.sorted { ($0.digest, $0.fileExtension) < ($1.digest, $1.fileExtension) }
  }

  /// The links of the scope's bundles, with names that a person can type.
  private func links(in scope: EditScope, of project: Project) -> [OutputLink] {
    let whole = scope.selections.map { selections[$0] }.filter {
      !$0.whole.isEmpty && $0.tile == nil
    }
    return whole.flatMap { selection in
      project.bundles.filter { $0.name == selection.name }.flatMap { bundle in
        scope.contexts.map {
          OutputLink(latest: bundle, in: contexts[$0].name, selection.whole[$0])
        }
      }
    }
  }
}

extension CompiledState.Part {
  fileprivate var inRecord: BuildRecordBuilder.Part? {
    record.map { .init(name: name, digest: $0.digest) }
  }
}

extension Value {
  fileprivate var isEmptyDictionary: Bool {
    if case .dictionary(let members) = self { members.isEmpty } else { false }
  }
}

extension Digest {
  /// The digest in a value of any format.
  fileprivate init?(_ value: Value) {
    switch value {
    case .data(let bytes): self.init(bytes: bytes)
    case .string(let hex): self.init(hex: hex)
    default: return nil
    }
  }
}
