package import ContentModel
package import ContentTargets
import PropertyLists
import SiteFormat

/// A channel at a target, for one app.
package struct ChannelPlace: Sendable {
  package var target: any Target
  package var channel: String
  package var app: String
  /// The format of the project, whose config is read first.
  package var format = PropertyListFormat.binary
  /// The signing of the channel's configs; `nil` for a channel that is not signed.
  package var signing: ChannelSigning?
  /// The last release that this machine saw, or was told of.
  package var seen = SeenRelease()
  /// The last one that this machine saw while the channel was not signed.
  package var seenUnsigned = SeenRelease()

  package init(target: any Target, channel: String, app: String) {
    (self.target, self.channel, self.app) = (target, channel, app)
  }

  /// The highest number of a purge that this machine, or the last recovery, knows; 0 without one.
  package var lastPurge: Int { max(seen.purge, signing?.newest.floors?.purge ?? 0) }

  /// Returns the key of config in a format.
  package func configKey(_ format: PropertyListFormat) -> String {
    "\(channel)/config.\(format.fileExtension)"
  }

  /// The keys that config may have, that of the project's format first.
  package var configKeys: [String] {
    let keys = [configKey(.binary), configKey(.json)]
    return format == .json ? keys.reversed() : keys
  }

  /// The key of the list of releases in which purges have nothing left to look for.
  package var retiredReleasesKey: String { "\(channel)/retired.plist" }

  /// Returns the name of a file at the target for messages.
  package func location(of key: String) -> String { "'\(key)' at \(target.name)" }

  /// Returns the live release; `nil` without config, for the reason that `reasonForNoConfig` gives.
  ///
  /// The record is not read again if it is the `known` one.
  ///
  /// The signatures of a signed channel are verified. A config without signatures is read, but no
  /// release follows it unless a publisher changes that.
  ///
  /// - Throws: `DeliveryError` for a config that is foreign, damaged, of a newer version, or does not
  ///   verify; `TargetError`.
  package func live(known: ReleaseRecord? = nil) throws -> LiveRelease? {
    for key in configKeys {
      if let stored = try target.read(key) { return try release(in: stored, at: key, known: known) }
    }
    return nil
  }

  private func release(
    in stored: StoredFile, at key: String, known: ReleaseRecord?
  ) throws -> LiveRelease {
    let place = location(of: key)
    let signed = try signedConfig(in: stored.bytes, at: place)
    let config = signed?.config ?? Envelope.config(in: stored.bytes)
    let decoded = try? PropertyList.decode(config)
    // A later format may lack any other member.
    let isInside = config.count < stored.bytes.count
    let newer = DeliveryError(
      newer: decoded?.value["format"],
      above: isInside ? LiveRelease.knownFormat : Envelope.format, at: place)
    if let newer { throw newer }
    guard let (value, format) = decoded, let members = value.members,
      let app = members["app"]?.text
    else {
      throw DeliveryError(
        .refused,
        "\(place) is no config of contentc; if it was one, put the file of a backup back, or remove it and publish"
      )
    }
    guard app == self.app else {
      throw DeliveryError(
        .refused,
        "\(place) belongs to the app '\(app)', not to '\(self.app)'; give the channel a target of "
          + "its own in content.yaml, or correct 'app' there")
    }
    guard let version = members["format"]?.number, version >= 1 else {
      throw DeliveryError(.refused, "\(place) does not say which format it has")
    }
    guard version <= LiveRelease.knownFormat else {
      throw DeliveryError(.refused, "\(place) is no whole signed config")
    }
    try checkNumbers(in: members, at: place)
    guard let number = members["release"]?.number, LiveRelease.numbers.contains(number),
      let digest = members["record"]?.digest
    else {
      throw DeliveryError(.refused, "\(place) does not say which release it is")
    }
    let isKnown = known?.digest == digest
    let name = ReleaseRecord.Name(channel: channel, number: number, digest: digest)
    guard let record = try isKnown ? known : record(named: name, format: format) else {
      throw DeliveryError(
        .refused,
        "\(place) is release \(number), but its record \(name.key(format)) is missing: put that file of a backup back, "
          + "too; or remove \(place), which hides the release from new readers at once, and publish: "
          + "purged content is refused then"
      )
    }
    guard record.number == number else {
      throw DeliveryError(
        .refused, "\(place) is release \(number), but its record is of release \(record.number)")
    }
    return LiveRelease(
      members: members, format: format, bytes: stored.bytes, config: config, signed: signed,
      tag: stored.tag, record: record)
  }

  /// Returns the verified config of a signed channel; `nil` for a config of format 1, and for a
  /// channel without key documents.
  private func signedConfig(
    in bytes: [UInt8], at location: String
  ) throws(DeliveryError) -> SignedConfig? {
    guard let signing else { return nil }
    do throws(TrustError) {
      _ = try Envelope(bytes)
    } catch .unsigned {
      return nil
    } catch .malformed(.envelope, .format(let newer)) {
      throw DeliveryError(.refused, newer.sentence(about: location))
    } catch .tooLarge {
      // A later format may allow more bytes.
      let value = try? PropertyList.decode(bytes).value
      let newer = DeliveryError(newer: value?["format"], above: Envelope.format, at: location)
      if let newer { throw newer }
    } catch {
      // The reason is that of verification.
    }
    return try signing.verified(bytes, of: self, at: location)
  }

  /// Refuses a live release without signatures in a signed channel: its record proves nothing.
  ///
  /// - Throws: `DeliveryError` if its config is not signed.
  package func requireSigned(_ live: LiveRelease) throws(DeliveryError) {
    guard signing != nil, !live.isSigned else { return }
    throw DeliveryError(
      .refused,
      "config of '\(channel)' is not signed, although content.yaml has 'signing': 'contentc keys on \(channel)' "
        + "signs it for the first time; if it was signed before, put the file of a backup back, or replace it by "
        + "'contentc keys replace \(channel)'; nothing was changed")
  }

  /// Verifies bytes that are served as the config of a signed channel; does nothing for another one.
  ///
  /// With `time`, its signatures must not have ended by then.
  ///
  /// - Throws: `DeliveryError` if they are not signed, or do not verify.
  package func verify(
    _ bytes: [UInt8], at location: String, notEndedBy time: Instant? = nil
  ) throws(DeliveryError) {
    guard let signing else { return }
    guard let signed = try signedConfig(in: bytes, at: location) else {
      throw DeliveryError(
        .refused, "\(location) is not signed, although content.yaml has 'signing' for the channel")
    }
    let end = min(signed.fresh.expires, signing.newest.expires)
    try refuseOlder(signed.fresh.release, at: location)
    guard let time, end <= time else { return }
    throw DeliveryError(
      .refused,
      "the signatures of \(location) have ended at \(end.rfc3339); 'contentc resign \(channel)' signs it again"
    )
  }

  /// Refuses a release below the last one that this machine saw.
  ///
  /// - Throws: `DeliveryError`.
  func refuseOlder(_ release: Int, at location: String) throws(DeliveryError) {
    guard release < seen.release else { return }
    throw DeliveryError(
      .refused,
      "\(location) is release \(release), although release \(seen.release) was live: an old config was put back; "
        + "nothing was changed")
  }

  /// Returns the tag of a config that is not read, since it does not verify; `nil` without config.
  func unreadTag(_ format: PropertyListFormat) throws -> String? {
    try target.read(configKey(format))?.tag
  }

  /// Returns the reason why the channel has no config, as a sentence, which names the command that
  /// publishes again: `publish` without options by default.
  package func reasonForNoConfig(
    publishing command: @autoclosure () throws -> String? = nil
  ) throws -> String {
    if try !hasReleases() {
      return "nothing is published in '\(channel)' yet: \(target.location) has no config"
    }
    return
      "config of '\(channel)' is gone from \(target.name), although releases were published: apps keep what they have, "
      + "and new readers get nothing; put the file of a backup back; without a backup, correct or remove bad content, then: "
      + (try command() ?? "contentc publish \(channel)")
  }

  /// Returns whether there is a record that can only follow another release; the first one may be of
  /// a publisher that was killed.
  package func hasReleases() throws -> Bool { try !recordFiles(above: 1).isEmpty }

  /// Returns the highest number of config and of the channel's records, also of those that were never
  /// live.
  ///
  /// - Throws: `TargetError`.
  package func highestRelease(after live: LiveRelease?) throws -> Int {
    let number = live?.number ?? 0
    return max(number, try newestRecord(above: number, ignoring: nil)?.number ?? 0)
  }

  /// Returns the record with the highest number above another number; `nil` if there is none.
  ///
  /// Such a record is of a publisher at work, of one that was killed, or of a release that was live
  /// before config was restored from a backup.
  /// A record of the run `ignored` does not count.
  private func newestRecord(above number: Int, ignoring ignored: String?) throws -> ReleaseRecord? {
    let files = try recordFiles(above: number).filter { $0.number - number <= Self.numbersAhead }
    for (number, file) in files.reversed() {
      guard let record = try ownRecord(in: file, named: number) else { continue }
      if ignored == nil || record.members["run"]?.text != ignored { return record }
    }
    return nil
  }

  /// A record whose number is above the live release's.
  struct RecordAhead {
    var number: Int
    /// `true` if a publisher may be at work on its release.
    ///
    /// Otherwise readers may have seen the release, and ignore the live one: config was restored
    /// from a backup.
    var mayBeUnderWay: Bool
  }

  /// Returns a record above the live release's; `nil` if there is none.
  ///
  /// The record may also be of a publisher that was killed. It costs one release with the same
  /// content at most, because that release gets a number above the record's.
  func recordAhead(of live: LiveRelease, at now: Instant) throws -> RecordAhead? {
    let files = try recordFiles(above: live.number).filter {
      $0.number - live.number <= Self.numbersAhead
    }
    var newest: RecordAhead?
    for (number, file) in files.reversed() {
      guard let record = try ownRecord(in: file, named: number) else { continue }
      // A publisher counts from the live release, and holds the lock of a folder.
      let age = now.secondsSinceReferenceDate - file.modified.secondsSinceReferenceDate
      let mayBeUnderWay =
        !target.hasLock && record.previous == live.record.digest && age < NamedObjects.longest
      if !mayBeUnderWay { return RecordAhead(number: number, mayBeUnderWay: false) }
      newest = newest ?? RecordAhead(number: number, mayBeUnderWay: true)
    }
    return newest
  }

  /// Returns a warning, as a sentence, if a release was live whose number is above the live one's, as
  /// after config was restored from a backup; `nil` if no record proves that there is one.
  ///
  /// - Throws: `TargetError`.
  package func releaseLost(after live: LiveRelease) throws -> String? {
    for (number, file) in try recordFiles(above: live.number).reversed()
    where number - live.number <= Self.numbersAhead {
      guard let record = try ownRecord(in: file, named: number), record.previous != nil,
        record.numberBefore > live.number
      else { continue }
      // Other publishers may have made these releases live since `live` was read.
      guard try self.live()?.record.digest == live.record.digest else { return nil }
      return "config of '\(channel)' is release \(live.number), although release "
        + "\(record.numberBefore) was live, as after it was restored from a backup: apps that have "
        + "seen that one ignore it; 'contentc publish \(channel)' publishes a release with a higher "
        + "number"
    }
    return nil
  }

  /// Returns whether a record of the channel follows another one, whose release was live then.
  ///
  /// - Throws: `TargetError`.
  package func isFollowed(_ digest: Digest, number: Int) throws -> Bool {
    let later = try recordFiles(above: number)
    return try later.prefix { $0.number == later[0].number }.contains { number, file in
      try ownRecord(in: file, named: number)?.previous == digest
    }
  }

  /// Returns whether the target has the record of a release of the channel.
  ///
  /// The bytes of a listed record are not read. Records of live releases exist before their configs.
  ///
  /// - Throws: `TargetError`.
  package func hasRecord(of release: ReleaseRecord.Identity) throws(TargetError) -> Bool {
    guard let digest = release.record else { return false }
    let name = ReleaseRecord.Name(channel: channel, number: release.number, digest: digest)
    // The project's format may have changed since.
    for key in [PropertyListFormat.binary, .json].map(name.key) {
      if try target.lists(key) { return true }
      // A list may be older than the file.
      if try target.readAny(key) != nil { return true }
    }
    return false
  }

  /// Returns whether the channel has a record with a number that is above config's.
  func hasRecord(of number: Int) throws -> Bool {
    try recordFiles(above: number - 1).prefix { $0.number == number }.contains {
      try ownRecord(in: $0.file, named: number) != nil
    }
  }

  /// Returns the files with the names of records above a number, in the order of their numbers.
  private func recordFiles(above number: Int) throws -> [(number: Int, file: ListedFile)] {
    try target.list(below: "\(channel)/releases/").compactMap { file in
      ReleaseRecord.place(of: file.key).map { (number: $0.number, file: file) }
    }.filter { $0.number > number }.sorted { $0.number < $1.number }
  }

  /// Returns the record in a file; `nil` for foreign files, copies of records under other numbers,
  /// and records of a newer version.
  private func ownRecord(in file: ListedFile, named number: Int) throws -> ReleaseRecord? {
    do {
      guard let record = try target.record(in: file), record.number == number,
        record.members["app"]?.text == app, record.members["channel"]?.text == channel
      else { return nil }
      return record
    } catch is DeliveryError { return nil }
  }

  /// The largest lead of a record's number over config's: a file beyond it is junk.
  package static let numbersAhead = 1_000_000

  /// Returns the number of the release that follows the live one.
  ///
  /// Readers ignore a release with a lower number than an earlier one. After config was restored
  /// from a backup, the number is therefore above those of all records. It was restored if it
  /// `isOlder` than a purge or a release, or if a record has a number above the next one, since each
  /// publisher counts from the live release.
  ///
  /// - Throws: `DeliveryError` if no number can follow; `TargetError`.
  func nextNumber(
    after live: LiveRelease?, isOlder: Bool, above least: Int? = nil, ignoring run: String? = nil
  ) throws -> Int {
    let number = live?.number ?? 0
    let newest = try newestRecord(
      above: isOlder || least != nil ? number : number + 1, ignoring: run)
    let highest = max(number, newest?.number ?? 0)
    // A mistyped number would separate readers from all later releases.
    if let least, least - Self.numbersAhead > max(highest, seen.release) {
      throw DeliveryError(
        .refused,
        "\(least) is above release \(highest), the last known one of '\(channel)', by more than "
          + "\(Self.numbersAhead), which apps do not accept; nothing was changed")
    }
    return try SerialNumber.next(
      after: max(highest, least ?? 0), of: "release",
      at: location(of: configKey(live?.format ?? .binary)))
  }

  /// Refuses numbers that no channel can reach: no number could follow them.
  private func checkNumbers(in members: Members, at place: String) throws(DeliveryError) {
    let purge = members["purge"]
    for (what, value) in [
      ("release", members["release"]), ("purge.sequence", purge?["sequence"]),
      ("purge.minimumRelease", purge?["minimumRelease"]),
    ] {
      guard let value else { continue }
      guard let number = value.number else {
        throw DeliveryError(
          .refused, "'\(what)' is no whole number in \(place): put the file of a backup back")
      }
      if !(0...SerialNumber.highest).contains(number) {
        throw SerialNumber.unbelievable("\(number)", of: what, at: place)
      }
    }
  }

  /// Returns a release's record; `nil` if it does not exist.
  ///
  /// - Throws: `DeliveryError` if the file is damaged; `TargetError`.
  func record(
    named name: ReleaseRecord.Name, format: PropertyListFormat
  ) throws -> ReleaseRecord? {
    // The project's format may have changed since.
    for format in [format, format == .json ? .binary : .json] {
      let key = name.key(format)
      guard let stored = try target.readAny(key) else { continue }
      if Digest(of: stored.bytes) == name.digest,
        let record = try ReleaseRecord.read(stored.bytes, at: location(of: key))
      {
        return record
      }
      throw DeliveryError(.refused, "'\(key)' at \(target.name) is damaged")
    }
    return nil
  }
}
