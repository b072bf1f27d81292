import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import System

/// Signs drafts, and publishes them.
struct Sign: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign a draft that a command with --draft wrote, and publish it.",
    discussion: """
      A draft is a folder with a release that is not published yet. It is carried to the machines \
      with the keys, which need neither the content nor a network, and back to a machine that \
      publishes it. 'contentc sign FOLDER' signs; docs/reference/trust.md describes all of it.

      Examples:
        contentc sign draft --expect HASH --with /media/stick/ann.pem
        contentc sign import draft
      """,
    subcommands: [SignFolder.self, SignExport.self, SignAdd.self, SignImport.self],
    defaultSubcommand: SignFolder.self)
}

/// The draft that a command signs, or has other programs sign.
struct DraftArguments: ParsableArguments {
  /// The exit statuses with a specific meaning for commands about a draft.
  static let exitStatuses = [
    CommandStatus(.contentErrors, "the draft or a file with signatures is damaged"),
    CommandStatus(.missingInput, "there is no such file or folder"),
    CommandStatus(.unavailable, "no signer adds a signature, or the draft must not be signed"),
  ]

  /// The keys of the JSON result of a command about a draft.
  static let result = [
    ResultRow(["channel": .string], "the channel"),
    ResultRow(
      ["draft.folder": .string, "draft.hash": .string],
      "the folder, and the SHA-256 that `--expect` takes"),
    ResultRow(
      ["draft.command": .string, "draft.release": .integer, "draft.after?": .integer],
      "the command that made the draft, its release, and the one that was live then"),
    ResultRow(
      ["draft.config": .string, "draft.issued": .moment, "draft.expires": .moment],
      "the SHA-256 of its config, its time, and until when readers accept it"),
    ResultRow(["draft.until": .moment], "the time from which the draft can no longer be imported"),
    ResultRow(["draft.isSigned": .boolean], "whether enough keys signed it"),
    ResultRow(
      [
        "draft.roles.*.signatures": .integer, "draft.roles.*.threshold": .integer,
        "draft.roles.*.others[]": .string,
      ],
      "by role: its signatures, how many it needs, and the keys that may still sign"),
    ResultRow(["words[]": .string], "what each role signs, in lines; none for `sign add`"),
  ]

  @Argument(help: "The folder that a command with --draft wrote.", completion: .directory)
  var folder: String
  @Option(
    help: ArgumentHelp(
      "The SHA-256 that --draft printed: another draft is not signed. Required.",
      valueName: "hash"))
  var expect: String
  @Option(
    help: ArgumentHelp(
      "Sign only a release that readers accept for at most this time. Default: 60d.",
      valueName: "duration"), transform: NewDocumentOptions.span)
  var validFor = TimeSpan.days(60)

  func validate() throws {
    guard Digest(hex: expect.lowercased()) == nil else { return }
    throw ValidationError("--expect takes a SHA-256 in 64 hexadecimal digits.")
  }

  /// Reads the draft, and prints in words what its roles sign.
  ///
  /// - Throws: a failure for another draft, and for one that must not be signed.
  func read(_ common: CommonOptions) throws -> (folder: DraftFolder, draft: SigningDraft) {
    let folder = DraftFolder(folder.withoutTrailingSlashes)
    let draft = try folder.read(expecting: expect)
    do throws(SigningDraft.Refusal) {
      let words = try draft.words()
      // Also before a refusal, for which somebody has to find the reason.
      if !common.quiet, !common.json {
        try? Terminal.error.write(words.map { $0 + "\n" }.joined())
      }
      try draft.checkSignable(at: Clock.now, forAtMost: validFor)
    } catch { throw Failure(error, in: folder, otherwise: "nothing was signed") }
    return (folder, draft)
  }
}

/// Signs a draft with the keys of this machine.
struct SignFolder: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "folder",
    abstract: "Sign a draft with the keys of this machine.",
    discussion: help(
      """
      Prints in words what each role signs, and adds signatures to the folder. Several people sign \
      in turn, until the thresholds are met. Only the draft with the SHA-256 in --expect is signed: \
      bring the hash on another way than the folder.
      """))

  static let examples = """
    contentc sign draft --expect HASH --with /media/stick/ann.pem
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = true
  static let exitStatuses = DraftArguments.exitStatuses
  static let result = DraftArguments.result

  @OptionGroup var draft: DraftArguments
  @Option(
    help: ArgumentHelp(
      "A file with a secret key (PKCS#8 in PEM); may be repeated. Default: the signers of the "
        + "settings.", valueName: "file"), completion: .file())
  var with: [String] = []
  @OptionGroup var settings: SettingsOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    var (folder, draft) = try draft.read(common)
    let facts = draft.facts
    let signers =
      with.isEmpty
      ? try settings.signers(app: facts.app, channel: facts.channel, notes: common.waitNotes)
      : Signers(
        files: with, app: facts.app, channel: facts.channel, in: ReleaseStatements.roles.map(\.role)
      )
    let before = draft.signatures
    let failures = draft.sign(by: signers)
    guard draft.signatures != before || draft.signatures.allSatisfy(\.isEnough) else {
      throw Failure(
        .unavailable, .signer, "no signer of this machine adds a signature that is missing",
        at: folder.path,
        notes: before.filter { !$0.isEnough }.map { "the draft \(draft.sentence(on: $0))" }
          + failures.map { "\($0.location.path): \($0.reason)" }
          + ["--with names a file with a key; nothing was signed"])
    }
    do { try folder.add(signaturesOf: draft) } catch let refusal as SigningDraft.Refusal {
      throw Failure(refusal, in: folder, otherwise: "nothing was signed")
    }
    var report = draft.report("Signed", in: folder, failures: failures)
    report.json["words"] = .array(try draft.words().map(Value.string))
    return report
  }
}
