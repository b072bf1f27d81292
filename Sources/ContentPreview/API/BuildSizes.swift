import ContentModel
import ContentSource
import ContentStore
import PropertyLists
import Synchronization

/// How many bytes readers of the served build fetch, as its indexes and files tell.
///
/// Of a bundle with variants, the object that readers get who match none of them.
///
/// A class, since it keeps what it found until there is another build.
final class BuildSizes: Sendable {
  private let files: BuildFiles
  private let last = Mutex<(config: Digest, contexts: [SizedContext], largest: [LargeEntry])?>(nil)
  private let compressor = GzipCompressor()

  /// How many of the largest entries are told.
  static let largestCount = 50

  init(_ files: BuildFiles) { self.files = files }

  /// Every context, in the order of names, and the largest entries of what the source locale shows
  /// on any device.
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
        let bundles = indexes[digest] ?? bundles(ofIndex: digest, format)
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

  private func bundles(ofIndex index: Digest, _ format: PropertyListFormat) -> [SizedBundle] {
    guard let value = value(index, format) else { return [] }
    let startup = value["startup"]?.members?.keys ?? []
    return (value["bundles"]?.members ?? Members()).compactMap { name, row in
      let own = row["format"]?.text.flatMap { PropertyListFormat(rawValue: $0) } ?? format
      var bundle = SizedBundle(name: name, format: own, entries: row["count"]?.count ?? 0)
      bundle.isStartup = startup.contains(name)
      if let list = row["list"]?.digest {
        bundle.isSplit = true
        let parts = self.value(list, format)?["entries"]?.members ?? Members()
        bundle.objects =
          [object(list, format)]
          + parts.values.compactMap { part in
            let own = part["format"]?.text.flatMap { PropertyListFormat(rawValue: $0) } ?? format
            return part["object"]?.digest.map { object($0, own) }
          }
        if let format = parts.values.lazy.compactMap({ $0["format"]?.text }).first {
          bundle.format = PropertyListFormat(rawValue: format) ?? own
        }
      } else if let digest = row["object"]?.digest {
        bundle.objects = [object(digest, own)]
      }
      return bundle.objects.isEmpty ? nil : bundle
    }
  }

  // MARK: Files

  private func names(_ digest: Digest, _ format: PropertyListFormat) -> [String] {
    ["objects", String(digest.hex.prefix(2)), "\(digest.hex).\(format.fileExtension)"]
  }

  private func value(_ digest: Digest, _ format: PropertyListFormat) -> Value? {
    files.bytes(names(digest, format)).flatMap { try? PropertyList.decode($0, as: format).value }
  }

  private func object(_ digest: Digest, _ format: PropertyListFormat) -> SizedObject {
    let names = names(digest, format)
    let packed = files.folder.open(names.dropLast() + [names[names.count - 1] + ".gz"])?.size
    if let size = files.folder.open(names)?.size {
      // Where packing saves nothing, there is no packed copy.
      return SizedObject(digest: digest, bytes: size, gzip: packed ?? size)
    }
    // What an edit made is packed once there is time; until then readers wait for the plain bytes.
    let bytes = files.bytes(names) ?? []
    let made = (try? compressor.compress(bytes))?.count ?? bytes.count
    return SizedObject(digest: digest, bytes: bytes.count, gzip: min(made, bytes.count))
  }

  // MARK: Entries

  /// Each entry where it is the largest, by its bytes as JSON.
  private func largestEntries(of bundles: [SizedBundle]) -> [LargeEntry] {
    var all: [ExactString: LargeEntry] = [:]
    for bundle in bundles {
      for object in bundle.isSplit ? bundle.objects.dropFirst() : bundle.objects[...] {
        for (id, entry) in value(object.digest, bundle.format)?["entries"]?.members ?? Members() {
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
