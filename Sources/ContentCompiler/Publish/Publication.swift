import ContentModel
import ContentSource
import PropertyLists

/// What leads readers to the bundles of a build: indexes, the record, config, and names that a person can type.
struct Publication: Sendable {
  let config: OutputFile
  let files: [OutputFile]
  let links: [OutputLink]
  /// Every moment at which some item of a list in the maintenance pages comes or goes.
  let moments: Set<Instant>

  /// Adds the objects that it is made of to the ledger.
  ///
  /// - Throws: what the ledger throws.
  init(_ findings: Findings, _ rows: [Selector.Rows], at instant: Instant, _ ledger: ObjectLedger) throws {
    let (plan, tree) = (findings.plan, findings.plan.tree)
    let format = tree.project.format
    for object in findings.assets.objects { try ledger.add(object) }
    let pages = try MaintenancePages(tree: tree, order: plan.order, conditions: plan.conditions, instant: instant)
    for payload in pages.payloads { try ledger.add(payload) }
    let indexer = IndexBuilder(tree: tree) { try ledger.add($0) }
    let indexes = try Array(plan.order.contexts.indices).concurrentMap { try indexer.index(rows, context: $0) }
    let builder = BuildRecordBuilder(tree: tree, plan: plan, facts: findings.facts, assets: findings.assets)
    let record = OutputObject(
      bytes: try PropertyList.encode(builder.value(rows, objects: ledger.rows), as: format),
      fileExtension: format.fileExtension)
    try ledger.add(record)
    let members = ConfigBuilder(project: tree.project, contexts: plan.order.contexts).value(
      indexes: indexes, payloads: pages.payloads.map(\.digest), retryAfter: pages.retryAfter, build: record.digest)
    config = OutputFile(
      path: "preview/config.\(format.fileExtension)", bytes: try PropertyList.encode(members, as: format))
    (files, moments) = (pages.files, pages.moments)
    links =
      latest(rows, plan.order.contexts) + [
        OutputLink(path: "build.\(format.fileExtension)", digest: record.digest, fileExtension: format.fileExtension)
      ]
  }
}

private func latest(_ rows: [Selector.Rows], _ contexts: [Context]) -> [OutputLink] {
  contexts.enumerated().flatMap { index, context in
    rows.filter { !$0.selection.bundle.isSplit }.map { rows in
      let (bundle, row) = (rows.selection.bundle, rows.whole[index])
      return OutputLink(
        path: "preview/latest/\(context)/\(bundle.name).\(bundle.format.fileExtension)", digest: row.object.digest,
        fileExtension: bundle.format.fileExtension)
    }
  }
}
