import ArgumentParser
import CommandParts
import CommandReports
import ContentKeys
import ContentSettings
import ContentSigning
import ContentTrust
import Diagnostics
import Notifications

/// Signs the newest document.
struct KeysSign: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign the newest key document with the keys of this machine.",
    discussion: """
      Several people sign in turn: each takes the file over, signs, and hands it on. The signers are \
      those of the settings with 'role: keys'; --with names a file with a secret key instead.

      Examples:
        contentc keys sign production
        contentc keys sign production --with /media/stick/keys.pem
      """)

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "A file with a secret key (PKCS#8 in PEM); may be repeated. Default: the signers of the "
        + "settings.", valueName: "file"))
  var with: [String] = []
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let keys = try channelKeys()
    let newest = try keys.newest()
    let files = with.map { path in
      SignerSettings(
        app: keys.app, channel: keys.channel, role: .keys, source: .file(path: path),
        location: SourceLocation(path: path))
    }
    let signers =
      try files.isEmpty
      ? settings.signers(app: keys.app, channel: keys.channel) : Signers(of: files)
    let (signed, failures) = try keys.sign(newest.signed, version: newest.version, by: signers)
    guard signed != newest.signed || keys.folder.pending == nil else {
      throw Failure(
        .unavailable, "signer", "no signer of this machine adds a signature to the key document",
        at: keys.folder.file(newest.version),
        notes: failures.map { "\($0.location.path): \($0.reason)" }
          + ["the settings list signers with 'role: keys'; --with names a file"])
    }
    // The signatures are complete: a second call would ask each signer again.
    return try keys.write(
      signed, version: newest.version, by: Signers(of: []), verb: "Signed")
  }
}
