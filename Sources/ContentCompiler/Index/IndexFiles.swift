import ContentModel
import ContentSource
import PropertyLists
import System

/// The files that lead readers to the bundles of a build: indexes, the record, config, and links
/// that a person can type.
struct IndexFiles: Sendable {
  let config: OutputFile
  /// The value of config.
  let members: Value
  let files: [OutputFile]
  let links: [OutputLink]
  /// The index of each context.
  let indexes: [IndexBuilder.Index]
  let record: RecordParts
  let pages: MaintenancePages
  /// The paths of the files that the record must not name.
  let withheldFiles: Set<ExactString>

  /// Makes the files, and adds their objects to a ledger.
  ///
  /// - Throws: errors of the ledger.
  init(of content: CompiledContent, into objects: ObjectLedger) throws {
    let (tree, bundles, assets) = (content.tree, content.bundles, content.assets)
    let (format, contexts) = (tree.project.format, content.rules.contexts)
    _ = try assets.objects.concurrentMap { try objects.add($0) }
    pages = try MaintenancePages(of: tree, by: content.rules, at: content.instant)
    _ = try pages.payloads.concurrentMap { try objects.add($0) }
    let indexer = IndexBuilder(name: { tree.entries[$0].id.rest }, format: format) {
      try objects.add($0)
    }
    indexes = try Array(contexts.indices).concurrentMap {
      try indexer.index(bundles, context: $0)
    }
    let builder = BuildRecordBuilder(
      project: tree.project, contexts: contexts.map(\.description))
    let isWithheld = content.facts.map(\.isWithheld)
    withheldFiles = tree.files(onlyOf: isWithheld).union(assets.withheldSources)
    record = try RecordParts(
      by: builder, ids: tree.entries.map(\.id), isWithheld: isWithheld,
      shownBy: EntryObjects(of: content),
      sources: tree.sources + assets.sources, withheldFiles: withheldFiles)
    for part in record.objects { try objects.add(part) }
    let root = try builder.record(
      entries: record.entries.map {
        BuildRecordBuilder.Part(name: $0.datatype, digest: $0.object.digest)
      },
      sources: record.sources.compactMap { folder in
        folder.object.map { BuildRecordBuilder.Part(name: folder.path, digest: $0.digest) }
      },
      objects: objects.rows)
    try objects.add(root)
    members = ConfigBuilder(project: tree.project, contexts: contexts).value(
      indexes: indexes.map(\.object.digest), payloads: pages.payloads.map(\.digest),
      retryAfter: pages.retryAfter,
      build: root.digest, changes: bundles.compactMap(\.changes).min())
    config = OutputFile(
      path: "preview/config.\(format.fileExtension)",
      bytes: try PropertyList.encode(members, as: format))
    files = pages.files
    links =
      latest(bundles, in: contexts) + [
        OutputLink(
          path: "build.\(format.fileExtension)", digest: root.digest,
          fileExtension: format.fileExtension)
      ]
  }
}

extension IndexFiles {
  /// The parts whose size has a limit; `bundles` are those of the build.
  func limitedParts(of bundles: [BundleRows], in contexts: [Context]) -> [LimitedPart] {
    var parts = [LimitedPart(.config, bytes: config.bytes.count)]
    for (place, name) in contexts.map(\.description).enumerated() {
      parts.append(LimitedPart(.index, of: name, bytes: indexes[place].object.bytes.count))
      parts.append(LimitedPart(.maintenance, of: name, bytes: pages.payloads[place].bytes.count))
      parts += indexes[place].lists.sorted { $0.key < $1.key }.map {
        LimitedPart(.list, of: $0.key.text, bytes: $0.value.bytes.count)
      }
    }
    return parts
      + bundles.filter { $0.selection.tile != nil }.flatMap { tile in
        LimitedPart.tiles(named: tile.selection.name, tile.whole)
      }
  }
}

extension LimitedPart {
  /// The tiles of one name in all contexts.
  static func tiles(named name: String, _ rows: [BundleRow]) -> [LimitedPart] {
    rows.flatMap(\.objects).map { LimitedPart(.tile, of: name, bytes: $0.size) }
  }
}

private func latest(_ bundles: [BundleRows], in contexts: [Context]) -> [OutputLink] {
  contexts.enumerated().flatMap { index, context in
    bundles.filter { !$0.selection.bundle.isSplit }.map { rows in
      OutputLink(latest: rows.selection.bundle, in: context.description, rows.whole[index])
    }
  }
}

extension OutputLink {
  /// The object of a bundle, with a name that a person can type.
  init(latest bundle: BundleDefinition, in context: String, _ row: BundleRow) {
    self.init(
      path: "preview/latest/\(context)/\(bundle.name).\(bundle.format.fileExtension)",
      digest: row.object.digest,
      fileExtension: bundle.format.fileExtension)
  }
}

extension EntryObjects {
  /// The objects of a whole build.
  fileprivate init(of content: CompiledContent) {
    let facts = content.facts
    let assets = facts.map { $0.assets.flatMap(content.assets.digests) + $0.pages }
    self.init(content.bundles, presence: { facts[$0].presence }, assets: { assets[$0] })
  }
}
