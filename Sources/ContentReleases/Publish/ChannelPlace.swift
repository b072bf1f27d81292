package import ContentModel
package import ContentTargets
import Hashing
import PropertyLists

/// A channel at a target, for one app.
package struct ChannelPlace: Sendable {
  package var target: any Target
  package var channel: String
  package var app: String

  package init(target: any Target, channel: String, app: String) {
    (self.target, self.channel, self.app) = (target, channel, app)
  }

  /// Returns the key of config in a format.
  package func configKey(_ format: PropertyListFormat) -> String {
    "\(channel)/config.\(format.fileExtension)"
  }

  /// The key of the list of releases in which purges have nothing left to look for.
  package var retiredReleasesKey: String { "\(channel)/retired.plist" }

  /// Returns the name of a file at the target for messages.
  package func location(of key: String) -> String { "'\(key)' at \(target.name)" }

  /// Returns the live release; `nil` if nothing was ever published.
  ///
  /// The record is not read again if it is the `known` one.
  ///
  /// - Throws: `DeliveryError` for a config that is foreign, damaged, or of a newer version;
  ///   `TargetError`.
  package func live(known: ReleaseRecord? = nil) throws -> LiveRelease? {
    for key in [configKey(.binary), configKey(.json)] {
      if let stored = try target.read(key) { return try release(in: stored, at: key, known: known) }
    }
    return nil
  }

  private func release(
    in stored: StoredFile, at key: String, known: ReleaseRecord?
  ) throws -> LiveRelease {
    let place = location(of: key)
    guard let (value, format) = try? PropertyList.decode(stored.bytes), let members = value.members,
      let app = members["app"]?.text
    else { throw DeliveryError(.refused, "\(place) is no config of contentc") }
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
      throw DeliveryError(
        .refused, "\(place) was written by a newer contentc (format \(version)); update this one"
      )
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
        "\(place) is release \(number), but its record \(name.key(format)) is missing"
      )
    }
    guard record.number == number else {
      throw DeliveryError(
        .refused, "\(place) is release \(number), but its record is of release \(record.number)")
    }
    return LiveRelease(
      members: members, format: format, bytes: stored.bytes, tag: stored.tag, record: record)
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
      guard let stored = try target.read(key) else { continue }
      if Digest(of: stored.bytes) == name.digest, let record = ReleaseRecord(bytes: stored.bytes) {
        return record
      }
      throw DeliveryError(.refused, "'\(key)' at \(target.name) is damaged")
    }
    return nil
  }
}
