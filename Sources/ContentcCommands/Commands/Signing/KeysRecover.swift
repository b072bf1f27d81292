import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import SiteFormat

/// Makes a document that sets the floors of readers.
struct KeysRecover: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make a key document that lets readers accept lower numbers again.",
    discussion: help(
      """
      For a channel whose release key was stolen: the thief may have signed a release with a number \
      that no later one reaches, or purged content. Remove the stolen key first, since the command \
      refuses the keys that signed what is live; readers then accept releases from --release on, and \
      forget purges above --purge. 'keys recovered' publishes afterwards. Numbers below those of the \
      live config need --discard-live.
      """))

  static let examples = """
    contentc keys remove production --key ci
    contentc keys recover production --release 120 --purge 4 --discard-live
    contentc keys recovered production
    """
  static let reads: Set<CommandSource> = [.content, .target]

  /// Unlike other commands about keys, a recovery reads the live config.
  static let uses = Set<ProjectSetting>.ofTarget

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(help: "The number of the next release that readers accept; required.")
  var release: Int
  @Option(help: "The number of the last purge that readers keep; required.")
  var purge: Int
  @Flag(help: "The live config is not yours, or mistyped: the numbers may be below its own.")
  var discardLive = false
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
    let notes = common.waitNotes
    let live = try Live(delivery, channel, trusting: keys.folder.trusted, notes: notes)
    try refuseLowNumbers(besides: live.release, of: keys)
    try refuseUnchangedKeys(of: draft, after: live, of: keys)
    var report = try keys.write(
      draft, by: document.settings.signers(app: keys.app, channel: keys.channel, notes: notes))
    if let problem = live.problem {
      report.diagnostics.append(
        .warning(
          .unverified, at: nil,
          message: "the numbers were not compared with the live config: \(problem.harmless)",
          notes: [Diagnostic.Note("compare them with the log of your own commands")]))
    }
    return report
  }

  /// The facts of the live config.
  private struct Live {
    struct Release {
      let number, purge: Int
    }

    /// The numbers, if the config verifies.
    private(set) var release: Release?
    /// The release keys that may have signed it: its own signers, and those of the key document that it
    /// names; also if the config does not verify.
    private(set) var keys: Set<KeyID> = []
    /// The reason for which the numbers cannot be compared, as a sentence; `nil` if they were, or if
    /// there is no config.
    private(set) var problem: String?

    /// Reads the live config; an unreachable target or an unverified config is a `problem`.
    ///
    /// - Throws: `ContentMistakes` for mistakes in the settings that the command uses.
    init(
      _ delivery: ReadingOptions, _ channel: String?, trusting documents: [KeyDocument],
      notes: WaitNotes
    ) throws {
      do {
        let opened = try delivery.open(
          channel, using: KeysRecover.uses, writes: false, notes: notes)
        try Failure.ofDelivery {
          keys = try Self.keys(at: opened, trusting: documents)
          guard let live = try opened.place.live() else { return }
          release = Release(number: live.number, purge: live.purge?["sequence"]?.number ?? 0)
          if !live.isSigned { problem = "it is not signed" }
        }
      } catch let mistakes as ContentMistakes {
        // Nobody knows then which config the numbers must be compared with.
        throw mistakes
      } catch let failure as Failure {
        problem = failure.diagnostic.message
      } catch {
        problem = "\(error)"
      }
    }

    private static func keys(
      at opened: OpenChannel, trusting documents: [KeyDocument]
    ) throws -> Set<KeyID> {
      let files = try opened.place.configKeys.compactMap { try opened.place.target.readAny($0) }
      guard let stored = files.first, let statement = try? Envelope(stored.bytes).release else {
        return []
      }
      let named = try? ReleaseStatement(statement.body).keys
      let message = SignedType.release.encoding(of: statement.body)
      var keys = Set(
        documents.first { $0.version == named }?.roles.release.keys.keys.map(\.self) ?? [])
      for signature in statement.signatures
      where documents.contains(where: {
        $0.roles.release.keys[signature.key]?.accepts(signature.bytes, of: message) ?? false
      }) {
        keys.insert(signature.key)
      }
      return keys
    }
  }

  private func refuseLowNumbers(besides live: Live.Release?, of keys: ChannelKeys) throws(Failure) {
    guard let live, !discardLive, release <= live.number || purge < live.purge else { return }
    throw Failure(
      .usage, .keyDocument,
      "release \(live.number) and purge \(live.purge) of '\(keys.channel)' are live: --release must be above the "
        + "former, and --purge at least the latter",
      notes: ["if a thief published them, or a number was mistyped, add --discard-live"])
  }

  /// Refuses a recovery after which all keys that may have signed what it recovers from still sign: apps
  /// of earlier versions would accept releases from before it again, and a thief could go on.
  private func refuseUnchangedKeys(
    of draft: KeyDraft, after live: Live, of keys: ChannelKeys
  ) throws(Failure) {
    guard let newest = keys.folder.trusted.last,
      live.keys.union(newest.roles.release.keys.keys).allSatisfy({ draft.hasKey($0, in: .release) })
    else { return }
    throw Failure(
      .usage, .keyDocument,
      "the recovery would keep all release keys of document \(newest.version), one of which signed what it "
        + "recovers from",
      notes: [
        "first add a new key and remove that one: 'contentc keys add' and 'contentc keys remove'",
        "nothing was changed",
      ])
  }
}
