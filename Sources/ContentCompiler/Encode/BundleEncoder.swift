import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import SiteFormat

/// An encoder of bundles for all contexts, which encodes one locale at a time.
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

  /// The evaluation for readers of unknown country and version.
  func unconditional(_ format: PropertyListFormat) -> Evaluation {
    Evaluation(format: format, assets: assets, instant: instant)
  }

  /// Encodes one bundle in some contexts of a locale, from the entries of each context.
  func rows(
    of selection: Selection, name: String, in contexts: [[BundleBody.Row]]
  ) throws -> [BundleRow] {
    var writer = try bodyWriter(for: selection, sharing: contexts.first ?? [])
    var rows: [BundleRow] = []
    for entries in contexts {
      rows.append(try row(of: entries, in: selection.bundle, name: name, to: &writer))
    }
    return rows
  }

  private func bodyWriter(
    for selection: Selection, sharing rows: [BundleBody.Row]
  ) throws -> BodyWriter {
    do throws(PropertyListEncodingError) {
      return try BodyWriter(
        for: selection, sharing: rows, evaluation: unconditional(selection.bundle.format))
    } catch {
      throw UnencodableContent(error: error, bundle: selection.bundle)
    }
  }

  private func row(
    of entries: [BundleBody.Row], in bundle: BundleDefinition, name: String,
    to writer: inout BodyWriter
  ) throws -> BundleRow {
    let changes = entries.compactMap { $0.image.nextEmbargo($0.variant, at: instant) }.min()
    let entries = entries.filter { !$0.image.isWithheld($0.variant, at: instant) }
    let classes = AudienceClasses(entries.flatMap { $0.image.conditions($0.variant, at: instant) })
    var startup: Value?
    let (own, variants) = try classes.variants { country, version in
      let circumstances = Circumstances(country: country, version: version, instant: instant)
      let evaluation = Evaluation(
        circumstances: circumstances, format: bundle.format, assets: assets)
      let body = BundleBody(
        of: entries, name: name, sort: bundle.sort, changes: changes, evaluation: evaluation)
      if bundle.isStartup, country == nil, version == nil {
        var carried = evaluation
        carried.format = project.format
        startup =
          BundleBody(
            of: entries, name: name, sort: bundle.sort, changes: changes, evaluation: carried
          ).value
      }
      let isInIndex = bundle.isStartup && country == nil && version == nil
      return try object(of: body, in: bundle, isInIndex: isInIndex, to: &writer)
    }
    return BundleRow(
      object: own, variants: variants, ttl: bundle.ttl ?? project.lifetimes.offline,
      format: bundle.format == project.format ? nil : bundle.format,
      startup: startup)
  }

  private func object(
    of body: BundleBody, in bundle: BundleDefinition, isInIndex: Bool, to writer: inout BodyWriter
  ) throws -> BundleRow.Object {
    do {
      let file = try writer.encoded(body)
      try PropertyList.requireReadableCount(of: file.bytes, as: bundle.format)
      let object = OutputObject(
        bytes: file.bytes, fileExtension: bundle.format.fileExtension, seams: file.seams)
      try emit(object)
      return BundleRow.Object(
        digest: object.digest, size: object.bytes.count, count: body.rows.count,
        changes: body.changes,
        recipe: try recipe(of: object, in: bundle.format, isInIndex: isInIndex))
    } catch let error as PropertyListEncodingError {
      throw UnencodableContent(error: error, bundle: bundle)
    }
  }
}

extension BundleEncoder {
  /// Makes and emits the recipe of a bundle; `nil` if the project or the bundle has none.
  ///
  /// Readers who get the bundle in the index load neither the bundle nor a recipe.
  func recipe(
    of bundle: OutputObject, in format: PropertyListFormat, isInIndex: Bool
  ) throws -> BundleRow.Recipe? {
    guard project.transfersText, format == .binary, !isInIndex,
      let text = Recipe(of: bundle.bytes)?.text
    else { return nil }
    let object = OutputObject(bytes: text, fileExtension: Recipe.fileExtension)
    try emit(object)
    return BundleRow.Recipe(digest: object.digest, size: text.count)
  }
}

/// Content that the format of a bundle cannot carry.
struct UnencodableContent: Error {
  let error: PropertyListEncodingError
  let bundle: BundleDefinition

  /// The diagnostic, which names the entry: key paths of a bundle begin with `entries` and an id.
  ///
  /// The texts of the entry may be discarded, so its file is read again. The line is unknown if the
  /// file has changed meanwhile.
  func diagnostic(in tree: ContentTree) -> Diagnostic {
    let id = error.keyPath.first == "entries" ? error.keyPath.dropFirst().first : nil
    let entry = tree.entries.first { $0.id.text == id }
    var places = SourcePlaces(tree)
    return Diagnostic(
      .error, rule: .unencodable,
      at: entry.map { places.location(of: $0.place) } ?? bundle.location,
      message: "'\(id ?? bundle.name)' cannot be written: \(error)",
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

/// A writer of one bundle for all contexts of a locale.
struct BodyWriter: ~Copyable {
  private let format: PropertyListFormat
  private var binary: SharedEntries
  private var text = TextLinker()

  /// Encodes the common beginning of the locale's bundles, from the rows of any one of them.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  init(
    for selection: Selection, sharing rows: [BundleBody.Row], evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    format = evaluation.format
    binary = try SharedEntries(
      of: selection, in: format == .binary ? rows : [], evaluation: evaluation)
  }

  /// Returns the bytes of a bundle, and the offsets of stretches that other bundles share.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  mutating func encoded(_ body: BundleBody) throws(PropertyListEncodingError) -> (
    bytes: [UInt8], seams: [Int]
  ) {
    guard format == .binary else { return (try body.text(in: format, linkedBy: &text), []) }
    let file = try binary.linked(body)
    return (file.bytes, file.seams)
  }
}
