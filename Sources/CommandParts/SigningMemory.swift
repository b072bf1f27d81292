import CommandReports
package import ContentModel
import ContentStore
import Hashing
import PropertyLists
import SystemC

/// The releases of signed channels that this machine made live, in `.contentc/signed.plist` beside the
/// content.
///
/// An older config at the target is a replay. If the file is damaged or missing, nothing is known.
package struct SigningMemory {
  private let folder: String
  private var path: String { "\(folder)/signed.plist" }

  /// The last release that was seen.
  package struct Seen: Hashable {
    package var release: Int
    /// The hash of the config of format 1.
    package var config: Digest
    /// The version of the newest key document then.
    package var keys: Int

    package init(release: Int, config: Digest, keys: Int) {
      (self.release, self.config, self.keys) = (release, config, keys)
    }
  }

  package init(beside content: String) { folder = FolderPath.parent(of: content) + ".contentc" }

  /// Returns what was seen of an app's channel at a target; `nil` if nothing was.
  package func seen(_ channel: String, of app: String, at target: String) -> Seen? {
    guard let row = load()[key(channel, of: app, at: target)], let release = row["release"]?.number,
      let config = row["config"]?.digest, let keys = row["keys"]?.number
    else { return nil }
    return Seen(release: release, config: config, keys: keys)
  }

  /// Notes a release; a failure only costs a question later.
  package func note(_ seen: Seen, of channel: String, app: String, at target: String) {
    var known = load()
    known[key(channel, of: app, at: target)] = [
      "release": .integer(Int64(seen.release)), "config": .data(seen.config.bytes),
      "keys": .integer(Int64(seen.keys)),
    ]
    let value: Value = ["format": 1, "channels": .dictionary(known)]
    guard !FolderPath.isLink(folder), let bytes = try? PropertyList.encode(value, as: .binary)
    else { return }
    // Keeps the folder out of repositories.
    if mkdir(folder, 0o777) == 0 {
      try? AtomicFile("\(folder)/.gitignore").write(Array("*\n".utf8), durably: false)
    }
    try? AtomicFile(path).write(bytes, durably: false)
  }

  private func key(_ channel: String, of app: String, at target: String) -> String {
    "\(app)/\(channel) \(target)"
  }

  private func load() -> Members {
    guard !FolderPath.isLink(folder), let bytes = try? InputFile(path: path).read(),
      let value = try? PropertyList.decode(bytes).value, value["format"]?.number == 1
    else { return Members() }
    return value["channels"]?.members ?? Members()
  }
}
