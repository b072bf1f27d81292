import PropertyLists
import ContentTargets
import Parallel
import ContentModel
package import ContentReleases
import Platform

/// The purges of a channel, finished and unfinished.
///
/// Only unfinished purges are read at once: there may be a thousand finished ones.
package struct PurgeLedger: Sendable {
  /// In order.
  package private(set) var unfinished: [PurgeManifest] = []
  /// Files of unfinished work without any left: all was done, or the release was never published.
  package private(set) var leftovers: [String] = []
  /// Files that are no manifests, or damaged, and were left out, as sentences.
  package private(set) var warnings: [String] = []
  private let place: ChannelPlace
  /// Files of finished purges, in order.
  private var files: [PurgeFile] = []

  /// The finished purges, in order; what cannot be read is left out.
  ///
  /// - Throws: `DeliveryError` for a manifest that is newer than we are; `TargetError`.
  package var finished: [PurgeManifest] {
    get throws { try Self.read(files, place).compactMap(\.self) }
  }

  package var all: [PurgeManifest] { get throws { try finished + unfinished } }

  /// `true` if the channel has no purges.
  package var isEmpty: Bool { files.isEmpty && unfinished.isEmpty }

  /// Lists the purges, and reads those that are unfinished.
  ///
  /// - Throws: `DeliveryError` for a manifest that is newer than we are; `TargetError`.
  package init(_ place: ChannelPlace, live: LiveRelease?) throws {
    self.place = place
    guard let sequence = live?.purge?["sequence"]?.number, sequence > 0 else { return }
    let folder = PurgeManifest.folder(place.channel)
    let (highest, overflows) = sequence.addingReportingOverflow(PurgeManifest.numbersAhead)
    var pending: [PurgeFile] = []
    for listed in try place.target.list(below: folder) {
      guard let file = PurgeFile(listed.key), overflows || file.sequence <= highest else {
        warnings.append(
          "'\(listed.key)' at \(place.target.name) is no purge manifest of contentc; it was left alone"
        )
        continue
      }
      if file.record == nil { files.append(file) } else { pending.append(file) }
    }
    files.sort { $0.sequence < $1.sequence }
    // A purge with a higher number may be about to begin.
    for file in pending.sorted(by: { $0.sequence < $1.sequence }) where file.sequence <= sequence {
      try note(file)
    }
  }

  private mutating func note(_ file: PurgeFile) throws {
    guard let stored = try place.target.readAny(file.key) else { return }
    let name = "'\(file.key)' at \(place.target.name)"
    let manifest = try? PurgeManifest(bytes: stored.bytes, at: name)
    guard try isLeft(file, manifest) else { return leftovers.append(file.key) }
    if let manifest { return unfinished.append(manifest) }
    warnings.append(
      "\(name) is damaged, so the remaining steps are unknown; run the same purge again, then remove that file"
    )
  }

  /// Manifests in the order of their files; `nil` for those that cannot be read.
  private static func read(_ files: [PurgeFile], _ place: ChannelPlace) throws -> [PurgeManifest?] {
    try files.mapOverlapped { file in
      guard let stored = try place.target.readAny(file.key) else { return nil }
      return try PurgeManifest.read(stored.bytes, at: "'\(file.key)' at \(place.target.name)")
    }
  }

  /// The latest purge of which something is true; reads no more than it must.
  package func last(where isMeant: (PurgeManifest) throws -> Bool) throws -> PurgeManifest? {
    if let found = try unfinished.last(where: isMeant) { return found }
    for end in stride(from: files.count, to: 0, by: -32) {
      let part = try Self.read(Array(files[max(end - 32, 0)..<end]), place).compactMap(\.self)
      if let found = try part.last(where: isMeant) { return found }
    }
    return nil
  }

  /// Returns whether a purge has begun without a sign of its end.
  private func isLeft(_ file: PurgeFile, _ manifest: PurgeManifest?) throws -> Bool {
    if let finished = files.first(where: { $0.sequence == file.sequence }),
      let done = try Self.read([finished], place)[0], done.record.hex.hasPrefix(file.record ?? "")
    {
      return false
    }
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
  /// Entries may have come back in other words with whatever was published since; a release or an
  /// asset is always the same.
  package func done(_ asked: [String], live: LiveRelease, _ place: ChannelPlace) throws
    -> PurgeManifest?
  {
    if asked.isEmpty { return nil }
    let shown = ReleaseReader(live.content(at: place.target))
    return try last { manifest in
      guard manifest.asked == asked else { return false }
      if manifest.subject == nil { return try isUntouched(since: manifest, place) }
      if manifest.record == live.record.digest { return true }
      let isBack = try manifest.contents.contains { try Self.shows(shown, $0) }
      let isKnown = !manifest.contents.isEmpty || !manifest.assets.isEmpty
      return isKnown && !isBack && !manifest.assets.contains { shown.object($0) != nil }
    }
  }

  /// Returns whether readers get the content that a purge left, except for later purges.
  package func isUntouched(since manifest: PurgeManifest, _ place: ChannelPlace) throws -> Bool {
    var chain = try place.chain()
    while let record = try chain.next() {
      if record.of == manifest.release { return true }
      guard record.of == record.number, try isPurge(record) else { return false }
    }
    return false
  }

  /// True if a release is a purge's.
  func isPurge(_ record: ReleaseRecord) throws -> Bool {
    if unfinished.contains(where: { $0.record == record.digest }) { return true }
    // Its message tells which, and the manifest whether that is true.
    guard let words = record.message?.prefix(while: { $0 != ":" }), words.hasPrefix("purge "),
      let sequence = Int(words.dropFirst("purge ".count))
    else { return false }
    let named = files.filter { $0.sequence == sequence }
    return try Self.read(named, place).contains { $0?.record == record.digest }
  }

  /// The rule by which a publisher refuses content that a purge took away.
  package static let rule: Publisher.PurgedContentRule = { draft, live, place in
    try PurgeLedger(place, live: live).refusePurged(
      in: draft.content, but: draft.unpurged, live: live, place)
  }

  /// Refuses content that was purged, unless readers see it already, or it is among what may come
  /// back.
  ///
  /// - Throws: `DeliveryError`; what reading objects throws.
  package func refusePurged(
    in content: ReleaseContent, but unpurged: Set<String>,  // String keys: ids and hashes are ASCII
    live: LiveRelease, _ place: ChannelPlace
  ) throws {
    if isEmpty { return }
    let shown = ReleaseReader(live.content(at: place.target))
    let reader = ReleaseReader(content)
    var refused: [(manifest: PurgeManifest, what: String, name: String)] = []
    for manifest in try all {
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
    if contexts.count > 3 {
      return "\(contexts[0]), \(contexts[1]) and \(contexts.count - 2) other readers"
    }
    return contexts.map(\.description).joined(separator: " and ")
  }

  private func refusal(_ manifest: PurgeManifest, _ what: String, _ names: [String])
    -> DeliveryError
  {
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
      guard let object = reader.object(digest), object.isPropertyList else { return false }
      do {
        return try reader.entries(of: digest)[purged.entry].map(purged.isShown) ?? false
      } catch is DeliveryError {
        // A missing object was removed because of its content.
        return true
      }
    }
  }
}

/// A purge's file, by its name.
struct PurgeFile {
  let key: String
  let sequence: Int
  /// The first digits of its release's record; `nil` in the name of a finished purge.
  let record: String?

  /// Parses a key; `nil` for foreign files.
  init?(_ key: String) {
    self.key = key
    guard let name = key.split(separator: "/").last, name.hasSuffix(".plist") else { return nil }
    let parts = name.dropLast(6).split(separator: "-", omittingEmptySubsequences: false)
    guard let sequence = Int(parts[0]), (1...SerialNumber.highest).contains(sequence),
      parts.count <= 2
    else {
      return nil
    }
    self.sequence = sequence
    record = parts.count == 2 ? String(parts[1]) : nil
    if let record, record.count != 16 || !record.allSatisfy(\.isHexDigit) { return nil }
  }
}

extension ChannelPlace {
  /// True if the live release shows older content than an earlier release did, after a rollback.
  package func isRolledBack() throws -> Bool {
    var chain = try chain()
    var shown = try chain.next()
    let ledger = try PurgeLedger(self, live: live())
    // A purge takes something from what was rolled back to, and leaves that where it is.
    while let record = shown, record.of == record.number, try ledger.isPurge(record) {
      shown = try chain.next()
    }
    guard let live = shown else { return false }
    while let record = try chain.next(), record.number > live.of {
      if record.of != live.of { return true }
    }
    return false
  }
}
