import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// Bundles from entries' images, for the contexts of one locale: one object for each distinct result, handed on as soon
/// as it is made.
///
/// Entries that all devices see alike are linked first, and once: those bundles begin with the same bytes.
struct BundleEncoder: Sendable {
  let plan: ResolutionPlan
  let assets: AssetTable
  let instant: Instant
  let emit: @Sendable (OutputObject) throws -> Void

  /// Content that a format cannot carry.
  struct Unencodable: Error {
    var diagnostic: Diagnostic
  }

  private var format: PropertyListFormat { plan.tree.project.format }

  /// What readers see of whom nothing is known.
  var unconditional: Evaluation {
    let circumstances = Circumstances(country: nil, version: nil, instant: instant)
    return Evaluation(circumstances: circumstances, format: .binary, assets: assets)
  }

  /// The rows of one bundle: each context comes with what it has, as places in the selection and their variants.
  func rows(
    _ selection: Selection, name: String, _ contexts: [[BundleBody.Row]]
  ) throws -> [BundleRow] {
    let shared = try sharedEntries(contexts.first ?? [], selection)
    return try contexts.map { try row(selection, name: name, $0, shared) }
  }

  private func sharedEntries(_ rows: [BundleBody.Row], _ selection: Selection) throws -> SharedEntries {
    var shared = SharedEntries()
    guard selection.bundle.format == .binary else { return shared }
    do {
      for row in rows where row.image.isShared { try shared.link(row, unconditional) }
    } catch {
      throw unencodable(error, selection.bundle)
    }
    return shared
  }

  private func row(
    _ selection: Selection, name: String, _ entries: [BundleBody.Row], _ shared: SharedEntries
  ) throws -> BundleRow {
    let bundle = selection.bundle
    let classes = Classes(entries.flatMap { $0.image.conditions($0.variant) })
    var startup: Value?
    let (own, variants) = try classes.variants { country, version in
      let circumstances = Circumstances(country: country, version: version, instant: instant)
      let evaluation = Evaluation(circumstances: circumstances, format: bundle.format, assets: assets)
      let body = BundleBody(selection, name: name, entries, evaluation)
      if bundle.isStartup, country == nil, version == nil {
        var carried = evaluation
        carried.format = format
        startup = BundleBody(selection, name: name, entries, carried).value
      }
      return try object(body, selection, shared)
    }
    return BundleRow(
      object: own, variants: variants, ttl: bundle.ttl ?? plan.tree.project.lifetimes.offline,
      format: bundle.format == format ? nil : bundle.format,
      startup: startup)
  }

  private func object(_ body: BundleBody, _ selection: Selection, _ shared: SharedEntries) throws -> BundleRow.Object {
    do {
      let file = try encoded(body, as: selection.bundle.format, shared)
      let object = OutputObject(
        bytes: file.bytes, fileExtension: selection.bundle.format.fileExtension, seams: file.seams)
      try emit(object)
      return BundleRow.Object(
        digest: object.digest, size: object.bytes.count, count: body.rows.count, changes: body.changes)
    } catch let error as PropertyListEncodingError {
      throw unencodable(error, selection.bundle)
    }
  }

  private func encoded(
    _ body: BundleBody, as format: PropertyListFormat, _ shared: SharedEntries
  ) throws(PropertyListEncodingError) -> (bytes: [UInt8], seams: [Int]) {
    guard format == .binary else { return (try PropertyList.encode(body.value, as: format), []) }
    let file = try shared.linked(body)
    return (file.bytes, file.seams)
  }

  /// The entry that holds what a format cannot carry: key paths of a bundle begin with `entries` and its id.
  func unencodable(_ error: PropertyListEncodingError, _ bundle: BundleDefinition) -> Unencodable {
    let id = error.keyPath.first == "entries" ? error.keyPath.dropFirst().first : nil
    let entry = plan.tree.entries.first { $0.id.text == id }
    return Unencodable(
      diagnostic: Diagnostic(
        .error, "unencodable", at: entry?.location ?? bundle.location,
        "'\(id ?? bundle.name)' cannot be written: \(error)",
        notes: [Diagnostic.Note("the bundle '\(bundle.name)' asks for that format", at: bundle.location)]))
  }
}
