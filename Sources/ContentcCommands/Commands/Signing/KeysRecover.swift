import ArgumentParser
import CommandParts
import CommandReports
import ContentKeys
import ContentReleases
import ContentTrust

/// Makes a document that sets the floors of readers.
struct KeysRecover: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make a key document that lets readers accept lower numbers again.",
    discussion: """
      For a channel whose release key was stolen: the thief may have signed a release with a number \
      that no later one reaches, or purged content. Remove the stolen key first; readers then \
      accept releases from --release on, and forget purges above --purge. Publish with --recover \
      afterwards.

      Example:
        contentc keys remove production --key ci
        contentc keys recover production --release 120 --purge 4
        contentc publish production --recover
      """)

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(help: "The number of the next release that readers accept; required.")
  var release: Int
  @Option(help: "The number of the last purge that readers keep; required.")
  var purge: Int
  @OptionGroup var document: NewDocumentOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    // Later releases and purges must find a number above these.
    let highest = SerialNumber.highest / 2
    guard (1...highest).contains(release) else {
      throw ValidationError("--release must be at least 1, and at most \(highest).")
    }
    guard (0...highest).contains(purge) else {
      throw ValidationError("--purge must be at least 0, and at most \(highest).")
    }
  }

  func perform() throws -> Report {
    let keys = try channelKeys()
    var draft = try keys.draft(validFor: document.validFor)
    draft.floors = KeyDocument.Floors(version: draft.version, release: release, purge: purge)
    return try keys.write(
      draft, by: document.settings.signers(app: keys.app, channel: keys.channel))
  }
}
