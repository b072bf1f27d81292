import ArgumentParser
import ContentModel

/// Publishes the first release after a recovery.
struct KeysRecovered: PublishingKeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovered",
    abstract: "Publish the first release after 'keys recover' made a key document.",
    discussion: help(
      """
      Publishes the content folder as 'publish' does, without reading the live config, whose \
      maintenance ends. The release has the number that 'keys recover' set, and a new history. Purged \
      content is refused, unless --unpurge names it. Sign the key document first.
      """))

  static let examples = """
    contentc keys recovered production
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
    try publish(.recovered, drafting: drafting.request(by: "keys recovered"))
  }
}
