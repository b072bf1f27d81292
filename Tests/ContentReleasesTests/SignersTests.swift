import ContentModel
import Diagnostics
import PropertyLists
import SiteFormat
import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentReleases

/// The signatures of a role by several signers of a machine.
@Suite(.waiting) struct SignersTests {
  private let folder: ScratchFolder
  private let secrets: [SecretKey]
  private let body = Array(#"{"format":1}"#.utf8)

  init() throws {
    folder = try ScratchFolder()
    secrets = try (0..<3).map { _ in try #require(SecretKey.random()) }
    for (number, secret) in secrets.enumerated() {
      try folder.write("\(number).pem", secret.pem)
      #expect(chmod(folder.path("\(number).pem"), 0o600) == 0)
    }
  }

  /// Returns signers whose keys are in the files of some numbers.
  private func settings(
    _ numbers: [Int], app: String? = nil, channel: String = "production",
    role: KeyDocument.Role = .release
  ) -> [SignerSettings] {
    numbers.map { number in
      SignerSettings(
        app: app, channel: channel, role: role,
        source: .file(path: folder.path("\(number).pem")),
        location: SourceLocation(path: "settings.yaml"))
    }
  }

  /// Returns a document whose `release` role has some of the keys.
  private func document(_ numbers: [Int], threshold: Int64) throws -> KeyDocument {
    let keys = numbers.map { secrets[$0].publicKey }
    let role: Value = [
      "threshold": .integer(threshold), "keys": .array(keys.map { .string("\($0.id)") }),
    ]
    let members: Members = [
      "format": 1, "app": "shop", "channels": ["production"], "version": 1,
      "issued": "2027-01-15T08:00:00Z", "expires": "2028-01-15T08:00:00Z",
      "keys": .dictionary(
        Members(
          keys.map {
            ("\($0.id)", ["algorithm": "ed25519", "public": .string($0.bytes.base64)])
          })),
      "roles": ["keys": role, "release": role, "fresh": role],
    ]
    return try KeyDocument(
      SignedBody(
        body: try PropertyList.encode(.dictionary(members), as: .json), signatures: []))
  }

  private func sign(_ settings: [SignerSettings], for document: KeyDocument) throws -> [KeyID] {
    let signed = try Signers(settings, in: "settings.yaml", app: "shop", channel: "production")
      .sign(
        body, as: .release, for: .release, of: document)
    let valid = signed.count(of: document.roles.release.keys, as: .release)
    #expect(valid == signed.signatures.count)
    return signed.signatures.map(\.key)
  }

  private func problem(_ settings: [SignerSettings], for document: KeyDocument) -> Signers.Missing?
  {
    do {
      _ = try Signers(settings, in: "settings.yaml", app: "shop", channel: "production").sign(
        body, as: .release, for: .release, of: document)
      return nil
    } catch { return error }
  }

  @Test func asksNoMoreSignersThanNeeded() throws {
    let document = try document([0, 1, 2], threshold: 2)
    #expect(
      try sign(settings([2, 0, 1]), for: document) == [secrets[2], secrets[0]].map(\.publicKey.id))
    // A signer that fails does no harm if another signer signs.
    var broken = settings([0])[0]
    broken = SignerSettings(
      app: nil, channel: "production", role: .release, source: .file(path: folder.path("absent")),
      location: broken.location)
    #expect(try sign([broken] + settings([1, 2]), for: document).count == 2)
  }

  @Test func countsEachKeyOnce() throws {
    let document = try document([0, 1], threshold: 2)
    let missing = try #require(problem(settings([0, 0]), for: document))
    #expect(missing.count == 1 && missing.threshold == 2 && missing.failures.isEmpty)
    #expect(try sign(settings([0, 0, 1]), for: document).count == 2)
  }

  @Test func namesASlowProgramWithoutItsWords() throws {
    let command = SignerSettings(
      channel: "production", role: .release,
      source: .command(words: ["/bin/sleep", "2"], key: nil),
      location: SourceLocation(path: "settings.yaml"))
    let told = Mutex<[String]>([])
    var signers = Signers(
      [command] + settings([0]), in: "settings.yaml", app: "shop", channel: "production")
    signers.whenSlow = { name in told.withLock { $0.append(name) } }
    let signed = try signers.sign(
      body, as: .release, for: .release, of: document([0], threshold: 1))
    #expect(signed.signatures.count == 1)
    #expect(told.withLock { $0 } == ["the program of the signer in settings.yaml"])
  }

  /// After a rotation, a machine may still have the earlier key.
  @Test func saysWhichSignersCannotSign() throws {
    let missing = try #require(
      problem(settings([2, 0]), for: try document([0, 1], threshold: 2)))
    #expect(missing.role == .release && missing.count == 1 && missing.threshold == 2)
    #expect(
      missing.failures.map(\.reason)
        == ["its key \(secrets[2].publicKey.id) is none of the role 'release'"])
    #expect(missing.failures.first?.location.path == "settings.yaml")
  }

  @Test func asksTheSignersOfItsRoleAppAndChannelOnly() throws {
    let document = try document([0], threshold: 1)
    for foreign in [
      settings([0], app: "other"), settings([0], channel: "staging"), settings([0], role: .fresh),
    ] {
      let missing = try #require(problem(foreign, for: document))
      #expect(missing.count == 0 && missing.failures.isEmpty)
    }
    #expect(try sign(settings([0], app: "shop"), for: document).count == 1)
  }

  /// The program must name its key even if an earlier signer has signed by the other key.
  @Test func aProgramMustNameItsKeyIfTheRoleHasSeveral() throws {
    let command = SignerSettings(
      app: nil, channel: "production", role: .release,
      source: .command(words: ["/bin/true"], key: nil),
      location: SourceLocation(path: "settings.yaml"))
    let document = try document([0, 1], threshold: 2)
    for order in [[command] + settings([0]), settings([0]) + [command]] {
      let missing = try #require(problem(order, for: document))
      #expect(
        missing.failures.map(\.reason)
          == ["the role has 2 keys; say which by 'key' beside 'command'"])
    }
  }
}
