import Hashing
import SharedGzip
import ContentModel
import ContentSource
import ContentStore
import PropertyLists
import Synchronization

/// The number of bytes that readers of the served build fetch, from its indexes and files.
///
/// For a bundle with variants, the object for readers who match no variant counts.
///
/// A class, since it keeps the result until the next build.
final class BuildSizes: Sendable {
  private let files: BuildFiles
  private let last = Mutex<(config: Digest, contexts: [SizedContext], largest: [LargeEntry])?>(nil)
  private let compressor = GzipCompressor()

  /// The most entries in the list of the largest ones.
  static let largestCount = 50

  init(_ files: BuildFiles) { self.files = files }

  /// Returns all contexts by name, and the largest entries in the source locale on any device.
  func read() -> (contexts: [SizedContext], largest: [LargeEntry]) {
    guard let bytes = files.config, let (config, format) = try? PropertyList.decode(bytes) else {
      return ([], [])
    }
    let digest = Digest(of: bytes)
    if let last = last.withLock({ $0 }), last.config == digest {
      return (last.contexts, last.largest)
    }
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
    let source = contexts.first {
      $0.locale == config["sourceLocale"]?.text && $0.device == DeviceTree.root
    }
    let largest = source.map { largestEntries(of: $0.bundles) } ?? []
    last.withLock { [contexts] in $0 = (digest, contexts, largest) }
    return (contexts, largest)
  }

  private func bundles(ofIndex index: Digest, format: PropertyListFormat) -> [SizedBundle] {
    guard let value = value(of: index, format: format) else { return [] }
    let startup = value["startup"]?.members?.keys ?? []
    return (value["bundles"]?.members ?? Members()).compactMap { name, row in
      let own = row.format ?? format
      var bundle = SizedBundle(name: name, format: own, entries: row["count"]?.count ?? 0)
      bundle.isStartup = startup.contains(name)
      if let list = row["list"]?.digest {
        bundle.isSplit = true
        let parts = self.value(of: list, format: format)?["entries"]?.members ?? Members()
        bundle.objects =
          [object(list, format: format)]
          + parts.values.compactMap { part in
            part["object"]?.digest.map { object($0, format: part.format ?? format) }
          }
        bundle.format = parts.values.lazy.compactMap(\.format).first ?? own
      } else if let digest = row["object"]?.digest {
        bundle.objects = [object(digest, format: own)]
      }
      return bundle.objects.isEmpty ? nil : bundle
    }
  }

  // MARK: Files

  private func names(of digest: Digest, format: PropertyListFormat) -> [String] {
    ["objects", String(digest.hex.prefix(2)), "\(digest.hex).\(format.fileExtension)"]
  }

  private func value(of digest: Digest, format: PropertyListFormat) -> Value? {
    files.bytes(names(of: digest, format: format)).flatMap {
      try? PropertyList.decode($0, as: format).value
    }
  }

  private func object(_ digest: Digest, format: PropertyListFormat) -> SizedObject {
    let names = names(of: digest, format: format)
    let packed = files.folder.open(names.dropLast() + [names[names.count - 1] + ".gz"])?.size
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
      for object in bundle.isSplit ? bundle.objects.dropFirst() : bundle.objects[...] {
        let entries = value(of: object.digest, format: bundle.format)?["entries"]?.members
        for (id, entry) in entries ?? Members() {
          guard let bytes = try? PropertyList.encode(entry, as: .json).count else { continue }
          if bytes > all[id]?.bytes ?? 0 {
            all[id] = LargeEntry(entry: id, bundle: bundle.name, bytes: bytes)
          }
        }
      }
    }
    return Array(
      all.values.sorted { ($1.bytes, $0.entry) < ($0.bytes, $1.entry) }.prefix(Self.largestCount))
  }
}

extension Value {
  /// The format that a row of an index or list names.
  fileprivate var format: PropertyListFormat? {
    self["format"]?.text.flatMap { PropertyListFormat(rawValue: $0) }
  }
}
