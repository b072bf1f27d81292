import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// An encoder of bundles for the contexts of one locale.
///
/// It emits one object for each distinct result. The entries that all devices show alike are linked
/// first, and only once, so that the bundles of a locale begin with the same bytes.
struct BundleEncoder: Sendable {
  let project: Project
  let contexts: [Context]
  let assets: AssetTable
  /// The moment of the build.
  let instant: Instant
  let emit: @Sendable (OutputObject) throws -> Void

  /// An encoder for the entries that some work prepares.
  init(
    for project: Project, after work: EntryWork,
    emit: @escaping @Sendable (OutputObject) throws -> Void
  ) {
    (self.project, self.emit) = (project, emit)
    (contexts, assets, instant) = (work.rules.contexts, work.assets, work.instant)
  }

  /// What readers see of whom nothing is known.
  func unconditional(_ format: PropertyListFormat) -> Evaluation {
    Evaluation(format: format, assets: assets, instant: instant)
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
      throw UnencodableContent(error: error, bundle: selection.bundle)
    }
  }

  private func row(
    _ selection: Selection, name: String, _ entries: [BundleBody.Row], _ writer: inout BodyWriter
  ) throws -> BundleRow {
    let bundle = selection.bundle
    let changes = entries.compactMap { $0.image.nextEmbargo($0.variant, at: instant) }.min()
    let entries = entries.filter { !$0.image.isWithheld($0.variant, at: instant) }
    let classes = AudienceClasses(entries.flatMap { $0.image.conditions($0.variant, at: instant) })
    var startup: Value?
    let (own, variants) = try classes.variants { country, version in
      let circumstances = Circumstances(country: country, version: version, instant: instant)
      let evaluation = Evaluation(
        circumstances: circumstances, format: bundle.format, assets: assets)
      let body = BundleBody(selection, name: name, entries, changes: changes, evaluation)
      if bundle.isStartup, country == nil, version == nil {
        var carried = evaluation
        carried.format = project.format
        startup = BundleBody(selection, name: name, entries, changes: changes, carried).value
      }
      return try object(body, selection, &writer)
    }
    return BundleRow(
      object: own, variants: variants, ttl: bundle.ttl ?? project.lifetimes.offline,
      format: bundle.format == project.format ? nil : bundle.format,
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
      throw UnencodableContent(error: error, bundle: selection.bundle)
    }
  }
}

/// Content that the format of a bundle cannot carry.
struct UnencodableContent: Error {
  let error: PropertyListEncodingError
  let bundle: BundleDefinition

  /// The diagnostic, which names the entry: key paths of a bundle begin with `entries` and an id.
  ///
  /// The texts of the entry may be released, so its file is read again. The line is unknown if the
  /// file has changed meanwhile.
  func diagnostic(in tree: ContentTree) -> Diagnostic {
    let id = error.keyPath.first == "entries" ? error.keyPath.dropFirst().first : nil
    let entry = tree.entries.first { $0.id.text == id }
    var places = SourcePlaces(tree)
    return Diagnostic(
      .error, "unencodable", at: entry.map { places.location(of: $0.place) } ?? bundle.location,
      "'\(id ?? bundle.name)' cannot be written: \(error)",
      notes: [
        Diagnostic.Note("the bundle '\(bundle.name)' asks for that format", at: bundle.location)
      ])
  }
}

extension [Result<EntryImage, PropertyListEncodingError>] {
  /// Returns all images of a bundle.
  ///
  /// - Throws: `UnencodableContent` for the first entry that the bundle's format cannot carry.
  func images(for bundle: BundleDefinition) throws(UnencodableContent) -> [EntryImage] {
    var images: [EntryImage] = []
    images.reserveCapacity(count)
    for result in self {
      do throws(PropertyListEncodingError) { images.append(try result.get()) } catch {
        throw UnencodableContent(error: error, bundle: bundle)
      }
    }
    return images
  }
}
