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
  func unconditional(_ format: PropertyListFormat) -> Evaluation {
    let circumstances = Circumstances(country: nil, version: nil, instant: instant)
    return Evaluation(circumstances: circumstances, format: format, assets: assets)
  }

  /// The rows of one bundle: each context comes with what it has, as places in the selection and their variants.
  func rows(
    _ selection: Selection, name: String, _ contexts: [[BundleBody.Row]]
  ) throws -> [BundleRow] {
    var writer = try bodyWriter(contexts.first ?? [], selection)
    var rows: [BundleRow] = []
    for context in contexts { rows.append(try row(selection, name: name, context, &writer)) }
    return rows
  }

  private func bodyWriter(_ rows: [BundleBody.Row], _ selection: Selection) throws -> BodyWriter {
    do throws(PropertyListEncodingError) {
      return try BodyWriter(selection, rows, unconditional(selection.bundle.format))
    } catch {
      throw unencodable(error, selection.bundle)
    }
  }

  private func row(
    _ selection: Selection, name: String, _ entries: [BundleBody.Row], _ writer: inout BodyWriter
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
      return try object(body, selection, &writer)
    }
    return BundleRow(
      object: own, variants: variants, ttl: bundle.ttl ?? plan.tree.project.lifetimes.offline,
      format: bundle.format == format ? nil : bundle.format,
      startup: startup)
  }

  private func object(
    _ body: BundleBody, _ selection: Selection, _ writer: inout BodyWriter
  ) throws -> BundleRow.Object {
    do {
      let file = try writer.encoded(body)
      let object = OutputObject(
        bytes: file.bytes, fileExtension: selection.bundle.format.fileExtension, seams: file.seams)
      try emit(object)
      return BundleRow.Object(
        digest: object.digest, size: object.bytes.count, count: body.rows.count, changes: body.changes)
    } catch let error as PropertyListEncodingError {
      throw unencodable(error, selection.bundle)
    }
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
