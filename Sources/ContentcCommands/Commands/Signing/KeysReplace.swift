import ArgumentParser
import ContentModel

/// Replaces a config that does not verify.
struct KeysReplace: PublishingKeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "replace",
    abstract: "Publish a release in place of a config that does not verify.",
    discussion: help(
      """
      Publishes the content folder as 'publish' does, without reading the live config, whose \
      maintenance ends. Its numbers are above those that this machine saw, and those of purges that a \
      signature proves. Purged content is refused, unless --unpurge names it. If a key may be stolen, \
      'keys recover' is the way instead.
      """))

  static let examples = """
    contentc keys replace production
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
    try publish(.replace, drafting: drafting.request(by: "keys replace"))
  }
}
