import ArgumentParser

/// Makes a document with the same keys.
struct KeysRenew: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "renew",
    abstract: "Make a key document with the same keys, which counts for longer.",
    discussion: help())

  static let examples = """
    contentc keys renew production --valid-for 365d
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var document: NewDocumentOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let keys = try channelKeys()
    return try keys.write(
      try keys.draft(validFor: document.validFor),
      by: document.settings.signers(app: keys.app, channel: keys.channel, notes: common.waitNotes))
  }
}
