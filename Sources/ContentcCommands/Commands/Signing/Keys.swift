import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat

/// Makes, changes and signs the key documents of a channel.
struct Keys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Make, change and sign the key documents of a channel, and publish with them.",
    discussion: """
      The key documents of a channel are files of the content: they say whose signatures count. An \
      app is built with one of them. 'keys' signs key documents and is kept offline, 'release' \
      signs content, and 'fresh' says that content is still current. Secret keys are never part of \
      the content: the settings of the machine say where they are. docs/reference/trust.md describes all of \
      it, and what to do if a key is lost or stolen.

      Examples:
        contentc keys init production --new ~/keys     # for one person
        contentc keys show production
        contentc keys add production --release ci.pub
      """,
    subcommands: [
      KeysInit.self, KeysShow.self, KeysAdd.self, KeysRemove.self, KeysRenew.self, KeysSign.self,
      KeysRecover.self, KeysDrop.self, KeysAccept.self, KeysOn.self, KeysOff.self,
      KeysReplace.self, KeysRecovered.self,
    ])
}

/// The keys of roles in the arguments.
struct RoleKeys: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A public key that signs key documents: a file, or its base64; NAME=FILE gives it a name; may "
        + "be repeated. Default: none.", valueName: "key"), completion: .file())
  var keys: [String] = []
  @Option(
    help: ArgumentHelp(
      "A public key that signs releases, as above; may be repeated. Default: none.",
      valueName: "key"), completion: .file())
  var release: [String] = []
  @Option(
    help: ArgumentHelp(
      "A public key that says that a release is current, as above; may be repeated. Default: in a "
        + "first document the release keys, else none.", valueName: "key"), completion: .file())
  var fresh: [String] = []
  @Option(
    help: ArgumentHelp(
      "How many keys of a role must sign, such as keys=2; may be repeated. Default: 1.",
      valueName: "role=number"))
  var threshold: [String] = []

  /// The words of each role.
  var words: [(role: KeyDocument.Role, words: [String])] {
    [(.keys, keys), (.release, release), (.fresh, fresh)]
  }

  /// The thresholds.
  func thresholds() throws -> [(role: KeyDocument.Role, number: Int)] {
    try threshold.map { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let role = KeyDocument.Role(rawValue: parts[0]),
        let number = Int(parts[1]), number >= 1
      else {
        throw ValidationError(
          "--threshold takes a role and a number from 1, such as keys=2: the roles are keys, release and fresh."
        )
      }
      return (role, number)
    }
  }

  func validate() throws { _ = try thresholds() }

  /// Adds the keys to a draft, and sets its thresholds.
  func add(to draft: inout KeyDraft) throws {
    for (role, words) in words {
      for word in words {
        let key = try Self.key(word)
        do throws(KeyDraft.Refusal) { try draft.add(key, to: role) } catch {
          throw Failure(.usage, .keyDocument, error.reason, notes: ["nothing was changed"])
        }
      }
    }
    for (role, number) in try thresholds() { draft.setThreshold(number, of: role) }
  }

  /// Reads a key in a file, or the base64 of one.
  private static func key(_ word: String) throws(Failure) -> KeyDraft.Key {
    if let key = try? PublicKey(text: word) { return KeyDraft.Key(key, name: nil) }
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    let isNamed = parts.count == 2 && !parts[0].contains("/")
    let path = isNamed ? parts[1] : word
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let name = isNamed ? parts[0] : file.split(separator: ".").first.map(String.init)
    let bytes = try InputFile(path: path).read()
    do throws(PublicKey.Refusal) {
      return KeyDraft.Key(
        try PublicKey(text: String(decoding: bytes.prefix(1 << 16), as: UTF8.self)), name: name)
    } catch {
      throw Failure(
        .contentErrors, .publicKey, "the file \(error.reason)", at: path,
        notes: ["nothing was changed"])
    }
  }
}

/// The options of a command that makes a key document.
struct NewDocumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The time after which the document counts no more, at most \(KeyDraft.mostDays)d. Default: 365d.",
      valueName: "span"), transform: NewDocumentOptions.span)
  var validFor = TimeSpan.days(182) + .days(183)
  @OptionGroup var settings: SettingsOptions

  static func span(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(text), span > .zero else {
      throw ValidationError("the duration must have a form such as 365d")
    }
    return span
  }
}

/// A command about the key documents of a channel.
protocol KeysCommand: ChannelCommand where Delivery == ReadingOptions {
  var channel: String? { get }
}

extension KeysCommand {
  static var uses: Set<ProjectSetting> { [.app, .format, .signing] }
  static var reads: Set<CommandSource> { [.content] }
  static var changesChannel: Bool { false }
  static var needsSigners: Bool { true }
  static var exitStatuses: [CommandStatus] { [] }

  /// The keys of a key document.
  static var result: [ResultRow] {
    [
      ResultRow(
        [
          "version?": .integer, "issued?": .moment, "expires?": .moment, "isSigned?": .boolean,
          "sha256?": .string, "file?": .string,
        ],
        "the document, whether enough keys signed it, the SHA-256 of its text, and its file"),
      ResultRow(
        ["changes[]?": .string],
        "what it changes, compared with the document before it, in sentences"),
      ResultRow(
        [
          "roles.*.threshold?": .integer, "roles.*.keys[].id?": .string,
          "roles.*.keys[].name?": .string,
        ],
        "by role: how many keys must sign, and the keys"),
      ResultRow(
        ["floors.version?": .integer, "floors.release?": .integer, "floors.purge?": .integer],
        "the last recovery"),
    ]
  }

  /// Reads the key documents of the channel.
  func channelKeys() throws -> ChannelKeys {
    let (channel, project) = try delivery.channel(channel, using: Self.uses)
    return try ChannelKeys(channel, of: project, beside: delivery.input.content)
  }
}

/// The options that say what a command about keys publishes.
struct KeysContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Allow an entry, an asset or 'all' to return after a purge; may be repeated. Default: none.",
      valueName: "id"), completion: .unpurged)
  var unpurge: [String] = []
  @OptionGroup var output: OutputOptions
}

/// A command about keys that publishes the content folder.
protocol PublishingKeysCommand: ChannelCommand where Delivery == DeliveryOptions {
  var channel: String? { get }
  var content: KeysContentOptions { get }
  var release: ReleaseOptions { get }
  var settings: SettingsOptions { get }
}

extension PublishingKeysCommand {
  static var uses: Set<ProjectSetting> { Publication.uses }
  static var reads: Set<CommandSource> { [.content, .output, .target] }
  static var changesChannel: Bool { true }
  static var needsSigners: Bool { true }
  static var exitStatuses: [CommandStatus] { Publication.exitStatuses }
  static var result: [ResultRow] { Publication.result }

  /// Publishes the content folder with other signatures than the live release has.
  func publish(
    _ change: Publication.SigningChange, above: Int? = nil, drafting: DraftRequest? = nil
  ) throws -> Report {
    try Publication(
      change: change, channel: channel, above: above, unpurge: content.unpurge, release: release,
      output: content.output, drafting: drafting, settings: settings, delivery: delivery,
      common: common
    ).perform()
  }
}
