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
    var refused: [(manifest: PurgeManifest, what: String, name: String)] = []
    for manifest in all {
      let assets = manifest.assets.filter { !unpurged.contains($0.hex) }
      // Who lets a picture back means the entries, too, that were taken for it.
      if assets.isEmpty, !manifest.assets.isEmpty { continue }
      for asset in assets where reader.object(asset) != nil && shown.object(asset) == nil {
        refused.append((manifest, "asset \(asset.hex.prefix(16))… is", asset.hex))
      }
      if !manifest.assets.isEmpty, !refused.isEmpty { continue }
      for purged in manifest.contents where !unpurged.contains(purged.entry) {
        guard try Self.shows(reader, purged), try !Self.shows(shown, purged) else { continue }
        let contexts = try PurgedReaders(reader, purged).contexts
        if contexts.isEmpty { continue }
        let what = purged.field.map { "'\($0)' of \(purged.entry)" } ?? purged.entry
        refused.append((manifest, "\(what) is, for \(Self.list(contexts)),", purged.entry))
      }
    }
    guard let first = refused.first else { return }
    var names: [String] = []
    for name in refused.map(\.name) where !names.contains(name) { names.append(name) }
    throw refusal(first.manifest, first.what, names)
  }

  private static func list(_ contexts: [ReleaseContext]) -> String {
    if contexts.count > 3 { return "\(contexts[0]), \(contexts[1]) and \(contexts.count - 2) other readers" }
    return contexts.map(\.description).joined(separator: " and ")
  }

  private func refusal(_ manifest: PurgeManifest, _ what: String, _ names: [String]) -> DeliveryError {
    let flags = names.prefix(10).map { "--unpurge \($0)" }.joined(separator: " ")
    return DeliveryError(
      .refused,
      "\(what) as it was when purge \(manifest.sequence) removed it (\(manifest.reason)); nothing was changed; correct it, "
        + "or publish it again on purpose with \(flags)"
        + (names.count > 10 ? "; \(names.count - 10) more are refused, too" : ""))
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
    guard let sequence = Int(parts[0]), (0...SerialNumber.highest).contains(sequence), parts.count <= 2 else {
      return nil
    }
    self.sequence = sequence
    record = parts.count == 2 ? String(parts[1]) : nil
    if let record, record.count != 16 || !record.allSatisfy(\.isHexDigit) { return nil }
  }
}
