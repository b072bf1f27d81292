import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// Bundles from entries' images, for the contexts of one locale: one object for each distinct
/// result, handed on as soon as it is made.
///
/// Entries that all devices see alike are linked first, and once: those bundles begin with the same
/// bytes.
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
    Evaluation(format: format, assets: assets, instant: instant)
  }

  /// The images of all entries of a bundle.
  ///
  /// - Throws: `Unencodable` for the first one that its format cannot carry.
  func whole(
    _ images: [Result<EntryImage, PropertyListEncodingError>], _ bundle: BundleDefinition
  ) throws(Unencodable) -> [EntryImage] {
    var all: [EntryImage] = []
    for image in images {
      do throws(PropertyListEncodingError) { all.append(try image.get()) } catch {
        throw Unencodable(error, bundle, in: plan.tree)
      }
    }
    return all
  }

  /// The rows of one bundle: each context comes with what it has, as places in the selection and
  /// their variants.
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
      throw Unencodable(error, selection.bundle, in: plan.tree)
    }
  }

  private func row(
    _ selection: Selection, name: String, _ entries: [BundleBody.Row], _ writer: inout BodyWriter
  ) throws -> BundleRow {
    let bundle = selection.bundle
    let changes = entries.compactMap { $0.image.nextEmbargo($0.variant, at: instant) }.min()
    let entries = entries.filter { !$0.image.isWithheld($0.variant, at: instant) }
    let classes = Classes(entries.flatMap { $0.image.conditions($0.variant, at: instant) })
    var startup: Value?
    let (own, variants) = try classes.variants { country, version in
      let circumstances = Circumstances(country: country, version: version, instant: instant)
      let evaluation = Evaluation(
        circumstances: circumstances, format: bundle.format, assets: assets)
      let body = BundleBody(selection, name: name, entries, changes: changes, evaluation)
      if bundle.isStartup, country == nil, version == nil {
        var carried = evaluation
        carried.format = format
        startup = BundleBody(selection, name: name, entries, changes: changes, carried).value
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
        digest: object.digest, size: object.bytes.count, count: body.rows.count,
        changes: body.changes)
    } catch let error as PropertyListEncodingError {
      throw Unencodable(error, selection.bundle, in: plan.tree)
    }
  }
}

extension BundleEncoder.Unencodable {
  /// Names the entry: key paths of a bundle begin with `entries` and its id.
  ///
  /// Its texts may be gone, so that its file is read once more; its line is lost if that changed
  /// meanwhile.
  init(_ error: PropertyListEncodingError, _ bundle: BundleDefinition, in tree: ContentTree) {
    let id = error.keyPath.first == "entries" ? error.keyPath.dropFirst().first : nil
    let entry = tree.entries.first { $0.id.text == id }
    var places = SourcePlaces(tree)
    diagnostic = Diagnostic(
      .error, "unencodable", at: entry.map { places.location(of: $0.place) } ?? bundle.location,
      "'\(id ?? bundle.name)' cannot be written: \(error)",
      notes: [
        Diagnostic.Note("the bundle '\(bundle.name)' asks for that format", at: bundle.location)
      ])
  }
}
