import ContentModel
import Diagnostics
import PropertyLists
import SiteFormat

/// The config of a published channel, as it was received.
package struct BakedConfig: Sendable {
  let bytes: [UInt8]
  let members: Members
  /// The file name extension of property lists, unless their row in an index names another format.
  let fileExtension: String

  /// The newest `format` that this version reads.
  private static let newest = 1

  /// Reads the config of an app's channel; `name` is the file's name for messages.
  ///
  /// - Throws: `BakeError` if it is foreign, damaged, or of a newer version.
  package init(_ bytes: [UInt8], of channel: String, app: String, at name: String) throws(BakeError)
  {
    let config = Envelope.config(in: bytes)
    let decoded = try? PropertyList.decode(config)
    // A later format may lack any other member.
    let known = config.count < bytes.count ? Self.newest : Envelope.format
    if let newer = NewerFormat(decoded?.value["format"], above: known) {
      throw BakeError(.refused, newer.sentence(about: name))
    }
    guard let (value, format) = decoded, let members = value.members,
      members["format"]?.number == Self.newest, let owner = members["app"]?.text,
      let release = members["release"]?.number, release > 0,
      LimitedNumber.serials.contains(release)
    else { throw BakeError(.refused, "\(name) is no config of a published channel") }
    guard owner == app, members["channel"]?.text == channel else {
      let found = members["channel"]?.text.map { "'\($0)' of '\(owner)'" } ?? "'\(owner)'"
      throw BakeError(.refused, "\(name) is of \(found), not of '\(channel)' of '\(app)'")
    }
    (self.bytes, self.members, fileExtension) = (bytes, members, format.fileExtension)
  }

  /// The config of content that need not be published.
  init(members: Members, format: PropertyListFormat) {
    (bytes, self.members, fileExtension) = ([], members, format.fileExtension)
  }

  /// Checks all objects that any reader reaches, and returns their number.
  ///
  /// - Throws: `BakeError`; the errors of reading the files.
  package func objectCount(in files: PublishedFiles) throws -> Int {
    try BakeWalk(config: self, files: files, order: BakeOrder(), includesRecipes: true).run().count
  }

  /// The number of the release.
  package var release: Int { members["release"]?.number ?? 0 }
  /// The time of the release.
  var issued: Instant? { members["issued"]?.instant }
  /// The number of the last purge; 0 if there was none.
  package var purges: Int { members["purge"]?["sequence"]?.number ?? 0 }
  /// The name of the file in a baked folder.
  var fileName: String { "config.\(fileExtension)" }

  /// A locale and a device, whose readers get the same content.
  struct Context: Sendable {
    let index: Digest
    /// The hash of the texts that these readers see during maintenance.
    let texts: Digest?
  }

  /// Returns the contexts of an order.
  ///
  /// - Throws: `BakeError` for an unknown locale or device, and a context without an index.
  func contexts(of order: BakeOrder) throws(BakeError) -> [Context] {
    let indexes = members["indexes"]?.members ?? Members()
    let locales = try names(order.locales, known: indexes.map(\.key), orThrow: .unknownLocale)
    let declared = ["any"] + (members["devices"]?.members ?? Members()).map(\.key)
    let devices = try names(
      order.devices, known: Set(names: declared).names, orThrow: .unknownDevice)
    let texts = members["maintenance"]?["payloads"]
    var contexts: [Context] = []
    for locale in locales {
      for device in devices {
        // A device that has no index in this locale uses the index of the device `any`.
        let own = indexes[locale]?[device]?.digest == nil ? "any" : device
        guard let index = indexes[locale]?[own]?.digest else {
          throw BakeError(.refused, "config has no index for \(locale)/\(device)")
        }
        contexts.append(
          Context(
            index: index,
            texts: (texts?[locale]?[device] ?? texts?[locale]?["any"])?.digest))
      }
    }
    return contexts
  }

  /// Returns the wanted names, or all known ones if none is wanted.
  private func names(
    _ wanted: [String], known: [String], orThrow rule: Rule
  ) throws(BakeError) -> [String] {
    for word in wanted where !known.contains(where: { $0.hasSameBytes(as: word) }) {
      throw BakeError(.unknown(rule, word: word, known: known), "unknown \(rule.noun) '\(word)'")
    }
    return wanted.isEmpty ? known : wanted
  }
}

extension BakedConfig {
  /// Returns the seconds between this release and a newer one with other content; 0 if there is
  /// none.
  package func secondsBehind(_ live: BakedConfig) -> Int {
    guard live.release > release, members["build"] != live.members["build"],
      let own = issued, let newer = live.issued
    else { return 0 }
    return Int(min(max(0, newer.secondsSinceReferenceDate - own.secondsSinceReferenceDate), 1e12))
  }
}
