import ContentModel
import Diagnostics
import SiteFormat
import SystemC
import TestServers
import Testing

@testable import ContentReleases

/// The ways in which a machine signs, each with what can go wrong.
@Suite(.waiting) struct SignerTests {
  private let folder: ScratchFolder
  private let key: SecretKey
  private let body = Array(#"{"format":1}"#.utf8)

  init() throws {
    folder = try ScratchFolder()
    key = try #require(SecretKey.random())
  }

  private var keys: [KeyID: PublicKey] { [key.publicKey.id: key.publicKey] }

  private func signer(
    _ source: SignerSettings.Source, variables: [String: String] = [:]
  ) -> Signer {
    Signer(
      SignerSettings(
        channel: "production", role: .release, source: source,
        location: SourceLocation(path: "settings.yaml"))
    ) { variables[$0] }
  }

  /// Returns the reason for which a signer gives no signature; `nil` if it gives a valid one.
  private func failure(of signer: Signer, keys: [KeyID: PublicKey]? = nil) -> String? {
    do {
      let signature = try signer.signature(of: body, as: .release, by: keys ?? self.keys)
      let message = SignedType.release.encoding(of: body)
      #expect(signature.map { key.publicKey.accepts($0.bytes, of: message) } == true)
      return nil
    } catch {
      #expect(!error.reason.contains("PRIVATE"), "no part of a key")
      return error.reason
    }
  }

  private func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
    let path = "\(folder.path)/\(name)"
    try folder.write(name, text)
    #expect(chmod(path, mode) == 0)
    return path
  }

  // MARK: Files and variables

  @Test func signsWithAFile() throws {
    let path = try write(key.pem, to: "release.pem")
    #expect(failure(of: signer(.file(path: path))) == nil)
    #expect(
      failure(of: signer(.file(path: path)), keys: [:])
        == "its key \(key.publicKey.id) is none of the role 'release'")
    #expect(
      try signer(.file(path: path)).signature(
        of: body, as: .release, by: keys, besides: [key.publicKey.id]) == nil)
    #expect(chmod(path, 0o640) == 0)
    #expect(failure(of: signer(.file(path: path)))?.hasPrefix("other users may read") == true)
    #expect(chmod(path, 0o604) == 0)
    let reason = failure(of: signer(.file(path: path)))
    #expect(reason?.hasSuffix("; run: chmod 600 \(path)") == true, "\(reason ?? "")")
  }

  @Test(arguments: [
    ("", "is no PEM file"), ("-----BEGIN PRIVATE KEY-----\nAAAA\n", "is no PEM file"),
    ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "is no Ed25519 key"),
    ("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n", "is no PEM file"),
    ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n", "is encrypted"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", "has OpenSSH's own form"),
    ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n", "is no Ed25519 key"),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n", "is a public key"),
  ])
  func saysWhyATextIsNoKey(text: String, reason: String) throws {
    let path = try write(text, to: "other.pem")
    #expect(failure(of: signer(.file(path: path)))?.contains("' \(reason)") == true)
  }

  /// Version 2 of PKCS#8 has the public key, too, in one of two forms.
  @Test func readsKeysWithTheirPublicKey() throws {
    let lines = key.pem.split(separator: "\n")
    let one = try #require(Base64.decode(String(lines[1])))
    for prefix in [[0x81, 0x21, 0x00], [0xA1, 0x23, 0x03, 0x21, 0x00]] as [[UInt8]] {
      for publicKey in [key.publicKey, try #require(SecretKey.random()).publicKey] {
        let tail = prefix + publicKey.bytes
        var two = one + tail
        (two[1], two[4]) = (UInt8(two.count - 2), 1)
        let pem = "\(lines[0])\n\(two.base64)\n\(lines[2])\n"
        if publicKey == key.publicKey {
          #expect(try SecretKey(pem: Array(pem.utf8)).publicKey == publicKey)
        } else {
          #expect(throws: SecretKey.Refusal.otherPublicKey) { try SecretKey(pem: Array(pem.utf8)) }
        }
      }
    }
  }

  @Test func refusesMissingIrregularAndLargeFiles() throws {
    #expect(
      failure(of: signer(.file(path: "\(folder.path)/absent")))?.contains("cannot be read") == true)
    #expect(failure(of: signer(.file(path: folder.path)))?.contains("no regular file") == true)
    #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
    #expect(
      failure(of: signer(.file(path: "\(folder.path)/pipe")))?.contains("no regular file") == true)
    let large = try write(String(repeating: "x", count: 100_000), to: "large")
    #expect(failure(of: signer(.file(path: large)))?.contains("too large") == true)
  }

  @Test func signsWithAVariable() {
    let settings = SignerSettings.Source.environment(variable: "RELEASE_KEY")
    #expect(failure(of: signer(settings, variables: ["RELEASE_KEY": key.pem])) == nil)
    #expect(failure(of: signer(settings)) == "the variable RELEASE_KEY is not set")
    #expect(
      failure(of: signer(settings, variables: ["RELEASE_KEY": "hunter2"]))
        == "the variable RELEASE_KEY is no PEM file with a private key")
  }

  // MARK: openssl

  @Test func exchangesKeysAndSignaturesWithOpenSSL() throws {
    let made = "\(folder.path)/made.pem"
    try run("openssl genpkey -algorithm ed25519 -out made.pem")
    #expect(chmod(made, 0o600) == 0)
    let other = try SecretKey(pem: SecretFile(made).contents())
    let signature = try #require(
      try signer(.file(path: made)).signature(
        of: body, as: .fresh, by: [other.publicKey.id: other.publicKey]))
    try folder.write("message", SignedType.fresh.encoding(of: body))
    try folder.write("signature", signature.bytes)
    try run("openssl pkey -in made.pem -pubout -out public.pem")
    try run(
      "openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in message -sigfile signature")
    // openssl reads the file that contentc writes.
    _ = try write(key.pem, to: "own.pem")
    try run("openssl pkeyutl -sign -inkey own.pem -rawin -in message -out signature")
    let bytes = try ScratchFolder.read(folder.path("signature"))
    #expect(key.publicKey.accepts(bytes, of: SignedType.fresh.encoding(of: body)))
    try run("openssl genpkey -algorithm rsa -out rsa.pem")
    #expect(chmod("\(folder.path)/rsa.pem", 0o600) == 0)
    #expect(
      failure(of: signer(.file(path: "\(folder.path)/rsa.pem")))?.contains("no Ed25519 key") == true
    )
    try run("openssl genpkey -algorithm ed25519 -aes256 -pass pass:secret -out closed.pem")
    #expect(chmod("\(folder.path)/closed.pem", 0o600) == 0)
    #expect(
      failure(of: signer(.file(path: "\(folder.path)/closed.pem")))?.contains("encrypted") == true)
  }

  private func run(_ command: String) throws {
    try Program.run("/bin/sh", ["-c", "cd '\(folder.path)' && \(command)"])
  }

  // MARK: Programs

  @Test(arguments: [
    ("cat signature", nil), ("base64 signature", nil), ("base64 -w 0 signature", nil),
    ("cat signature; echo secret >&2", nil), ("cat >/dev/null; cat signature", nil),
    ("exit 0", "it writes 0 bytes, not the 64 of a signature or their base64"),
    ("head -c 63 signature", "it writes 63 bytes, not the 64 of a signature or their base64"),
    ("cat signature signature", "it writes 128 bytes, not the 64 of a signature or their base64"),
    ("head -c 64 /dev/zero", "its signature is not one of the key"),
    ("cat by-another-key", "its signature is not one of the key"),
    ("cat of-another-type", "its signature is not one of the key"),
    ("cat signature; exit 3", "it ended with status 3"),
    ("echo hunter2; exit 1", "it ended with status 1"),
    ("echo 'the token expired' >&2; exit 1", "it ended with status 1: the token expired"),
    ("kill -9 $$", "it was ended by signal 9"), ("yes | head -c 5000", "it writes more than"),
    ("sleep 60", "it was stopped after 1 s"), ("yes >&2", "it was stopped after 1 s"),
  ])
  func acceptsOnlyAValidSignatureFromAProgram(script: String, reason: String?) throws {
    let message = SignedType.release.encoding(of: body)
    try folder.write("signature", try #require(key.signature(of: message)))
    let other = try #require(SecretKey.random())
    try folder.write("by-another-key", try #require(other.signature(of: message)))
    try folder.write(
      "of-another-type", try #require(key.signature(of: SignedType.fresh.encoding(of: body))))
    var program = CommandSigner(words: ["/bin/sh", "-c", "cd '\(folder.path)'; \(script)"])
    program.seconds = 1
    do {
      let bytes = try program.signature(of: message, by: key.publicKey.id, as: .release)
      #expect(key.publicKey.accepts(bytes, of: message) == (reason == nil))
    } catch {
      #expect(reason.map { error.description.hasPrefix($0) } == true, "\(error)")
      // The output of a program can contain the secret key that it read.
      #expect(!error.description.contains("hunter2"))
    }
    if script.hasPrefix("sleep") || script.hasPrefix("yes") { return }
    let settings = SignerSettings.Source.command(words: program.words, key: nil)
    let failure = failure(of: signer(settings))
    #expect(reason.map { failure?.hasPrefix($0) == true } ?? (failure == nil), "\(failure ?? "")")
  }

  /// The program must not get the secret keys of other signers.
  @Test func givesAProgramNoOtherSecretKey() throws {
    setenv("CONTENTC_TEST_SECRET", "hunter2", 1)
    setenv("CONTENTC_TEST_TOKEN", "for the program", 1)
    let script = "cd '\(folder.path)'; env >variables"
    let program = CommandSigner(
      words: ["sh", "-c", script], withheld: ["CONTENTC_TEST_SECRET"])
    _ = try? program.signature(of: body, by: key.publicKey.id, as: .release)
    let variables = try folder.read("variables")
    #expect(variables.contains("CONTENTC_TEST_TOKEN=for the program"))
    #expect(!variables.contains("hunter2"))
  }

  /// A program gets the encoding on its input, and the role and the key in variables.
  @Test func tellsAProgramWhatToSign() throws {
    let script = "cat >message; echo \"$CONTENTC_ROLE $CONTENTC_KEY\" >variables"
    let program = CommandSigner(words: ["sh", "-c", "cd '\(folder.path)'; \(script)"])
    let message = SignedType.keys.encoding(of: body)
    _ = try? program.signature(of: message, by: key.publicKey.id, as: .keys)
    #expect(try ScratchFolder.read(folder.path("message")) == message)
    #expect(try folder.read("variables") == "keys \(key.publicKey.id)\n")
  }

  @Test func asksAProgramForOneKey() throws {
    let other = try #require(SecretKey.random()).publicKey
    let both = keys.merging([other.id: other]) { first, _ in first }
    let words = ["/bin/sh", "-c", "exit 9"]
    #expect(
      failure(of: signer(.command(words: words, key: nil)), keys: both)
        == "the role has 2 keys; say which by 'key' beside 'command'")
    #expect(
      failure(of: signer(.command(words: words, key: other.id)), keys: both)
        == "it ended with status 9")
    let foreign = signer(.command(words: words, key: other.id))
    #expect(
      failure(of: foreign) == "its key \(other.id) is none of the role 'release'", "it is not run")
    #expect(
      failure(of: signer(.command(words: ["absent-program"], key: nil)))
        == "there is no such program")
  }

  // MARK: Secrets

  @Test func showsNoSecret() throws {
    let pem = key.pem.split(separator: "\n")[1]
    var dumped = ""
    dump(key, to: &dumped)
    for text in [dumped, "\(key)", String(reflecting: key), String(describing: [key])] {
      #expect(!text.contains(pem.suffix(20)) && !text.contains("seed"), "\(text)")
    }
  }
}
