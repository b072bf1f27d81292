import ContentModel

/// The purges of a channel: what was done, and what is to be done still.
package struct PurgeLedger: Sendable {
  /// In order.
  package private(set) var finished: [PurgeManifest] = []
  /// In order.
  package private(set) var unfinished: [PurgeManifest] = []
  /// Files that say what is left to do, where that is nothing: all was done, or the release never came about.
  package private(set) var leftovers: [String] = []

  package var all: [PurgeManifest] { finished + unfinished }

  /// Reads it.
  ///
  /// - Throws: `DeliveryError` for a manifest that is damaged, or newer than we are; `TargetError`.
  package init(_ place: ChannelPlace, live: LiveRelease?) throws {
    guard let sequence = live?.purge?["sequence"]?.number, sequence > 0 else { return }
    let files = try place.target.list(below: PurgeManifest.folder(place.channel)).compactMap { PurgeFile($0.key) }
    let read = try files.mapOverlapped { file in
      try place.target.read(file.key).map { stored in
        Result { try PurgeManifest(bytes: stored.bytes, at: "'\(file.key)' at \(place.target.name)") }
      }
    }
    let manifests = zip(files, read).compactMap { file, result in result.map { (file: file, result: $0) } }
    let pending = Set(files.filter { $0.record != nil }.map(\.sequence))
    for (file, result) in manifests where file.record == nil {
      // One that was cut while it was written is written again by whoever finishes that purge.
      if case .failure = result, pending.contains(file.sequence) { continue }
      finished.append(try result.get())
    }
    // What is to come may just be about to begin.
    for (file, result) in manifests where file.record != nil && file.sequence <= sequence {
      if try isLeft(file, try? result.get(), in: place) {
        unfinished.append(try result.get())
      } else {
        leftovers.append(file.key)
      }
    }
    finished.sort { $0.sequence < $1.sequence }
    unfinished.sort { $0.sequence < $1.sequence }
  }

  /// Whether a purge has begun, and nothing says that it has ended.
  private func isLeft(_ file: PurgeFile, _ manifest: PurgeManifest?, in place: ChannelPlace) throws -> Bool {
    // Of those with one number, a single one has ever begun.
    if finished.contains(where: { $0.sequence == file.sequence }) { return false }
    var chain = try place.chain()
    var last: Int?
    while let record = try chain.next() {
      if record.digest.hex.hasPrefix(file.record ?? "") { return true }
      last = record.number
      if let manifest, record.number <= manifest.release { return false }
    }
    // Where its record was pruned, nothing tells.
    return manifest != nil && last != 1
  }

  /// The purge that was asked for in the same words, if its work is still done.
  ///
  /// Entries may have come back in other words with whatever was published since; a release or an asset is always the same.
  package func done(_ asked: [String], live: LiveRelease, _ place: ChannelPlace) throws -> PurgeManifest? {
    let shown = ReleaseReader(live.content(at: place.target))
    return try all.last { manifest in
      guard !asked.isEmpty, manifest.asked == asked else { return false }
      if manifest.subject == nil { return try isUntouched(since: manifest, place) }
      if manifest.record == live.record.digest { return true }
      let isBack = try manifest.contents.contains { try Self.shows(shown, $0) }
      let isKnown = !manifest.contents.isEmpty || !manifest.assets.isEmpty
      return isKnown && !isBack && !manifest.assets.contains { shown.object($0) != nil }
    }
  }

  /// Whether readers get what a purge has left, but for what later purges took away.
  package func isUntouched(since manifest: PurgeManifest, _ place: ChannelPlace) throws -> Bool {
    let purges = Set(all.map(\.record))
    var chain = try place.chain()
    while let record = try chain.next() {
      if record.of == manifest.release { return true }
      guard record.of == record.number, purges.contains(record.digest) else { return false }
    }
    return false
  }

  /// Refuses content that was purged, unless readers see it already, or it is among what may come back.
  ///
  /// - Throws: `DeliveryError`; what reading objects throws.
  package func refusePurged(
    in content: ReleaseContent, but unpurged: Set<String>, live: LiveRelease, _ place: ChannelPlace
  ) throws {
    if all.isEmpty { return }
    let shown = ReleaseReader(live.content(at: place.target))
    let reader = ReleaseReader(content)
    for manifest in all {
      for asset in manifest.assets where reader.object(asset) != nil && shown.object(asset) == nil {
        if unpurged.contains(asset.hex) { continue }
        throw refusal(manifest, "asset \(asset.hex.prefix(16))… is", asset.hex)
      }
      for purged in manifest.contents where try Self.shows(reader, purged) && !Self.shows(shown, purged) {
        let contexts = try PurgedReaders(reader, purged).contexts
        if contexts.isEmpty || unpurged.contains(purged.entry) { continue }
        let what = purged.field.map { "'\($0)' of \(purged.entry)" } ?? purged.entry
        throw refusal(manifest, "\(what) is, for \(Self.list(contexts)),", purged.entry)
      }
    }
  }

  private static func list(_ contexts: [ReleaseContext]) -> String {
    if contexts.count > 3 { return "\(contexts[0]), \(contexts[1]) and \(contexts.count - 2) other readers" }
    return contexts.map(\.description).joined(separator: " and ")
  }

  private func refusal(_ manifest: PurgeManifest, _ what: String, _ name: String) -> DeliveryError {
    DeliveryError(
      .refused,
      "\(what) as it was when purge \(manifest.sequence) removed it (\(manifest.reason)); nothing was changed; correct it, "
        + "or publish it again on purpose with --unpurge \(name)")
  }

  private static func shows(_ reader: ReleaseReader, _ purged: PurgedContent) throws -> Bool {
    let holders = try reader.holders(of: purged.entry) ?? []
    return try holders.sorted().contains { digest in
      guard let object = reader.object(digest), ["plist", "json"].contains(object.fileExtension) else { return false }
      do {
        return try reader.entries(of: digest)[purged.entry].map(purged.isShown) ?? false
      } catch is DeliveryError {
        // What is gone was removed for what it showed.
        return true
      }
    }
  }
}

/// A purge's file, by its name.
private struct PurgeFile {
  let key: String
  let sequence: Int
  /// The first digits of its release's record; `nil` in the name of what is finished.
  let record: String?

  /// `nil` for what somebody else has put there.
  init?(_ key: String) {
    self.key = key
    guard let name = key.split(separator: "/").last, name.hasSuffix(".plist") else { return nil }
    let parts = name.dropLast(6).split(separator: "-", omittingEmptySubsequences: false)
    guard let sequence = Int(parts[0]), parts.count <= 2 else { return nil }
    self.sequence = sequence
    record = parts.count == 2 ? String(parts[1]) : nil
    if let record, record.count != 16 || !record.allSatisfy(\.isHexDigit) { return nil }
  }
}
