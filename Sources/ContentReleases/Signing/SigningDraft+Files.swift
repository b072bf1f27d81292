import ContentModel
import ContentTargets
import PropertyLists
package import SiteFormat

/// The files of a draft.
extension SigningDraft {
  /// The file with the facts, and the hashes of the other files.
  package static let indexName = "draft.json"
  static let configName = "config"
  static let recordName = "record"
  static let begunName = "begun"
  static let keysName = "keys.json"

  /// Returns the name of the file with the text that a role signs.
  package static func statementName(_ role: KeyDocument.Role) -> String {
    "statements/\(role.rawValue).json"
  }

  /// Returns the name of the file with the 64 bytes of a key's signature.
  static func signatureName(_ role: KeyDocument.Role, by key: KeyID) -> String {
    "signatures/\(role.rawValue)-\(key)"
  }

  /// Returns the most bytes of a file.
  static func limit(of name: String) -> Int {
    switch name {
    case recordName, begunName: ReadLimit.record
    case keysName: SignedBody.fileByteLimit
    case statementName(.release), statementName(.fresh): ReleaseStatement.byteLimit
    default: Envelope.byteLimit
    }
  }

  /// Returns the files whose hashes `draft.json` has.
  static func files(
    config: [UInt8], record: [UInt8], begun: [UInt8]?, statements: ReleaseStatements,
    keys: KeyDocument
  ) throws -> [(name: String, bytes: [UInt8])] {
    var files = [
      (configName, config), (recordName, record), (keysName, try keys.signed.file()),
      (statementName(.release), statements.release.body),
      (statementName(.fresh), statements.fresh.body),
    ]
    if let begun { files.append((begunName, begun)) }
    return files
  }

  /// All files with their bytes, apart from objects and signatures.
  var files: [(name: String, bytes: [UInt8])] {
    get throws {
      [(Self.indexName, index)]
        + (try Self.files(
          config: config, record: record, begun: begun, statements: statements, keys: keys))
    }
  }

  /// The signatures by the keys of the roles, as files of 64 bytes.
  var signatureFiles: [(name: String, bytes: [UInt8])] {
    ReleaseStatements.roles.flatMap { role, type in
      statements.validSignatures(of: role, as: type, by: keys).map {
        (Self.signatureName(role, by: $0.key), $0.bytes)
      }
    }
  }

  /// Reads the files of a draft; `read` returns the bytes of one, or `nil` without it.
  ///
  /// All files must have the hashes in `draft.json`, and be about the same release. Signatures are not
  /// checked.
  ///
  /// - Throws: `Refusal`; the errors of `read`.
  package init(
    reading read: @escaping (_ file: String, _ limit: Int) throws -> [UInt8]?
  ) throws {
    let source = Source(read: read)
    let index = try source.bytes(of: Self.indexName)
    let (facts, digests) = try Facts.read(index)
    let keys = try source.keys(digests)
    try self.init(
      facts, config: source.bytes(of: Self.configName, digests),
      record: source.bytes(of: Self.recordName, digests),
      begun: digests[Self.begunName] == nil ? nil : source.bytes(of: Self.begunName, digests),
      statements: ReleaseStatements(
        release: source.statement(.release, by: keys, digests),
        fresh: source.statement(.fresh, by: keys, digests)), keys: keys)
    guard self.index == index else {
      throw Refusal(Self.indexName, "it has other bytes than contentc writes")
    }
    try checkAgreement()
  }

  /// The files of a draft that is read.
  private struct Source {
    let read: (_ file: String, _ limit: Int) throws -> [UInt8]?

    func bytes(of name: String) throws -> [UInt8] {
      let limit = SigningDraft.limit(of: name)
      guard let bytes = try read(name, limit) else { throw Refusal(name, "the file is missing") }
      guard bytes.count <= limit else { throw Refusal(name, "it has more than \(limit) bytes") }
      return bytes
    }

    /// Returns the bytes of a file whose hash is among those of `draft.json`.
    func bytes(of name: String, _ digests: Members) throws -> [UInt8] {
      let bytes = try bytes(of: name)
      guard digests[name]?.text.flatMap({ Digest(hex: $0) }) == Digest(of: bytes) else {
        throw Refusal(name, "it has another SHA-256 than \(SigningDraft.indexName) says")
      }
      return bytes
    }

    func keys(_ digests: Members) throws -> KeyDocument {
      let bytes = try bytes(of: SigningDraft.keysName, digests)
      do throws(TrustError) { return try KeyDocument(SignedBody(file: bytes)) } catch {
        throw Refusal(SigningDraft.keysName, error.reason)
      }
    }

    /// Returns the text that a role signs, with the signatures by the keys of a document.
    func statement(
      _ role: KeyDocument.Role, by document: KeyDocument, _ digests: Members
    ) throws -> SignedBody {
      let body = try bytes(of: SigningDraft.statementName(role), digests)
      let signatures = try document.roles[role].keys.keys.sorted().compactMap { key in
        try read(SigningDraft.signatureName(role, by: key), PublicKey.signatureByteCount).map {
          KeySignature(key: key, bytes: $0)
        }
      }
      return SignedBody(body: body, signatures: signatures)
    }
  }
}

extension SigningDraft.Facts {
  /// Returns the bytes of `draft.json`, with the hashes of the other files.
  func bytes(files: [(name: String, digest: Digest)]) throws -> [UInt8] {
    var before: Members = ["release": .integer(Int64(previous.release))]
    before["config"] = previous.config.map { .string($0.hex) }
    before["file"] = previous.file.map { .string($0.hex) }
    let members: Members = [
      "format": 1, "command": .string(command), "app": .string(app), "channel": .string(channel),
      "release": .integer(Int64(release)), "previous": .dictionary(before),
      "until": .string(until.rfc3339), "texts": .array(texts.map(Value.string)),
      "files": .dictionary(Members(files.map { ($0.name, .string($0.digest.hex)) })),
    ]
    return try PropertyList.encode(.dictionary(members), as: .json) + [UInt8(ascii: "\n")]
  }

  /// Reads `draft.json`, and returns the facts and the hashes of the other files.
  static func read(
    _ bytes: [UInt8]
  ) throws(SigningDraft.Refusal) -> (facts: Self, files: Members) {
    func refusal(_ reason: String) -> SigningDraft.Refusal {
      SigningDraft.Refusal(SigningDraft.indexName, reason)
    }
    guard let (value, _) = try? PropertyList.decode(bytes, as: .json) else {
      throw refusal("it is no JSON")
    }
    if let newer = NewerFormat(value["format"], above: 1) {
      throw refusal(newer.sentence(about: "it"))
    }
    guard value["format"]?.number == 1 else { throw refusal("'format' is missing or wrong") }
    guard let command = value["command"]?.text, let app = value["app"]?.text,
      let channel = value["channel"]?.text, let release = value["release"]?.number,
      LiveRelease.numbers.contains(release), let files = value["files"]?.members,
      let until = value["until"]?.text.flatMap({ Instant(rfc3339: $0) }),
      let texts = value["texts"]?.items, let before = value["previous"],
      let number = before["release"]?.number, LimitedNumber.serials.contains(number)
    else { throw refusal("a member is missing or wrong") }
    let previous = SigningDraft.Previous(
      release: number, config: before["config"]?.text.flatMap { Digest(hex: $0) },
      file: before["file"]?.text.flatMap { Digest(hex: $0) })
    let facts = Self(
      command: command, app: app, channel: channel, release: release, previous: previous,
      until: until, texts: texts.compactMap(\.text))
    return (facts, files)
  }
}
