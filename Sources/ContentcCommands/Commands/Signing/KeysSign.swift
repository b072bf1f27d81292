import ArgumentParser
import CommandParts
import CommandReports
import ContentKeys
import ContentModel
import ContentSettings
import ContentSigning
import ContentTrust
import Diagnostics
import Notifications

/// Signs the newest document.
struct KeysSign: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign the newest key document, or a prepared release, with the keys of this machine.",
    discussion: """
      Several people sign in turn: each takes the file over, signs, and hands it on. The signers are \
      those of the settings with 'role: keys'; --with names a file with a secret key instead. \
      --prepared signs the folder that a command with --prepare wrote, by the roles 'release' and \
      'fresh'; it needs neither the content nor a network. --config takes the SHA-256 that the \
      preparing machine printed: a folder with another config is not signed.

      Examples:
        contentc keys sign production
        contentc keys sign production --with /media/stick/keys.pem
        contentc keys sign --prepared prepared --with /media/stick/ann.pem
      """)

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "A file with a secret key (PKCS#8 in PEM); may be repeated. Default: the signers of the "
        + "settings.", valueName: "file"))
  var with: [String] = []
  @Option(
    help: ArgumentHelp(
      "Sign the release that --prepare wrote into this folder. Default: the key document.",
      valueName: "folder"))
  var prepared: String?
  @Option(
    help: ArgumentHelp(
      "The SHA-256 of the config that --prepare printed; no other one is signed. Default: any.",
      valueName: "hash"))
  var config: String?
  @Option(
    help: ArgumentHelp(
      "Sign a release only if it is current for at most this time. Default: 60d.",
      valueName: "duration"), transform: NewDocumentOptions.span)
  var validFor: TimeSpan?
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if prepared == nil, validFor != nil { throw ValidationError("--valid-for needs --prepared.") }
    guard let config else { return }
    if prepared == nil { throw ValidationError("--config needs --prepared.") }
    if Digest(hex: config) == nil {
      throw ValidationError("--config takes a SHA-256 in 64 hexadecimal digits.")
    }
  }

  func perform() throws -> Report {
    if let prepared {
      let expected = config.flatMap { Digest(hex: $0) }
      return try PreparedFolder(prepared).sign(
        expecting: expected, forAtMost: validFor ?? .days(60)
      ) {
        app, channel in
        if let named = try delivery.name(self.channel), named != channel {
          throw Failure(
            .usage, "prepared-release",
            "'\(prepared.harmless)' is of the channel '\(channel.harmless)', "
              + "not of '\(named.harmless)'",
            notes: ["nothing was signed"])
        }
        return try machineSigners(of: app, channel: channel, in: [.release, .fresh])
      }
    }
    let keys = try channelKeys()
    let newest = try keys.newest()
    let signers = try machineSigners(of: keys.app, channel: keys.channel, in: [.keys])
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

  /// Returns the signers of the settings, or those with the files of --with in some roles.
  private func machineSigners(
    of app: String, channel: String, in roles: [KeyDocument.Role]
  ) throws -> Signers {
    if with.isEmpty { return try settings.signers(app: app, channel: channel) }
    return Signers(
      of: with.flatMap { path in
        roles.map { role in
          SignerSettings(
            app: app, channel: channel, role: role, source: .file(path: path),
            location: SourceLocation(path: path))
        }
      })
  }
}
