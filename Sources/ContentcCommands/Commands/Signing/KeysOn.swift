import ArgumentParser
import ContentModel

/// Publishes the first signed release of a channel.
struct KeysOn: PublishingKeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "on",
    abstract: "Publish the first signed release of a channel that was not signed.",
    discussion: help(
      """
      Publishes the content folder as 'publish' does, after 'signing' was added in content.yaml. Apps \
      that read format 1 stop following the channel. The release number, purges and maintenance go \
      on; the report names them, since nobody signed them.
      """))

  static let examples = """
    contentc keys on production
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var content: KeysContentOptions
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    try publish(.on, drafting: drafting.request(by: "keys on"))
  }
}
