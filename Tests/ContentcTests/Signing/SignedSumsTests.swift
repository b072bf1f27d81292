import ContentModel
import Testing

@testable import TestCommands

/// Signatures of a distribution's checksums, which openssl verifies.
@Suite struct SignedSumsTests {
  private let shop: SignedShop
  private var sandbox: Sandbox { shop.sandbox }
  private let verification: String

  init() throws {
    shop = try SignedShop()
    let page = try Sandbox.checkedOut("docs/start/install.md")
    let block = try #require(page.firstMatch(of: /```sh\n(type=[^`]+)```/))
    verification = String(block.output.1)
    try sandbox.shell("openssl pkey -in secrets/release.pem -pubout -out contentc.pub")
  }

  private func signSums() throws {
    let done = try sandbox.shell(
      "'\(Sandbox.checkout)/Scripts/dist.py' sign SHA256SUMS secrets/release.pem")
    try #require(done.status == 0, "\(done)")
  }

  /// Runs the commands of the page; returns whether openssl accepts the signature.
  private func isAccepted() throws -> Bool {
    try sandbox.write("verify.sh", verification)
    let done = try sandbox.shell("sh -e verify.sh")
    return done.status == 0 && done.output.contains("Signature Verified Successfully")
  }

  @Test func opensslAcceptsTheSignatureByTheCommandsOfThePage() throws {
    let sums = "\(String(repeating: "0", count: 64))  dist.json\n"
    try sandbox.write("SHA256SUMS", sums)
    try signSums()
    #expect(try isAccepted())
    try sandbox.write("SHA256SUMS", "1" + sums.dropFirst())
    #expect(try !isAccepted())
    try sandbox.write("SHA256SUMS", sums + sums)
    #expect(try !isAccepted())
    try sandbox.write("SHA256SUMS", sums)
    #expect(try isAccepted())
  }

  /// One key signs both, and the file is the text of a release statement: only the type differs.
  @Test func signaturesOfSumsAndOfReleasesAreNotInterchangeable() throws {
    try shop.writeSettings([])
    try shop.succeed("publish", "qa", "--draft", "draft")
    let shown = try shop.run("keys", "show", "qa").output
    let id = try #require(shown.firstMatch(of: /([0-9a-f]{16}) release/)).output.1
    try sandbox.shell("cp draft/statements/release.json SHA256SUMS")
    try signSums()
    #expect(try isAccepted())
    let refused = try shop.run("sign", "add", "draft", "--key", String(id), "SHA256SUMS.sig")
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors.contains("it is no signature by the key"), "\(refused)")

    let hash = Digest(of: try #require(sandbox.read("draft/draft.json"))).hex
    try shop.succeed("sign", "draft", "--expect", hash, "--with", "secrets/release.pem")
    try sandbox.shell("cp draft/signatures/release-\(id) SHA256SUMS.sig")
    #expect(sandbox.read("SHA256SUMS.sig")?.count == 64)
    #expect(try !isAccepted())
  }

  @Test func refusesAKeyThatOthersMayReadOrOfAnotherKind() throws {
    try sandbox.write("SHA256SUMS", "\(String(repeating: "0", count: 64))  dist.json\n")
    try sandbox.shell("openssl genpkey -algorithm RSA -out secrets/rsa.pem")
    try sandbox.shell("cp secrets/keys.pem secrets/open.pem && chmod 644 secrets/open.pem")
    try sandbox.shell("chmod 600 secrets/rsa.pem")
    for (name, message) in [
      ("rsa", "is no Ed25519 key"), ("open", "others may read the key"), ("none", "cannot be read"),
    ] {
      let done = try sandbox.shell(
        "'\(Sandbox.checkout)/Scripts/dist.py' sign SHA256SUMS secrets/\(name).pem")
      #expect(done.status == 1, "\(done)")
      #expect(done.errors.contains(message), "\(done)")
    }
    #expect(sandbox.read("SHA256SUMS.sig") == nil)
  }
}
