import ArgumentParser
import ContentModel

/// Publishes the first release of a channel that is no longer signed.
struct KeysOff: PublishingKeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Publish the first release of a channel that is no longer signed.",
    discussion: help(
      """
      Publishes the content folder as 'publish' does, after 'signing' was removed in content.yaml. \
      Apps that pin a key refuse everything from then on, and keep what they show: this is no remedy \
      for a lost or stolen key.
      """))

  static let examples = """
    contentc keys off production
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var content: KeysContentOptions
  @OptionGroup var number: AboveOption
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    try publish(.off, above: number.above)
  }
}
