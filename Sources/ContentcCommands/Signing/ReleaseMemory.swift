import ContentBuild
package import ContentModel
import PropertyLists
package import SiteFormat
import System
import SystemC

/// The newest releases of channels that this machine made or saw, in `.contentc/signed.plist` beside
/// the content.
///
/// An older config at the target was restored from a backup, or is a replay. If the file is damaged or
/// missing, nothing is known. Earlier versions remembered signed channels only, hence the file's name.
package struct ReleaseMemory: Sendable {
  private let folder: String
  private var path: String { "\(folder)/signed.plist" }

  /// The last release that was seen.
  package struct Seen: Hashable {
    package var release: Int
    /// The hash of its config of format 1.
    package var config: Digest
    /// The number of its last purge.
    package var purge: Int
    /// The version of the newest key document then; 0 in a channel that is not signed.
    package var keys: Int
    /// The hash of the last config that this machine made; `nil` if it made none.
    package var own: Digest?

    package init(release: Int, config: Digest, purge: Int, keys: Int, own: Digest?) {
      (self.release, self.config, self.purge) = (release, config, purge)
      (self.keys, self.own) = (keys, own)
    }
  }

  package init(beside content: String) { folder = FolderPath.parent(of: content) + ".contentc" }

  /// Returns the last release of an app's channel at a target; `nil` if none was seen.
  package func seen(_ channel: String, of app: String, at target: String) -> Seen? {
    Self.seen(load()[key(channel, of: app, at: target)])
  }

  private static func seen(_ row: Value?) -> Seen? {
    guard let row, let release = row["release"]?.number, let config = row["config"]?.digest,
      let keys = row["keys"]?.number, [release, keys].allSatisfy(LimitedNumber.serials.contains)
    else { return nil }
    return Seen(
      release: release, config: config, purge: row["purge"]?.number ?? 0, keys: keys,
      own: row["own"]?.digest)
  }

  /// Notes a release, unless a later one was seen.
  ///
  /// A failure is not reported: later commands then know less.
  package func note(_ new: Seen, of channel: String, app: String, at target: String) {
    change { known in
      let place = key(channel, of: app, at: target)
      let old = Self.seen(known[place])
      var seen = new
      if let old {
        // A recovery has a later key document, and may begin with lower release numbers.
        if (new.keys, new.release) < (old.keys, old.release) { seen = old }
        // After config was restored from a backup, a later release may have a lower purge number.
        if new.keys == old.keys { seen.purge = max(new.purge, old.purge) }
      }
      var row: Members = [
        "release": .integer(Int64(seen.release)), "config": .data(seen.config.bytes),
        "purge": .integer(Int64(seen.purge)), "keys": .integer(Int64(seen.keys)),
      ]
      row["own"] = (new.own ?? old?.own).map { .data($0.bytes) }
      known[place] = .dictionary(row)
    }
  }

  /// Changes the file under a lock; changes nothing if other processes hold the lock for two
  /// seconds.
  private func change(_ change: (inout Members) -> Void) {
    guard MemoryFolder.make(folder),
      let lock = try? Descriptor(folder, flags: O_RDONLY | O_DIRECTORY),
      (try? lock.lockPatiently()) == true
    else { return }
    defer { lock.unlock() }
    // A later version needs what it noted there.
    if newerFormat != nil { return }
    let old = load()
    var known = old
    change(&known)
    if known == old { return }
    let value: Value = [
      "format": .integer(Int64(Self.format)), "channels": .dictionary(known),
    ]
    guard let bytes = try? PropertyList.encode(value, as: .binary) else { return }
    try? AtomicFile(path).write(bytes, durably: false)
  }

  private func key(_ channel: String, of app: String, at target: String) -> String {
    "\(app)/\(channel) \(target)"
  }

  /// The `format` of the file.
  private static let format = 1

  private var value: Value? {
    guard !MemoryFolder.isLink(folder), let bytes = try? InputFile(path: path).read() else {
      return nil
    }
    return try? PropertyList.decode(bytes).value
  }

  /// The fact that a later version wrote the file, which this one neither reads nor changes; `nil` for
  /// every other file.
  package var newerFormat: NewerFormat? { NewerFormat(value?["format"], above: Self.format) }

  private func load() -> Members {
    guard let value, value["format"]?.number == Self.format else { return Members() }
    return value["channels"]?.members ?? Members()
  }
}
