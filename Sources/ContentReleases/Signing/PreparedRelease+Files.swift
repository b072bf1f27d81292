import ContentModel
package import ContentTrust
import Hashing
import PropertyLists

/// The files of a prepared release, which others carry, sign, and may change.
extension PreparedRelease {
  /// The files, each with the most bytes that it may have.
  package static let files: [(name: String, limit: Int)] = [
    (configName, Envelope.byteLimit), (orderName, Envelope.byteLimit),
    (statementName(.release), SignedBody.fileByteLimit),
    (statementName(.fresh), SignedBody.fileByteLimit), (keysName, SignedBody.fileByteLimit),
  ]

  /// The bytes of the config, whose SHA-256 the statements have.
  package static let configName = "config"
  /// The facts from which the same command derives the release again.
  package static let orderName = "prepared.json"
  /// The key document whose keys sign.
  package static let keysName = "keys.json"

  /// Returns the name of the file with the statement of a role.
  package static func statementName(_ role: KeyDocument.Role) -> String { "\(role.rawValue).json" }

  /// The reason why a file is refused, as a sentence without its full stop.
  package struct Refusal: Error, Hashable, Sendable {
    package let file: String
    package let reason: String

    init(of file: String, _ reason: String) { (self.file, self.reason) = (file, reason) }
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: `Refusal` if they are too many; `PropertyListEncodingError`.
  package func bytes(of file: String) throws -> [UInt8] {
    let bytes: [UInt8]
    switch file {
    case Self.configName: bytes = config
    case Self.orderName: bytes = try orderBytes()
    case Self.keysName: bytes = try keys.signed.file()
    default: bytes = try self[file == Self.statementName(.fresh) ? .fresh : .release].file()
    }
    let limit = Self.files.first { $0.name == file }?.limit ?? 0
    guard bytes.count <= limit else {
      throw Refusal(of: file, "it would have \(bytes.count) bytes, and \(limit) are read")
    }
    return bytes
  }

  private func orderBytes() throws -> [UInt8] {
    var members: Members = [
      "format": 1, "app": .string(app), "channel": .string(channel), "command": .string(command),
      "release": .integer(Int64(release)), "issued": .string(issued.rfc3339),
      "run": .string(texts.run),
    ]
    var after: Members = [:]
    after["release"] = previous.release.map { .integer(Int64($0)) }
    after["config"] = previous.config.map { .string($0.hex) }
    members["after"] = .dictionary(after)
    members["message"] = texts.message.map(Value.string)
    members["by"] = texts.by.map(Value.string)
    members["commit"] = texts.commit.map(Value.string)
    return try PropertyList.encode(.dictionary(members), as: .json) + [UInt8(ascii: "\n")]
  }

  /// Reads the files of a prepared release; `read` returns the bytes of one.
  ///
  /// Each file must have exactly the bytes that it was written with, apart from signatures, and all
  /// of them must be about the same config. No signature is checked.
  ///
  /// - Throws: `Refusal`; the errors of `read`.
  package init(reading read: (_ file: String, _ limit: Int) throws -> [UInt8]) throws {
    var contents: [[UInt8]] = []
    for (name, limit) in Self.files {
      let bytes = try read(name, limit)
      guard bytes.count <= limit else {
        throw Refusal(of: name, "it has more than \(limit) bytes")
      }
      contents.append(bytes)
    }
    config = contents[0]
    let order = try Self.order(contents[1])
    (app, channel, command) = (order.app, order.channel, order.command)
    (previous, release, issued, texts) = (order.previous, order.release, order.issued, order.texts)
    statements = Statements(
      release: try Self.signedBody(contents[2], in: Self.statementName(.release)),
      fresh: try Self.signedBody(contents[3], in: Self.statementName(.fresh)))
    let document = try Self.signedBody(contents[4], in: Self.keysName)
    do throws(TrustError) { keys = try KeyDocument(document) } catch {
      throw Refusal(of: Self.keysName, error.reason)
    }
    for (index, file) in Self.files.enumerated() {
      guard try bytes(of: file.name) == contents[index] else {
        throw Refusal(of: file.name, "it has other bytes than contentc writes")
      }
    }
    try checkAgreement()
  }

  private struct Order {
    var app, channel, command: String
    var previous: Previous
    var release: Int
    var issued: Instant
    var texts: Texts
  }

  private static func order(_ bytes: [UInt8]) throws -> Order {
    guard let (value, _) = try? PropertyList.decode(bytes, as: .json) else {
      throw Refusal(of: orderName, "it is no JSON")
    }
    guard value["format"]?.number == 1 else {
      throw Refusal(of: orderName, "it has a format that this version does not read")
    }
    guard let app = value["app"]?.text, let channel = value["channel"]?.text,
      let command = value["command"]?.text, let run = value["run"]?.text,
      let release = value["release"]?.number, LiveRelease.numbers.contains(release),
      let issued = value["issued"]?.text.flatMap({ Instant(rfc3339: $0) })
    else { throw Refusal(of: orderName, "a member is missing or wrong") }
    let after = value["after"]
    return Order(
      app: app, channel: channel, command: command,
      previous: Previous(
        release: after?["release"]?.number,
        config: after?["config"]?.text.flatMap { Digest(hex: $0) }), release: release,
      issued: issued,
      texts: Texts(
        run: run, message: value["message"]?.text, by: value["by"]?.text,
        commit: value["commit"]?.text))
  }

  private static func signedBody(_ bytes: [UInt8], in file: String) throws(Refusal) -> SignedBody {
    do throws(TrustError) { return try SignedBody(file: bytes) } catch {
      throw Refusal(of: file, "it is no JSON with a 'body' and 'signatures' of valid size")
    }
  }

  /// Refuses statements about another config than the one in the folder.
  private func checkAgreement() throws(Refusal) {
    let digest = Digest(of: config)
    func statement<Result>(
      _ role: KeyDocument.Role, by read: ([UInt8]) throws(TrustError) -> Result
    ) throws(Refusal) -> Result {
      do throws(TrustError) { return try read(self[role].body) } catch {
        throw Refusal(of: Self.statementName(role), error.reason)
      }
    }
    let about = try statement(.release, by: ReleaseStatement.init)
    guard about.app == app, about.channel == channel, about.release == release,
      about.config == digest, about.size == config.count, about.keys <= keys.version
    else { throw Refusal(of: Self.statementName(.release), "it is about another config") }
    let fresh = try statement(.fresh, by: FreshStatement.init)
    guard fresh.app == app, fresh.channel == channel, fresh.release == release,
      fresh.config == digest, fresh.issued == issued, fresh.keys == keys.version
    else { throw Refusal(of: Self.statementName(.fresh), "it is about another config") }
    guard keys.isFor(app: app, channel: channel) else {
      throw Refusal(of: Self.keysName, "it is of another app or channel")
    }
  }
}
