import ArgumentParser
import ContentBuild
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat
import System

/// Writes the bytes that other programs sign.
struct SignExport: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the bytes of a draft that another program signs.",
    discussion: help(
      """
      Writes 'release.message' and 'fresh.message': an Ed25519 signature of exactly these bytes is \
      one of the role. 'contentc sign add' takes it over. The command prints in words what each \
      file means.
      """))

  static let examples = """
    contentc sign export draft --expect HASH --to messages
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = true
  static let exitStatuses = DraftArguments.exitStatuses
  static let result = DraftArguments.result

  @OptionGroup var draft: DraftArguments
  @Option(
    help: ArgumentHelp("The folder for the two files. Required.", valueName: "folder"),
    completion: .directory)
  var to: String
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let (folder, draft) = try draft.read(common)
    let path = to.withoutTrailingSlashes
    try FolderPath.make(path)
    var lines: [String] = []
    for (role, type) in ReleaseStatements.roles {
      let file = "\(path)/\(role.rawValue).message"
      try AtomicFile(file).write(type.encoding(of: draft.statements[role].body))
      lines.append("  \(role.rawValue.padded(to: 7))  \(file.harmless)")
    }
    lines.append(
      "  next     contentc sign add \(folder.path.shellWord) --key ID FILE-WITH-SIGNATURE")
    return Report(
      text: "Wrote what the roles sign\n" + lines.map { $0 + "\n" }.joined(),
      json: [
        "channel": .string(draft.facts.channel), "draft": .dictionary(draft.members(in: folder)),
        "words": .array(try draft.words().map(Value.string)),
      ])
  }
}

/// Adds a signature of another program to a draft.
struct SignAdd: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a signature to a draft that another program made.",
    discussion: help(
      """
      The file has the 64 bytes of an Ed25519 signature, or their base64. The signature tells \
      which of the two files of 'contentc sign export' it is of; one that is not valid is refused.
      """))

  static let examples = """
    contentc sign add draft --key 3fa9c61d20b7e458 release.signature
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = true
  // The command asks no signer, and does not check whether the draft may be signed.
  static let exitStatuses = DraftArguments.exitStatuses.filter { $0.status != .unavailable }
  static let result = DraftArguments.result

  @Argument(help: "The folder that a command with --draft wrote.", completion: .directory)
  var folder: String
  @Argument(help: "The file with the signature; '-' for standard input.", completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp(
      "The id of the key that signed; 'contentc keys show' prints it. Required.", valueName: "id"))
  var key: String
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if KeyID(key) == nil { throw ValidationError("--key takes 16 hexadecimal digits.") }
  }

  func perform() throws -> Report {
    let folder = DraftFolder(self.folder.withoutTrailingSlashes)
    var draft = try folder.read(otherwise: "nothing was added")
    let output = try InputFile(path: file).read()
    let added = output.count <= 1_024 ? KeySignature.bytes(in: output) : nil
    guard let added, let id = KeyID(key) else {
      throw Failure(
        .contentErrors, .signer,
        "the file has \(output.count) bytes, not the 64 of a signature or their base64", at: file,
        notes: ["nothing was added"])
    }
    let before = draft.signatures
    for (role, _) in ReleaseStatements.roles {
      draft.statements[role].signatures.append(KeySignature(key: id, bytes: added))
    }
    guard zip(before, draft.signatures).contains(where: { $0.keys.count < $1.keys.count }) else {
      let isKnown = before.contains { ($0.keys + $0.others).contains(id) }
      throw Failure(
        .contentErrors, .signer,
        isKnown
          ? "it is no signature by the key \(id) of what the draft's roles sign, or the draft has it already"
          : "the key \(id) is none of the roles 'release' and 'fresh'", at: file,
        notes: ["nothing was added"])
    }
    do { try folder.add(signaturesOf: draft) } catch let refusal as SigningDraft.Refusal {
      throw Failure(refusal, in: folder, otherwise: "nothing was added")
    }
    return draft.report("Added a signature to", in: folder)
  }
}
