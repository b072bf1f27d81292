package import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat
import SystemC

/// The secret keys that 'keys init' makes.
package struct NewSecretKeys {
  private let folder: String
  private let secrets: [(name: String, key: SecretKey)]

  /// Makes keys for a folder; writes nothing yet.
  ///
  /// - Throws: A failure if the keys would not be safe in the folder: it is in an `open` folder,
  ///   which others can read, or in a git repository, or other users may write to it. A failure,
  ///   too, if the folder already has a file with the name of a key.
  package init(in folder: String, outside open: [String]) throws(Failure) {
    for place in open where ResolvedPath(folder).isInside(ResolvedPath(place)) {
      throw Failure(
        .usage, .secretInContent,
        "'\(folder.harmless)' is part of '\(place.harmless)', which is public",
        notes: ["name a folder outside of it, such as ~/keys"])
    }
    if let tree = ResolvedPath(folder).gitFolder {
      throw Failure(
        .usage, .secretInContent,
        "'\(folder.harmless)' is in the git repository '\(tree.harmless)', whose next commit could take the keys up",
        notes: ["name a folder outside of it, such as ~/keys"])
    }
    self.folder = folder.withoutTrailingSlashes
    try Self.requireOwn(self.folder)
    var secrets: [(name: String, key: SecretKey)] = []
    for name in ["keys", "release"] {
      guard let key = SecretKey.random() else {
        throw Failure(.inputOutput, .secretKey, "libcrypto makes no key")
      }
      secrets.append((name, key))
    }
    self.secrets = secrets
    for (name, _) in secrets where access(path(name), F_OK) == 0 {
      throw Failure(
        .inputOutput, .secretKey, "there is such a key already, which is not replaced",
        at: path(name),
        notes: ["name another folder, or remove the file if no key document names its key"])
    }
  }

  /// Refuses a folder in which another user could replace the keys.
  private static func requireOwn(_ folder: String) throws(Failure) {
    var status = stat()
    guard stat(folder, &status) == 0 else { return }
    let isOwn = status.st_uid == geteuid() || status.st_uid == 0
    guard !isOwn || status.st_mode & 0o022 != 0 else { return }
    throw Failure(
      .usage, .secretKey, "other users may write this folder, and so replace the keys",
      at: folder,
      notes: [
        isOwn
          ? "if it is yours alone: chmod go-w '\(folder.harmless)'" : "name a folder of your own"
      ])
  }

  package var keys: KeyDraft.Key { KeyDraft.Key(secrets[0].key.publicKey, name: "keys") }
  package var release: KeyDraft.Key { KeyDraft.Key(secrets[1].key.publicKey, name: "release") }

  private func path(_ name: String) -> String { "\(folder)/\(name).pem" }

  /// Writes the keys into files that only their owner may read, and does work that needs them.
  ///
  /// After a failure, removes the files, so that the command can be run again.
  package func write<Result>(during work: () throws -> Result) throws -> Result {
    let isNew = mkdir(folder, 0o700) == 0
    var written: [String] = []
    do {
      for (name, key) in secrets {
        try write(key, to: name) { written.append(path(name)) }
      }
      return try work()
    } catch {
      for path in written { unlink(path) }
      if isNew { rmdir(folder) }
      throw error
    }
  }

  private func write(_ key: SecretKey, to name: String, made: () -> Void) throws(Failure) {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw unwritable(name) }
    defer { close(descriptor) }
    made()
    let bytes = Array(key.pem.utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count, fsync(descriptor) == 0
    else { throw unwritable(name) }
  }

  private func unwritable(_ name: String) -> Failure {
    Failure(
      .inputOutput, .unwritable, "the key cannot be written: \(String(cString: strerror(errno)))",
      at: path(name), notes: ["nothing is signed"])
  }

  /// The settings of a machine that has these keys.
  package func settings(for keys: ChannelKeys) -> [SignerSettings] {
    [
      SignerSettings(
        app: keys.app, channel: keys.channel, role: .keys, source: .file(path: path("keys")),
        location: SourceLocation(path: folder))
    ]
  }

  /// The lines that a person adds to the settings of the machine.
  package func text(for keys: ChannelKeys) -> String {
    let absolute = FolderPath.shortest(FolderPath.absolute(folder))
    return """
        secret keys are in \(folder): keep keys.pem offline, and a copy of it
        add to ~/.config/contentc/settings.yaml of the machine that publishes:
          signers:
            - {app: \(keys.app), channel: \(keys.channel), role: release, file: \(absolute)/release.pem}
            - {app: \(keys.app), channel: \(keys.channel), role: fresh, file: \(absolute)/release.pem}

      """
  }
}
