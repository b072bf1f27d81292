import ArgumentParser
import ContentReleases
import Diagnostics
import SiteFormat

/// Removes keys from roles.
struct KeysRemove: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove keys from roles in the next key document.",
    discussion: help(
      """
      A key is named by its id or its name. After a publication, readers accept nothing that only a \
      removed key signed.
      """))

  static let examples = """
    contentc keys remove production --key ci          # from all roles
    contentc keys remove production --release 3fa9c61d20b7e458
    """

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "A key to remove from all roles: its id or its name; may be repeated. Default: none.",
      valueName: "key"))
  var key: [String] = []
  @Option(
    help: ArgumentHelp(
      "A key to remove from the role 'keys'; may be repeated. Default: none.", valueName: "key"))
  var keys: [String] = []
  @Option(
    help: ArgumentHelp(
      "A key to remove from the role 'release'; may be repeated. Default: none.", valueName: "key"))
  var release: [String] = []
  @Option(
    help: ArgumentHelp(
      "A key to remove from the role 'fresh'; may be repeated. Default: none.", valueName: "key"))
  var fresh: [String] = []
  @OptionGroup var document: NewDocumentOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if [key, keys, release, fresh].allSatisfy(\.isEmpty) {
      throw ValidationError("Name a key by --key, --keys, --release or --fresh.")
    }
  }

  func perform() throws -> Report {
    let own = try channelKeys()
    var draft = try own.draft(validFor: document.validFor)
    let all: [(KeyDocument.Role?, [String])] = [
      (nil, key), (.keys, keys), (.release, release), (.fresh, fresh),
    ]
    for (role, words) in all {
      for word in words {
        do throws(KeyDraft.Refusal) { try draft.remove(word, from: role) } catch {
          throw Failure(
            .usage, .keyDocument, error.reason,
            notes: ["'contentc keys show \(own.channel)' lists the keys; nothing was changed"])
        }
      }
    }
    return try own.write(
      draft,
      by: document.settings.signers(app: own.app, channel: own.channel, notes: common.waitNotes))
  }
}
