import ArgumentParser
import ContentModel
import ContentReleases
import Diagnostics
import SiteFormat

/// Signs the newest document.
struct KeysSign: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign the newest key document with the keys of this machine.",
    discussion: help(
      """
      Several people sign in turn: each takes the file over, signs, and hands it on. The signers are \
      those of the settings with 'role: keys'; --with names a file with a secret key instead. The \
      command shows what the document changes, and asks; where nobody can answer, --expect takes the \
      SHA-256 of the text that somebody has read, as 'keys show' prints it. 'contentc sign' signs \
      drafts of releases.
      """))

  static let examples = """
    contentc keys sign production
    contentc keys sign production --with /media/stick/keys.pem --expect HASH
    """
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.unavailable, "no signer adds a signature")
  ]

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "A file with a secret key (PKCS#8 in PEM); may be repeated. Default: the signers of the "
        + "settings.", valueName: "file"), completion: .file())
  var with: [String] = []
  @Option(
    help: ArgumentHelp(
      "The SHA-256 of the key document that you have read; no other one is signed, and the command does "
        + "not ask. Default: none.",
      valueName: "hash"))
  var expect: String?
  @Option(help: .hidden)
  var prepared: String?
  @Option(help: .hidden)
  var config: String?
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if prepared != nil || config != nil {
      throw ValidationError(
        "'keys sign' signs key documents only; a draft is signed by "
          + "'contentc sign FOLDER --expect HASH'.")
    }
    guard let expect, Digest(hex: expect) == nil else { return }
    throw ValidationError("--expect takes a SHA-256 in 64 hexadecimal digits.")
  }

  func perform() throws -> Report {
    let keys = try channelKeys()
    let newest = try keys.newest()
    try requireConsent(to: newest, of: keys)
    let signers =
      with.isEmpty
      ? try settings.signers(app: keys.app, channel: keys.channel, notes: common.waitNotes)
      : Signers(files: with, app: keys.app, channel: keys.channel, in: [.keys])
    let (signed, failures) = try keys.sign(newest.signed, version: newest.version, by: signers)
    guard signed != newest.signed || keys.folder.pending == nil else {
      throw Failure(
        .unavailable, .signer, "no signer of this machine adds a signature to the key document",
        at: keys.folder.file(newest.version),
        notes: failures.map { "\($0.location.path): \($0.reason)" }
          + [
            signers.reasonForNoSigner(of: .keys)
              ?? "the settings list signers with 'role: keys'", "--with names a file with a key",
          ])
    }
    // The signatures are complete: a second call would ask each signer again.
    return try keys.write(
      signed, version: newest.version, by: Signers(of: []), verb: "Signed")
  }

  /// Requires that a person has seen what a document changes: by --expect, or by an answer.
  private func requireConsent(to document: KeyDocument, of keys: ChannelKeys) throws {
    do throws(KeyDraft.Refusal) { try KeyDraft.checkValidity(of: document) } catch {
      throw Failure(
        .contentErrors, .keyDocument, error.reason, at: keys.folder.file(document.version),
        notes: ["'contentc keys renew' makes a shorter one; nothing was signed"])
    }
    let difference = keys.difference(to: document)
    if let expect {
      guard Digest(hex: expect) != difference.digest else { return }
      throw Failure(
        .contentErrors, .keyDocument,
        "its SHA-256 is \(difference.digest.hex), and --expect has \(expect)",
        at: keys.folder.file(document.version),
        notes: ["others may have changed the document"] + difference.changes + [
          "nothing was signed"
        ]
      )
    }
    let page = ["Key document \(document.version) of '\(keys.channel)'"] + difference.lines
    if !common.quiet { try Terminal.error.write(page.map { $0 + "\n" }.joined()) }
    switch try Terminal.confirms("Sign it?") {
    case true?: return
    case false?:
      throw Failure(.usage, .keyDocument, "the document is not signed, as you answered")
    case nil:
      throw Failure(
        .usage, .keyDocument, "nobody here can say whether these changes are meant",
        at: keys.folder.file(document.version),
        notes: [
          "if they are, add --expect \(difference.digest.hex)", "nothing was signed",
        ])
    }
  }
}
