import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists

/// A manifest of format 1, in which contentc kept all about a purge before it wrote notes.
///
/// Such manifests are read for ever, and never changed. A manifest counts as the note `begun`, as
/// `live` if it says so, and as `done-` if it is final.
struct OldManifest: Sendable {
  let begun: Begun
  /// `true` if readers were seen to get config with the purge.
  let isLive: Bool
  /// `true` for the manifest of a finished purge, `<n>.plist`; `false` for a pending manifest,
  /// `<n>-<digits of the record>.plist`.
  let isFinal: Bool

  /// Reads the manifest in a file of a channel; `nil` without the file, and for a file `<n>.plist`
  /// that is no manifest.
  ///
  /// - Throws: `DeliveryError` for a damaged pending manifest, and for one of a newer version;
  ///   `TargetError`.
  static func read(_ name: PurgeName, at place: ChannelPlace) throws -> OldManifest? {
    let key = name.key(in: place.channel)
    guard let stored = try place.target.readAny(key) else { return nil }
    let manifest = try manifest(in: stored.bytes, named: name, at: place)
    if case .pendingManifest = name, manifest == nil {
      throw DeliveryError(
        .refused,
        "\(place.location(of: key)) is damaged, so the remaining steps of purge \(name.number) are unknown; run the same "
          + "purge again, then remove that file")
    }
    return manifest
  }

  private static func manifest(
    in bytes: [UInt8], named name: PurgeName, at place: ChannelPlace
  ) throws(DeliveryError) -> OldManifest? {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number,
      value["sequence"] != nil, let record = value["record"]
    else { return nil }
    if format == NoteFormat.number, record == .data([]) { return nil }
    let location = place.location(of: name.key(in: place.channel))
    if let newer = DeliveryError(newer: value["format"], above: 1, at: location) { throw newer }
    guard let begun = Begun(manifest: value, of: place), begun.number == name.number else {
      return nil
    }
    // Anybody may have copied the file.
    if case .pendingManifest(let folder) = name, folder.digits != begun.record.shortHex {
      return nil
    }
    return OldManifest(
      begun: begun, isLive: value["live"] == true, isFinal: name == .number(begun.number))
  }
}

extension Begun {
  /// Reads the members of a manifest of format 1; `nil` if one is missing or damaged.
  fileprivate init?(manifest value: Value, of place: ChannelPlace) {
    guard let number = value["sequence"]?.number, LiveRelease.numbers.contains(number),
      let issued = value["issued"]?.instant, let reason = value["reason"]?.text,
      let release = value["release"]?.number, LiveRelease.numbers.contains(release),
      let record = value["record"]?.digest, let objects = ReleaseObject.readAll(value["objects"])
    else { return nil }
    self.init(
      app: place.app, channel: place.channel, number: number, issued: issued, reason: reason,
      by: value["by"]?.text, release: release, record: record, previous: nil,
      commandWords: (value["asked"]?.items ?? []).compactMap(\.text),
      subject: value["subject"]?.text,
      entries: (value["entries"]?.items ?? []).compactMap(\.text),
      contents: (value["contents"]?.items ?? []).compactMap(PurgedContent.init),
      assets: (value["assets"]?.items ?? []).compactMap(\.digest), given: nil, objects: objects,
      atRisk: ReleaseObject.readAll(value["endangered"]) ?? [])
  }
}
