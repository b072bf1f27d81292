import ArgumentParser
import ContentBuild
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import PropertyLists
import SiteFormat
import System
import SystemC

/// Verifies a signed config as an app does.
struct Verify: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify a signed config as an app does.",
    discussion: help(
      """
      Reads a config and checks it by the steps of docs/reference/trust.md, from the document that an app \
      pins.

      With --memory, the command remembers what it accepted, as an app does: an older release is \
      refused the next time. With --objects, everything that the config leads to is checked, too.
      """))

  static let examples = """
    contentc verify https://content.example.com/production/config.plist
    contentc verify config.plist --keys 1.json --channel production
    contentc verify config.plist --emit /tmp/proof    # files for openssl
    """
  static let reads: Set<CommandSource> = [.content]
  static let changesChannel = false
  static let needsSigners = true
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(
      .contentErrors,
      "an app would refuse the config; --json has the name of the reason"),
    CommandStatus(.unavailable, "there is no answer"),
    CommandStatus(.inputOutput, "the file of --memory cannot be used"),
  ]
  static let result: [ResultRow] = [
    ResultRow(["app": .string, "channel": .string], "the channel"),
    ResultRow(
      ["reason?": .string],
      "why an app would refuse the config: `unsigned`, `tooLarge`, `malformed`, "
        + "`tooManyDocuments`, `documentOutOfOrder`, `otherDocument`, `foreign`, "
        + "`tooFewSignatures`, `withheldDocument`, `beforeRecovery`, `otherConfig`, `withdrawn`, "
        + "`olderRelease`, `equivocation` or `expired`; the other keys are then missing"),
    ResultRow(
      ["release?": .integer, "config?": .string],
      "the release that an app accepts, and the SHA-256 of its config"),
    ResultRow(
      ["expires?": .moment, "keyDocument?": .integer],
      "until when it is current, and the version of the newest key document"),
    ResultRow(["objects?": .integer], "with `--objects`: how many were checked"),
  ]

  static let uses: Set<ProjectSetting> = [.app, .format, .signing]

  @Argument(help: "The address of a config, or a file.", completion: .file())
  var config: String
  @Option(
    help: ArgumentHelp(
      "The key document that an app pins. Default: the channel's first one.", valueName: "file"),
    completion: .file())
  var keys: String?
  @Option(
    help: ArgumentHelp(
      "A file that remembers what was accepted, for the next time. Default: none.",
      valueName: "file"), completion: .file())
  var memory: String?
  @Flag(help: "Check all objects that the config leads to, too.")
  var objects = false
  @Option(
    help: ArgumentHelp(
      "Write the signed bytes, signatures and keys into this folder, and print the commands of "
        + "openssl that check them. Default: none.", valueName: "folder"), completion: .directory)
  var emit: String?
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  var project: ContentOptions? { keys == nil ? delivery.input : nil }

  func perform() throws -> Report {
    let bytes = try read()
    let pinned = try pinnedDocument()
    let channel = try self.channel(of: pinned)
    var memory = try rememberedTrust(pinned, of: channel)
    let accepted: VerifiedConfig
    do throws(TrustError) {
      accepted = try memory.verify(bytes, of: pinned.app, channel: channel, at: Clock.now)
    } catch {
      // An app keeps key documents that it adopted, too.
      try? remember(memory, of: channel)
      let failure = Failure(
        .contentErrors, .unverified, "an app would refuse this config: \(error.reason)", at: config
      )
      return Report(
        json: [
          "app": .string(pinned.app), "channel": .string(channel), "reason": .string(error.code),
        ], diagnostics: [failure.diagnostic], status: failure.status)
    }
    try remember(memory, of: channel)
    var report = Report(text: text(of: accepted, in: memory), isResult: true)
    report.diagnostics += lengthWarning(accepted.fresh)
    report.json = [
      "app": .string(pinned.app), "channel": .string(channel),
      "release": .integer(Int64(accepted.release.release)),
      "config": .string(accepted.release.config.hex),
      "keyDocument": .integer(Int64(memory.document.version)),
      "expires": .string(accepted.fresh.expires.rfc3339),
    ]
    if objects {
      try checkObjects(accepted, of: pinned.app, channel: channel, reportingIn: &report)
    }
    if let emit {
      let proof = try SignatureProof(bytes, from: pinned, to: memory.document)
      try proof.write(to: emit.withoutTrailingSlashes)
      report.text += proof.text(in: emit.withoutTrailingSlashes)
    }
    return report
  }

  private func text(of accepted: VerifiedConfig, in memory: TrustMemory) -> String {
    "Verified: release \(accepted.release.release) of '\(accepted.release.channel)', current until "
      + "\(accepted.fresh.expires.rfc3339), by key document \(memory.document.version)\n"
  }

  /// Returns a warning if the config is current for longer than contentc usually signs one.
  private func lengthWarning(_ fresh: FreshStatement) -> [Diagnostic] {
    guard let length = fresh.unusualLength(beyond: TimeSpan.days(60).seconds) else { return [] }
    return [
      .warning(
        .signatureLength, at: nil,
        message:
          "the config is signed for \(length), until \(fresh.expires.rfc3339): whoever keeps readers from a later "
          + "one can show it to them until then")
    ]
  }

  // MARK: The pinned document

  private func pinnedDocument() throws -> KeyDocument {
    let path: String
    let bytes: [UInt8]
    guard let keys else {
      // Config is in a folder of its channel's name.
      let folder = config.split(separator: "/").dropLast().last.map(String.init)
      let isNamed =
        try delivery.channelOption.named == nil
        && delivery.projectFile().channelNames.contains { $0 == folder }
      let (channel, project) = try delivery.channel(isNamed ? folder : nil, using: Self.uses)
      let own = try ChannelKeys(channel, of: project, beside: delivery.input.content)
      guard let first = own.folder.documents.first else { throw own.missing }
      return first
    }
    (path, bytes) = (keys, try InputFile(path: keys).read())
    do throws(TrustError) {
      let document = try KeyDocument(SignedBody(file: bytes))
      try document.requireSignatures(after: nil)
      return document
    } catch { throw Failure(.contentErrors, .keyDocument, error.reason, at: path) }
  }

  private func channel(of document: KeyDocument) throws(Failure) -> String {
    let names = document.channels
    if let named = delivery.channelOption.named {
      guard names.contains(where: { $0.hasSameBytes(as: named) }) else {
        throw Failure(.usage, unknown: .unknownChannel, named, known: names)
      }
      return named
    }
    guard names.count == 1 else {
      throw Failure(
        .usage, .whichChannel, "the key document is for \(names.joined(separator: ", "))",
        notes: ["name one by --channel"])
    }
    return names[0]
  }

  // MARK: The config

  private var isURL: Bool { config.hasBytePrefix("https://") || config.hasBytePrefix("http://") }

  private func read() throws -> [UInt8] {
    guard isURL else { return try InputFile(path: config).read() }
    do {
      return try SiteRequest(config, limit: Envelope.byteLimit).neededFile(by: Self.send)
    } catch { throw Failure(error, at: config) }
  }

  private static var send: SiteRequest.Send { OpenChannel.send(requestSeconds: 30) }

  // MARK: The memory

  /// The most bytes of the file of --memory, which has a key document and a statement.
  private static let memoryLimit = 64 << 10
  /// The `format` of that file; version 0.1.0 wrote none.
  private static let memoryFormat = 1

  private func rememberedTrust(
    _ pinned: KeyDocument, of channel: String
  ) throws -> TrustMemory {
    let stored = try storedTrust(of: channel)
    return stored.map { TrustMemory(pinned: pinned, continuing: $0) } ?? TrustMemory(pinned: pinned)
  }

  /// Reads the file of --memory; `nil` without one.
  private func storedTrust(of channel: String) throws -> TrustMemory? {
    guard let memory else { return nil }
    let bytes: [UInt8]
    // A pipe would wait for its writer.
    do throws(KeyFolder.Problem) {
      guard let found = try KeyFolder.contents(memory, limit: Self.memoryLimit) else { return nil }
      bytes = found
    } catch { throw Failure(.inputOutput, .unreadableFile, error.reason, at: memory) }
    let value = try? PropertyList.decode(bytes, as: .binary).value
    if let newer = NewerFormat(value?["format"], above: Self.memoryFormat) {
      throw Failure(
        .inputOutput, .unreadableFile, newer.sentence(about: "the file"), at: memory,
        notes: ["the config was not verified"])
    }
    guard let value, let stored = TrustMemory(stored: value)
    else {
      throw Failure(
        .inputOutput, .unreadableFile,
        "the file is no memory of 'verify', or damaged: the config was not verified", at: memory,
        notes: ["remove it to start without one; older releases are accepted then"])
    }
    if let other = value["channel"]?.text, !other.hasSameBytes(as: channel) {
      throw Failure(
        .usage, .whichChannel, "the file is the memory of the channel '\(other.harmless)'",
        at: memory, notes: ["name another file for '\(channel)'"])
    }
    return stored
  }

  /// Stores what was accepted, and what another 'verify' has stored meanwhile.
  private func remember(_ trust: TrustMemory, of channel: String) throws {
    guard let memory else { return }
    let folder = FolderPath.parent(of: memory)
    let lock = try Descriptor(folder.isEmpty ? "." : folder, flags: O_RDONLY | O_DIRECTORY)
    // A build may hold the lock for longer; verification then continues without it.
    _ = try lock.lockPatiently()
    defer { lock.unlock() }
    var merged = trust
    if let stored = try storedTrust(of: channel) { merged.merge(stored) }
    var members = try merged.stored().members ?? Members()
    members["format"] = .integer(Int64(Self.memoryFormat))
    members["channel"] = .string(channel)
    try AtomicFile(memory).write(PropertyList.encode(.dictionary(members), as: .binary))
  }

  // MARK: The objects

  /// Checks all objects, which are beside the folder of config.
  private func checkObjects(
    _ accepted: VerifiedConfig, of app: String, channel: String, reportingIn report: inout Report
  ) throws {
    let parts = config.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().last.map(String.init)
    guard parts.count > 2 || !isURL, folder?.hasSameBytes(as: channel) == true else {
      throw Failure(
        .usage, .usage, "'\(config)' is not in a folder '\(channel)' of a site",
        notes: ["--objects needs the address of a site, or a folder that was published to"])
    }
    let site = parts.dropLast(2).joined(separator: "/")
    let files =
      isURL
      ? PublishedFiles(at: site, send: Self.send)
      : PublishedFiles(inFolder: site.isEmpty ? (config.hasBytePrefix("/") ? "/" : ".") : site)
    do {
      let count = try BakedConfig(accepted.bytes, of: channel, app: app, at: config)
        .objectCount(in: files)
      report.text += "  \(count.counted("object")) checked\n"
      report.json["objects"] = .integer(Int64(count))
    } catch let error as BakeError { throw Failure(error, at: config) }
  }
}

extension Failure {
  /// Creates the failure for files that an app refuses, or that cannot be had.
  fileprivate init(_ error: BakeError, at config: String) {
    if error.kind == .unreachable {
      self.init(.unavailable, .publicURL, error.description)
    } else {
      self.init(.contentErrors, .unverified, error.description, at: config)
    }
  }
}
