import ContentModel
import ContentSource
import PropertyLists

/// What leads readers to the bundles of a build: indexes, the record, config, and names that a
/// person can type.
struct Publication: Sendable {
  let config: OutputFile
  /// What config says.
  let members: Value
  let files: [OutputFile]
  let links: [OutputLink]
  /// By context.
  let indexes: [IndexBuilder.Index]
  let record: RecordParts
  let pages: MaintenancePages
  /// The paths of the files that the record may not name.
  let withheldFiles: Set<ExactString>

  /// Adds the objects that it is made of to the ledger.
  ///
  /// - Throws: what the ledger throws.
  init(_ findings: Findings, _ rows: [Selector.Rows], _ ledger: ObjectLedger) throws {
    let (plan, tree) = (findings.plan, findings.plan.tree)
    let format = tree.project.format
    _ = try findings.assets.objects.concurrentMap { try ledger.add($0) }
    pages = try MaintenancePages(
      tree: tree, order: plan.order, conditions: plan.conditions, instant: findings.instant)
    _ = try pages.payloads.concurrentMap { try ledger.add($0) }
    let indexer = IndexBuilder(name: { tree.entries[$0].id.rest }, format: format) {
      try ledger.add($0)
    }
    indexes = try Array(plan.order.contexts.indices).concurrentMap {
      try indexer.index(rows, context: $0)
    }
    let builder = BuildRecordBuilder(
      project: tree.project, contexts: plan.order.contexts.map(\.description))
    let isWithheld = findings.facts.map(\.isWithheld)
    withheldFiles = tree.files(onlyOf: isWithheld).union(findings.assets.withheldSources)
    record = try RecordParts(
      builder, ids: tree.entries.map(\.id), isWithheld: isWithheld, EntryObjects(rows, findings),
      sources: tree.sources + findings.assets.sources, withheldFiles: withheldFiles)
    for part in record.objects { try ledger.add(part) }
    let root = try builder.record(
      entries: record.entries.map {
        BuildRecordBuilder.Part(name: $0.datatype, digest: $0.object.digest)
      },
      sources: record.sources.compactMap { folder in
        folder.object.map { BuildRecordBuilder.Part(name: folder.path, digest: $0.digest) }
      },
      objects: ledger.rows)
    try ledger.add(root)
    members = ConfigBuilder(project: tree.project, contexts: plan.order.contexts).value(
      indexes: indexes.map(\.object.digest), payloads: pages.payloads.map(\.digest),
      retryAfter: pages.retryAfter,
      build: root.digest, changes: rows.compactMap(\.changes).min())
    config = OutputFile(
      path: "preview/config.\(format.fileExtension)",
      bytes: try PropertyList.encode(members, as: format))
    files = pages.files
    links =
      latest(rows, plan.order.contexts) + [
        OutputLink(
          path: "build.\(format.fileExtension)", digest: root.digest,
          fileExtension: format.fileExtension)
      ]
  }
}

private func latest(_ rows: [Selector.Rows], _ contexts: [Context]) -> [OutputLink] {
  contexts.enumerated().flatMap { index, context in
    rows.filter { !$0.selection.bundle.isSplit }.map { rows in
      OutputLink(latest: rows.selection.bundle, in: context.description, rows.whole[index])
    }
  }
}

extension OutputLink {
  /// A bundle's object under a name that a person can type.
  init(latest bundle: BundleDefinition, in context: String, _ row: BundleRow) {
    self.init(
      path: "preview/latest/\(context)/\(bundle.name).\(bundle.format.fileExtension)",
      digest: row.object.digest,
      fileExtension: bundle.format.fileExtension)
  }
}

extension EntryObjects {
  /// Of a whole build.
  fileprivate init(_ rows: [Selector.Rows], _ findings: Findings) {
    let facts = findings.facts
    let assets = facts.map { $0.assets.flatMap(findings.assets.digests) }
    self.init(rows, presence: { facts[$0].presence }, assets: { assets[$0] })
  }
}
