package import ContentModel
package import ContentTargets
import PropertyLists

/// The extra files of a channel in a folder.
package struct FolderExtras: Sendable {
  let target: FolderTarget
  /// The text of `_headers`, for hosts that read it; `nil` for no such file.
  private let headers: String?
  private let hasLatest: Bool

  /// The key of the rules for Netlify and Cloudflare Pages.
  static let headersKey = "_headers"
  /// The first line of a file that contentc wrote.
  static let mark = "# Written by contentc, and replaced at every publication.\n"

  /// Creates the extra files of a folder; `nil` if there are none.
  package init?(_ target: any Target, headers: String?, latest: Bool) {
    guard let target = target as? FolderTarget, headers != nil || latest else { return nil }
    (self.target, self.headers, hasLatest) = (target, headers.map { Self.mark + $0 }, latest)
  }

  /// Returns the text of `_headers` for a folder whose channels all have configs of this format.
  package static func rules(config: FileHeaders, format: PropertyListFormat) -> String {
    var lines = [
      "/objects/*", "  Cache-Control: \(String.forever)", "/:channel/releases/*",
      "  Cache-Control: \(String.forever)",
      "/:channel/config.\(format.fileExtension)", "  Content-Type: \(config.contentType)",
      "  Cache-Control: \(config.cacheControl)",
    ]
    if let value = config.cdnCacheControl { lines.append("  CDN-Cache-Control: \(value)") }
    lines += ["/:channel/latest/*", "  Cache-Control: no-cache"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes `_headers`, after the objects and before config.
  ///
  /// - Throws: `DeliveryError` if a file with this name is not contentc's; `TargetError`.
  func writeHeaders() throws {
    guard let headers else { return }
    let stored = try target.read(Self.headersKey)
    if let stored, !stored.bytes.starts(with: Array(Self.mark.utf8)) {
      throw DeliveryError(
        .refused,
        "'\(Self.headersKey)' in \(target.name) was not written by contentc; move it away, or leave out 'headers'; "
          + "readers notice nothing")
    }
    let bytes = Array(headers.utf8)
    if stored?.bytes == bytes { return }
    let file = OutgoingFile(
      bytes: bytes, headers: FileHeaders(contentType: "text/plain", cacheControl: "no-store"))
    guard try target.replace(Self.headersKey, with: file, tagged: stored?.tag) else {
      throw DeliveryError(
        .lost, "'\(Self.headersKey)' in \(target.name) was changed meanwhile; run again")
    }
  }

  /// Copies the live bundles to names that a person can type, and removes outdated names.
  ///
  /// Checks every name, so it also repairs the leftovers of a killed run.
  ///
  /// - Parameters:
  ///   - config: The members of the live config.
  ///   - format: The format of the config and its indexes.
  ///   - channel: The channel's name.
  /// - Throws: `TargetError`, which says that the release is live nevertheless.
  package func writeLatest(_ config: Members, format: PropertyListFormat, in channel: String)
    throws
  {
    guard hasLatest else { return }
    do {
      try replaceLatest(config, format: format, in: channel)
    } catch let error as TargetError {
      throw TargetError(
        error.kind,
        "\(error.description) (the release is live, but names in '\(channel)/latest' are older)")
    }
  }

  private func replaceLatest(_ config: Members, format: PropertyListFormat, in channel: String)
    throws
  {
    var kept = Set<String>()
    for (locale, devices) in config["indexes"]?.members ?? Members() {
      for (device, index) in devices.members ?? Members() {
        guard let digest = index.digest else { continue }
        for (name, bundle) in try bundles(of: digest, format: format) {
          let key = "\(channel)/latest/\(locale)/\(device)/\(name).\(bundle.fileExtension)"
          guard let stored = try target.read(bundle.key) else { continue }
          try target.put(stored.bytes, at: key)
          kept.insert(key)
        }
      }
    }
    for file in try target.list(below: "\(channel)/latest/") where !kept.contains(file.key) {
      try target.remove(file.key)
    }
  }

  /// Returns the bundles of an index that are one object each, by name.
  private func bundles(
    of index: Digest, format: PropertyListFormat
  ) throws -> [(String, ReleaseObject)] {
    let object = ReleaseObject(digest: index, fileExtension: format.fileExtension, size: 0)
    guard let stored = try target.read(object.key) else { return [] }
    let bundles = try PropertyList.decode(stored.bytes).value["bundles"]?.members ?? Members()
    return bundles.compactMap { name, row in
      guard let digest = row["object"]?.digest else { return nil }
      let own = (row["format"]?.text).flatMap { PropertyListFormat(rawValue: $0) } ?? format
      return (name, ReleaseObject(digest: digest, fileExtension: own.fileExtension, size: 0))
    }
  }
}
