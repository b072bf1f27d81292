package import ContentModel
import ContentTargets
import PropertyLists

/// The message that readers see during a maintenance: the content of an entry, in place of the
/// message in `maintenance.yaml`.
package struct MaintenanceMessage: Sendable {
  /// The hashes of the texts, by locale and device.
  package let payloads: Value
  /// The texts' objects, which the target may lack.
  let objects: [ReleaseObject]
  private let bytes: [Digest: [UInt8]]

  /// Takes an entry from a release, in the form in which each reader sees it; `nil` if no reader has
  /// the entry.
  ///
  /// Readers who do not have the entry keep the usual message.
  ///
  /// - Parameters:
  ///   - entry: The id of the entry.
  ///   - reader: The release that has the entry.
  ///   - retryAfter: The seconds after which readers ask again; `nil` for the entry's own value.
  /// - Throws: `DeliveryError` or `TargetError` if an object cannot be read; the error of encoding a
  ///   value that the format cannot represent.
  package init?(entry: String, of reader: ReleaseReader, retryAfter: Int?) throws {
    let content = reader.content
    let usual = content.members["maintenance"]
    // Both sides of a rollout get the same texts.
    var payloads = content.members["next"]?["maintenance"]?["payloads"]?.members ?? Members()
    for (locale, devices) in usual?["payloads"]?.members ?? Members() { payloads[locale] = devices }
    var isSomewhere = false
    var bytes: [Digest: [UInt8]] = [:]
    let contexts = Set(reader.contexts)
    for context in reader.contexts where !context.isNext || !contexts.contains(context.stable) {
      guard var text = try Self.text(of: entry, in: reader, for: context) else { continue }
      let seconds = retryAfter ?? text["retryAfter"]?.seconds ?? usual?["retryAfter"]?.seconds
      text["retryAfter"] = seconds.map { .integer(Int64($0)) }
      let payload = try PropertyList.encode(.dictionary(text), as: content.format)
      let digest = Digest(of: payload)
      var devices = payloads[context.locale]?.members ?? Members()
      devices[context.device] = digest.value(in: content.format)
      payloads[context.locale] = .dictionary(devices)
      (bytes[digest], isSomewhere) = (payload, true)
    }
    guard isSomewhere else { return nil }
    self.bytes = bytes
    self.payloads = .dictionary(payloads)
    objects = bytes.sorted { $0.key < $1.key }.map { digest, payload in
      ReleaseObject(
        digest: digest, fileExtension: content.format.fileExtension, size: payload.count)
    }
  }

  /// Returns the fullest form of an entry that a context's reader sees: lists may show only a part
  /// of it.
  private static func text(
    of entry: String, in reader: ReleaseReader, for context: ReleaseContext
  ) throws -> Members? {
    let holders = try reader.holders(of: entry)
    let rows = try reader.rows(context).filter { holders?.contains($0.object) ?? true }
    let general = rows.filter(\.variant.isEmpty)
    var texts: [Members] = []
    for row in general.isEmpty ? rows : general {
      if let text = try reader.entries(of: row.object)[entry]?["content"]?.members {
        texts.append(text)
      }
    }
    // The first of the longest, so that equal releases give equal texts.
    return texts.first { text in texts.allSatisfy { $0.count <= text.count } }
  }

  /// Returns a release's content with these texts beside it.
  package func added(to content: ReleaseContent) -> ReleaseContent {
    var all = content
    let known = Set(content.objects)
    all.objects += objects.filter { !known.contains($0) }
    all.file = { [bytes] object in
      guard let payload = bytes[object.digest] else { return try content.file(object) }
      return OutgoingFile(bytes: payload, headers: object.headers)
    }
    return all
  }
}
