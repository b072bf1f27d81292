import Hashing
package import ContentModel
import ContentTargets
import PropertyLists

/// The message that readers see during a maintenance: the content of an entry in place of
/// `maintenance.yaml`'s.
package struct MaintenanceMessage: Sendable {
  /// Locale to device to hash.
  package let payloads: Value
  /// The objects that the target may lack.
  let objects: [ReleaseObject]
  private let bytes: [Digest: [UInt8]]

  /// Takes an entry from a release, for each of its readers as that one sees it.
  ///
  /// Readers who have no such entry get what they would get without it. `retryAfter` is in seconds,
  /// in place of the entry's own.
  ///
  /// - Throws: `DeliveryError` for what cannot be read; what a format cannot carry.
  /// - Returns: `nil` where no reader has such an entry.
  package init?(entry: String, of reader: ReleaseReader, retryAfter: Int?) throws {
    let content = reader.content
    let usual = content.members["maintenance"]
    var (payloads, isSomewhere) = (usual?["payloads"]?.members ?? Members(), false)
    var bytes: [Digest: [UInt8]] = [:]
    for context in reader.contexts {
      guard var text = try Self.text(entry, reader, context) else { continue }
      let seconds = retryAfter ?? text["retryAfter"]?.number ?? usual?["retryAfter"]?.number
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

  /// An entry as a reader sees it, where most of it is shown: lists may have a part of it only.
  private static func text(_ entry: String, _ reader: ReleaseReader, _ context: ReleaseContext)
    throws -> Members?
  {
    let holders = try reader.holders(of: entry)
    let rows = try reader.rows(context).filter { holders?.contains($0.object) ?? true }
    let general = rows.filter(\.variant.isEmpty)
    var texts: [Members] = []
    for row in general.isEmpty ? rows : general {
      if let text = try reader.entries(of: row.object)[entry]?["content"]?.members {
        texts.append(text)
      }
    }
    // The first of the longest, so that the same release gives the same.
    return texts.first { text in texts.allSatisfy { $0.count <= text.count } }
  }

  /// A release's content with these texts beside it.
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
