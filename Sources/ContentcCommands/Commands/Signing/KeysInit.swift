import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat
import System

/// Makes the first key document.
struct KeysInit: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Make the first key document of a channel.",
    discussion: help(
      """
      With --new, two secret keys are made in a folder that only you may read, one for key \
      documents and one for releases. Keep the first one away from the machine that publishes. \
      Without it, name the public keys of all who sign: PEM as 'openssl pkey -pubout' writes it, or \
      the '.pub' file of an ed25519 key of ssh-keygen.
      """))

  static let examples = """
    contentc keys init production --new ~/keys
    contentc keys init production --keys ann.pub --keys bob.pub --release ci.pub
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Make new secret keys in this folder, which must not be part of the content. Default: none.",
      valueName: "folder"), completion: .directory)
  var new: String?
  @OptionGroup var roles: RoleKeys
  @OptionGroup var document: NewDocumentOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if new == nil, roles.keys.isEmpty || roles.release.isEmpty {
      throw ValidationError("Make keys by --new FOLDER, or name them by --keys and --release.")
    }
  }

  func perform() throws -> Report {
    let keys = try channelKeys()
    if let first = keys.folder.documents.first {
      throw Failure(
        .usage, .keyDocument, "the channel '\(keys.channel)' has a key document already",
        at: keys.folder.file(first.version),
        notes: ["'contentc keys add', 'remove' and 'renew' make the next one"])
    }
    let issued = Clock.now.wholeSeconds
    var draft = KeyDraft(
      app: keys.app, channel: keys.channel, issued: issued,
      expires: issued.advanced(by: document.validFor))
    try roles.add(to: &draft)
    let content = delivery.input.content
    let made = try new.map { try NewSecretKeys(in: $0, outside: [content] + targetFolders()) }
    do throws(KeyDraft.Refusal) {
      if let made {
        try draft.add(made.keys, to: .keys)
        try draft.add(made.release, to: .release)
        if roles.fresh.isEmpty { try draft.add(made.release, to: .fresh) }
      } else if roles.fresh.isEmpty {
        draft.copy(.release, to: .fresh)
      }
    } catch { throw Failure(.usage, .keyDocument, error.reason) }
    let signers =
      try made.map { Signers(of: $0.settings(for: keys)) }
      ?? document.settings.signers(app: keys.app, channel: keys.channel, notes: common.waitNotes)
    // A document that is refused leaves no keys behind.
    draft = try keys.checked(draft)
    guard let made else { return try keys.write(draft, by: signers) }
    var report = try made.write { try keys.write(draft, by: signers) }
    report.text += made.text(for: keys)
    return report
  }

  /// The folders of all targets, which readers can see.
  private func targetFolders() throws -> [String] {
    let file = try delivery.projectFile()
    return try file.settings(using: [.channels, .target], of: file.channelNames).channels
      .compactMap { TargetAddress($0.target, beside: delivery.input.content).folderPath }
  }
}
