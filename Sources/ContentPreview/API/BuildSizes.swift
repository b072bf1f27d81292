import ContentBuild
import ContentModel
import ContentSource
import PropertyLists
import SharedGzip
import SiteFormat
import Synchronization
import System

/// The number of bytes that readers of the served build fetch, from its indexes and files.
///
/// For a bundle with variants, the object for readers who match no variant counts.
///
/// A class, since it keeps the result until the next build.
final class BuildSizes: Sendable {
  /// The sizes of one build.
  struct Sizes: Sendable {
    /// All contexts, sorted by name.
    var contexts: [SizedContext] = []
    /// The largest entries in the source locale on any device, the largest first.
    var largest: [LargeEntry] = []
  }

  private let files: BuildFiles
  private let last = Mutex<(config: Digest, sizes: Sizes)?>(nil)
  private let compressor = GzipCompressor()

  /// The most entries in the list of the largest ones.
  static let largestCount = 50

  init(_ files: BuildFiles) { self.files = files }

  /// Returns the sizes of the served build; empty if it cannot be read.
  func read() -> Sizes {
    guard let bytes = files.config, let (config, format) = try? PropertyList.decode(bytes) else {
      return Sizes()
    }
    let digest = Digest(of: bytes)
    if let last = last.withLock({ $0 }), last.config == digest { return last.sizes }
    let contexts = contexts(of: config, format: format)
    let source = contexts.first {
      $0.locale == config["sourceLocale"]?.text && $0.device == DeviceTree.root
    }
    let largest = source.map { largestEntries(of: $0.bundles) } ?? []
    let sizes = Sizes(contexts: contexts, largest: largest)
    last.withLock { $0 = (digest, sizes) }
    return sizes
  }

  private func contexts(of config: Value, format: PropertyListFormat) -> [SizedContext] {
    var indexes: [Digest: [SizedBundle]] = [:]
    var contexts: [SizedContext] = []
    for (locale, devices) in config["indexes"]?.members ?? Members() {
      for (device, hash) in devices.members ?? Members() {
        guard let digest = hash.digest else { continue }
        let bundles = indexes[digest] ?? bundles(ofIndex: digest, format: format)
        indexes[digest] = bundles
        contexts.append(SizedContext(locale: locale, device: device, bundles: bundles))
      }
    }
    return contexts
  }

  private func bundles(ofIndex index: Digest, format: PropertyListFormat) -> [SizedBundle] {
    guard let value = value(of: index, format: format) else { return [] }
    let startup = value["startup"]?.members?.keys ?? []
    return (value["bundles"]?.members ?? Members()).compactMap { name, row in
      let own = row.format ?? format
      var bundle = SizedBundle(name: name, format: own, entries: row["count"]?.number ?? 0)
      bundle.isStartup = startup.contains(name)
      if let parts = BundleParts(row) {
        bundle.isSplit = true
        let rows = parts.rows(in: self.value(of: parts.digest, format: format))
        bundle.objects =
          [object(parts.digest, extension: format.fileExtension)]
          + rows.values.compactMap { self.bundle(of: $0, format: format) }
        bundle.format = rows.values.lazy.compactMap(\.format).first ?? own
      } else if let object = self.bundle(of: row, format: format) {
        bundle.objects = [object]
      }
      return bundle.objects.isEmpty ? nil : bundle
    }
  }

  // MARK: Files

  private func value(of digest: Digest, format: PropertyListFormat) -> Value? {
    files.bytes(ofObject: digest, format: format).flatMap {
      try? PropertyList.decode($0, as: format).value
    }
  }

  /// Returns the bundle of a row, with the compressed size of its recipe if readers load that.
  private func bundle(of row: Value, format: PropertyListFormat) -> SizedObject? {
    guard let digest = row["object"]?.digest else { return nil }
    var bundle = object(digest, extension: (row.format ?? format).fileExtension)
    if let recipe = row["text"]?["object"]?.digest {
      bundle.gzip = object(recipe, extension: Recipe.fileExtension).gzip
    }
    return bundle
  }

  private func object(_ digest: Digest, extension fileExtension: String) -> SizedObject {
    let names = BuildFiles.names(ofObject: digest, extension: fileExtension)
    let packedNames = BuildFiles.names(ofObject: digest, extension: fileExtension + ".gz")
    let packed = files.folder.open(packedNames)?.size
    if let size = files.folder.open(names)?.size {
      // There is no compressed copy unless it is smaller.
      return SizedObject(digest: digest, bytes: size, gzip: packed ?? size)
    }
    // The output of an edit is compressed later; its compressed size is computed here.
    let bytes = files.bytes(names) ?? []
    let made = (try? compressor.compress(bytes))?.count ?? bytes.count
    return SizedObject(digest: digest, bytes: bytes.count, gzip: min(made, bytes.count))
  }

  // MARK: Entries

  /// Returns each entry once, from the bundle in which it is largest, by its bytes as JSON.
  private func largestEntries(of bundles: [SizedBundle]) -> [LargeEntry] {
    var all: [ExactString: LargeEntry] = [:]
    for bundle in bundles {
      // The first object of a split bundle is its list, which has no fields.
      for object in bundle.isSplit ? bundle.objects.dropFirst() : bundle.objects[...] {
        let entries = value(of: object.digest, format: bundle.format)?["entries"]?.members
        for (id, entry) in entries ?? Members() {
          guard let bytes = try? PropertyList.encode(entry, as: .json).count else { continue }
          if bytes > (all[id]?.bytes ?? 0) {
            all[id] = LargeEntry(entry: id, bundle: bundle.name, bytes: bytes)
          }
        }
      }
    }
    let sorted = all.values.sorted { a, b in
      a.bytes == b.bytes ? a.entry < b.entry : a.bytes > b.bytes
    }
    return Array(sorted.prefix(Self.largestCount))
  }
}

extension Value {
  /// The format that a row of an index or list names.
  fileprivate var format: PropertyListFormat? {
    self["format"]?.text.flatMap { PropertyListFormat(rawValue: $0) }
  }
}
