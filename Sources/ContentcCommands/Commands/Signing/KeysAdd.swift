import ArgumentParser

/// Adds keys to roles.
struct KeysAdd: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add keys to roles, or change thresholds, in the next key document.",
    discussion: help(
      """
      A document that lacks signatures is changed, and its signatures are dropped; otherwise the \
      next one is made.
      """))

  static let examples = """
    contentc keys add production --release ci.pub
    contentc keys add production --keys bob.pub --threshold keys=2
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var roles: RoleKeys
  @OptionGroup var document: NewDocumentOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if roles.words.allSatisfy(\.words.isEmpty), roles.threshold.isEmpty {
      throw ValidationError("Name a key by --keys, --release or --fresh, or a --threshold.")
    }
  }

  func perform() throws -> Report {
    let keys = try channelKeys()
    var draft = try keys.draft(validFor: document.validFor)
    try roles.add(to: &draft)
    return try keys.write(
      draft,
      by: document.settings.signers(
        app: keys.app, channel: keys.channel, notes: common.waitNotes))
  }
}
