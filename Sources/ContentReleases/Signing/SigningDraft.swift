package import ContentModel
import PropertyLists
package import SiteFormat

/// A release that was derived and not published, as people carry it to the machines that sign it.
///
/// Others may have changed it on its way, so a signer compares `hash`, and an import takes only what
/// `SignedDraft` proves.
package struct SigningDraft: Sendable {
  package let facts: Facts
  /// The bytes of the config of format 1.
  package let config: [UInt8]
  /// The bytes of the release's record.
  package let record: [UInt8]
  /// The bytes of the file with a purge's work, which is written before the swap; `nil` for other
  /// releases.
  package let begun: [UInt8]?
  package var statements: ReleaseStatements
  /// The key document whose keys sign the statements.
  package let keys: KeyDocument
  /// The bytes of `draft.json`.
  ///
  /// It has the facts, and the SHA-256 of all files but signatures and objects. The record has those
  /// of objects.
  let index: [UInt8]
  /// The SHA-256 of `draft.json`.
  package let hash: Digest

  /// The purpose of a draft, as the machine that drafted it says.
  package struct Facts: Hashable, Sendable {
    /// The command that drafted it, such as `publish`.
    package let command: String
    package let app: String
    package let channel: String
    /// The number of the release.
    package let release: Int
    /// The config that it replaces; no other config may be replaced.
    package let previous: Previous
    /// The time from which the draft can no longer be imported.
    package let until: Instant
    /// Lines about the changes that readers see.
    package let texts: [String]
  }

  /// The config before a release.
  package struct Previous: Hashable, Sendable {
    /// The number above which the release is, 0 without an earlier release.
    package var release = 0
    /// The SHA-256 of the config of format 1; `nil` without config, or if it was not read.
    package var config: Digest?
    /// The SHA-256 of all bytes of the config file, signatures included; `nil` without config.
    package var file: Digest?
  }

  /// The most bytes of the texts, together; JSON may have six times as many.
  private static let textLimit = 8 << 10

  /// Creates a draft.
  ///
  /// - Throws: `PropertyListEncodingError`; `Refusal` if the draft is larger than drafts may be.
  init(
    _ facts: Facts, config: [UInt8], record: [UInt8], begun: [UInt8]?,
    statements: ReleaseStatements, keys: KeyDocument
  ) throws {
    (self.facts, self.config, self.record, self.begun) = (facts, config, record, begun)
    (self.statements, self.keys) = (statements, keys)
    let files = try Self.files(
      config: config, record: record, begun: begun, statements: statements, keys: keys)
    for (name, bytes) in files where bytes.count > Self.limit(of: name) {
      throw Refusal(
        name, "it would have \(bytes.count) bytes, and \(Self.limit(of: name)) are read")
    }
    index = try facts.bytes(files: files.map { ($0.name, Digest(of: $0.bytes)) })
    hash = Digest(of: index)
    guard index.count <= Self.limit(of: Self.indexName) else {
      throw Refusal(Self.indexName, "it would have \(index.count) bytes")
    }
  }

  /// `true` if only the signatures of the live release are new.
  package var isResigning: Bool { facts.previous.config == Digest(of: config) }

  /// The signatures of each role by the draft's own key document.
  package var signatures: [ReleaseStatements.Signatures] { statements.signatures(by: keys) }

  /// Returns lines without line feeds, at most as many as a draft may have.
  static func texts(_ lines: [String]) -> [String] {
    var (left, texts) = (textLimit, [String]())
    for line in lines.flatMap({ $0.split(separator: "\n") }) {
      left -= line.utf8.count + 16
      guard left > 0 else { return texts + ["…"] }
      texts.append(String(line))
    }
    return texts
  }

  // MARK: Refusing

  /// The reason for which a draft is refused.
  package struct Refusal: Error, Hashable, Sendable {
    /// The name of the file in the folder, such as `statements/fresh.json`.
    package let file: String
    /// A sentence without its full stop.
    package let reason: String
    /// `true` if the draft came too late, or a clock is wrong.
    package var isAboutTime = false

    init(_ file: String, _ reason: String, isAboutTime: Bool = false) {
      (self.file, self.reason, self.isAboutTime) = (file, reason, isAboutTime)
    }
  }

  /// The statements of the draft, as their texts say.
  package func read() throws(Refusal) -> (release: ReleaseStatement, fresh: FreshStatement) {
    (
      try statement(of: .release, by: ReleaseStatement.init) { try $0.body() },
      try statement(of: .fresh, by: FreshStatement.init) { try $0.body() }
    )
  }

  private func statement<Statement>(
    of role: KeyDocument.Role, by read: ([UInt8]) throws(TrustError) -> Statement,
    text: (Statement) throws -> [UInt8]
  ) throws(Refusal) -> Statement {
    let statement: Statement
    do throws(TrustError) { statement = try read(statements[role].body) } catch {
      throw Refusal(Self.statementName(role), error.reason)
    }
    // Readers ignore unknown members, so a signature could mean more than `sign` shows.
    guard (try? text(statement)) == statements[role].body else {
      throw Refusal(
        Self.statementName(role), "it has other members or another form than contentc writes")
    }
    return statement
  }

  /// The members of the config, and the record that it names.
  package func contents() throws(Refusal) -> (config: Members, record: ReleaseRecord) {
    guard let (value, _) = try? PropertyList.decode(config), let members = value.members,
      members["app"] == .string(facts.app), members["channel"] == .string(facts.channel),
      members["release"]?.number == facts.release
    else { throw Refusal(Self.configName, "it is no config of the release") }
    guard let record = ReleaseRecord(bytes: record), record.number == facts.release,
      record.digest == members["record"]?.digest
    else { throw Refusal(Self.recordName, "it is not the record that the config names") }
    return (members, record)
  }

  /// Refuses files that are not about the same release of the same channel.
  func checkAgreement() throws(Refusal) {
    let list = try contents().config["purge"]?["list"]?.digest
    if let begun, !isResigning, list != Digest(of: begun) {
      throw Refusal(Self.begunName, "the config names another file")
    }
    let (release, fresh) = try read()
    let digest = Digest(of: config)
    guard keys.isFor(app: facts.app, channel: facts.channel) else {
      throw Refusal(Self.keysName, "it is of another app or channel")
    }
    guard release.app.hasSameBytes(as: facts.app), release.release == facts.release,
      release.channel.hasSameBytes(as: facts.channel), release.config == digest,
      release.size == config.count, release.keys <= keys.version
    else { throw Refusal(Self.statementName(.release), "it is about another release") }
    guard fresh.app.hasSameBytes(as: facts.app), fresh.release == facts.release,
      fresh.channel.hasSameBytes(as: facts.channel), fresh.config == digest,
      fresh.keys == keys.version
    else { throw Refusal(Self.statementName(.fresh), "it is about another release") }
    guard isResigning == (facts.release == facts.previous.release) else {
      throw Refusal(
        Self.indexName, "release \(facts.release) does not follow \(facts.previous.release)")
    }
  }

  /// Refuses to sign what readers would accept for longer, or as a later release, than a publication
  /// needs.
  ///
  /// A mistake here could not be taken back: no reader goes back to a lower number.
  package func checkSignable(at now: Instant, forAtMost longest: TimeSpan) throws(Refusal) {
    let (release, fresh) = try read()
    let least = facts.previous.release
    guard isResigning || release.release > least else {
      throw Refusal(
        Self.statementName(.release), "release \(release.release) is not above release \(least)")
    }
    guard release.release <= least + ChannelPlace.numbersAhead else {
      throw Refusal(
        Self.statementName(.release),
        "release \(release.release) is above release \(least) by more than \(ChannelPlace.numbersAhead)"
      )
    }
    for (role, issued) in [(KeyDocument.Role.release, release.issued), (.fresh, fresh.issued)]
    where issued > now.advanced(by: .days(1)) {
      throw Refusal(
        Self.statementName(role),
        "its time \(issued.rfc3339) is more than a day ahead of this machine's clock, which shows "
          + now.rfc3339, isAboutTime: true)
    }
    guard fresh.expires > now else {
      throw Refusal(
        Self.statementName(.fresh), "its time ended at \(fresh.expires.rfc3339)", isAboutTime: true)
    }
    guard fresh.expires <= fresh.issued.advanced(by: longest) else {
      throw Refusal(
        Self.statementName(.fresh),
        "readers would accept the release until \(fresh.expires.rfc3339), for longer than \(longest)"
      )
    }
  }
}
