import ContentModel
import ContentReleases
import PropertyLists
import Testing

@testable import TestCommands

/// The commands that sign drafts: what they show, and what they refuse to sign.
@Suite struct SignCommandTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

  private var words: [String] {
    ["sign", "draft", "--expect", hash(), "--with", "secrets/ann.pem"]
  }

  /// The files of the draft, which a refusal leaves as they are.
  private var files: [[UInt8]] { sandbox.tree("draft").map(\.bytes) }

  // MARK: Words

  @Test func showsInWordsWhatEachRoleSigns() throws {
    try publish()
    try edit("Second")
    let draft = try draft(["publish", "qa", "--message", "Spring", "--by", "Ann"])?["draft"]
    let done = try run(words, status: 0)
    for text in [
      "Role 'release' signs: config \(draft?["config"]?.text ?? "")",
      "qa of the app shop", "2, after 1, of \(draft?["issued"]?.text ?? "")",
      ", by Ann: Spring", "purges       none", "maintenance  off",
      "Role 'fresh' signs: this release is the newest one",
      draft?["expires"]?.text ?? "", "'publish' on the drafting machine said:", "product/rose",
    ] {
      #expect(done.errors.contains(text), "\(text): \(done.errors)")
    }
    #expect(done.output.contains("Signed release 2 of 'qa' in draft"), "\(done.output)")
    #expect(done.output.contains("lacks 1 of 2 signatures for the role 'release', by"))
    #expect(done.output.contains("contentc sign draft --expect \(hash()) --with KEY"))
    try sign(by: ["bob"])
    let complete = try run(words, status: 0)
    #expect(complete.output.contains("next     contentc sign import draft"), "\(complete.output)")
  }

  @Test func showsTheNextContentOfARollout() throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa", "--to", "10%", "--tester", "Ada"])
    let done = try run(words, status: 0)
    #expect(
      done.errors.contains(
        "rollout      r2: next content of release 2 for 10 % of the readers and 1 tester\n"),
      "\(done.errors)")
  }

  @Test func showsWhatAPurgeAndAMaintenanceMean() throws {
    try publish()
    try draft(["purge", "--channel", "qa", "product/rose", "--reason", "x"])
    let purge = try run(words, status: 0)
    #expect(purge.errors.contains("purges       up to 1"), "\(purge.errors)")
    #expect(purge.errors.contains("hides      product/rose"), "\(purge.errors)")
    #expect(purge.errors.contains("work       x: removes "), "\(purge.errors)")
    try sandbox.shell("rm -r draft")
    try draft(["maintenance", "on", "qa", "--until", "2099-01-01T00:00:00Z"])
    let maintenance = try run(words, status: 0)
    #expect(
      maintenance.errors.contains("maintenance  on until 2099-01-01T00:00:00Z"),
      "\(maintenance.errors)")
    try sandbox.shell("rm -r draft")
    try draft(["resign", "qa"])
    let resign = try run(words, status: 0)
    #expect(resign.errors.contains("1, which is live"), "\(resign.errors)")
    #expect(resign.output.contains("new signatures of release 1"), "\(resign.output)")
  }

  // MARK: Refusing

  @Test func signsOnlyTheExpectedDraft() throws {
    try draft(["publish", "qa"])
    let before = files
    let other = String(repeating: "0", count: 64)
    try run(
      ["sign", "draft", "--with", "secrets/ann.pem", "--expect", other], status: 1,
      says: "its SHA-256 is \(hash()), and --expect has")
    #expect(files == before)
    try run(words, status: 0)
    #expect(files != before)
  }

  /// Changes a file of the draft, and its hash in 'draft.json', as somebody on the way could.
  private func change(_ name: String, _ old: String, to new: String) throws {
    let bytes = try #require(sandbox.read("draft/\(name)"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(old), "\(name): \(text)")
    let changed = text.replacing(old, with: new)
    try sandbox.write("draft/\(name)", changed)
    if name == "draft.json" { return }
    try change(
      "draft.json", Digest(of: bytes).hex, to: Digest(of: Array(changed.utf8)).hex)
  }

  /// A person who expects the hash of a changed draft does not sign it either.
  @Test(arguments: [
    ("statements/fresh.json", "\"format\":1", "\"format\":1,\"from\":\"x\"", "other members"),
    ("statements/fresh.json", "\"app\":\"shop\"", "\"app\":\"other\"", "another release"),
    ("statements/release.json", "\"channel\":\"qa\"", "\"channel\":\"live\"", "another release"),
    ("statements/release.json", "\"release\":2", "\"release\":1125899906842624", "another release"),
    ("draft.json", "\"release\":1}", "\"release\":2}", "does not follow"),
    ("draft.json", "\"release\":1}", "\"release\":3}", "is not above release 3"),
    ("draft.json", "\"format\":1", "\"format\":2", "was written by a newer contentc (format 2)"),
    ("draft.json", "\"format\":1", "\"format\":1,\"gift\":1", "other bytes"),
  ])
  func refusesChangedDrafts(name: String, old: String, new: String, reason: String) throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    try change(name, old, to: new)
    let before = files
    try run(words, status: 1, says: reason)
    #expect(files == before)
  }

  @Test func refusesANumberFarAhead() throws {
    try publish()
    try draft(["publish", "qa", "--above", "1000000"])
    try run(words, status: 0)
    try change("draft.json", "\"release\":1}", to: "\"release\":0}")
    try run(words, status: 1, says: "is above release 0 by more than 1000000")
  }

  /// Others may have changed the end on the way, so that readers would accept the release for years.
  @Test func refusesALongTime() throws {
    let draft = try draft(["publish", "qa"])?["draft"]
    let expires = try #require(draft?["expires"]?.text)
    let later = try #require(Instant(rfc3339: expires)).advanced(by: .days(66)).rfc3339
    try change("statements/fresh.json", expires, to: later)
    let before = files
    try run(words, status: 1, says: "until \(later), for longer than 60d")
    try run(
      ["sign", "export", "draft", "--expect", hash(), "--to", "exported"], status: 1,
      says: "for longer than 60d")
    #expect(files == before && sandbox.files(below: "exported").isEmpty)
    try run(words + ["--valid-for", "80d"], status: 0)
  }

  /// A changed time would let readers accept the release for decades.
  @Test func refusesATimeInTheFuture() throws {
    let draft = try draft(["publish", "qa"])?["draft"]
    for (old, new) in [
      (try #require(draft?["issued"]?.text), "2098-01-01T00:00:00Z"),
      (try #require(draft?["expires"]?.text), "2098-01-15T00:00:00Z"),
    ] {
      try change("statements/fresh.json", old, to: new)
    }
    let before = files
    try run(words, status: 69, says: "is more than a day ahead of this machine's clock")
    #expect(files == before)
  }

  // MARK: Other programs

  /// openssl signs what was exported, and its signatures are added.
  @Test func otherProgramsSignWhatWasExported() throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    let done = try run(
      ["sign", "export", "draft", "--expect", hash(), "--to", "messages"], status: 0)
    #expect(done.errors.contains("Role 'release' signs"), "\(done.errors)")
    #expect(
      sandbox.files(below: "messages").sorted()
        == ["messages/fresh.message", "messages/release.message"])
    let document = try PropertyList.decode(try #require(sandbox.read("draft/keys.json"))).value
    let body = try PropertyList.decode(Array((document["body"]?.text ?? "").utf8)).value
    func id(_ name: String) throws -> String {
      try #require(body["keys"]?.members?.first { $0.value["name"]?.text == name }?.key)
    }
    for (key, name) in [("ann", "Ann"), ("bob", "Bob")] {
      try sandbox.shell(
        "openssl pkeyutl -sign -inkey secrets/\(key).pem -rawin -in messages/release.message "
          + "-out \(key).signature")
      let add = ["sign", "add", "draft", "--key", try id(name)]
      try run(add + ["messages/release.message"], status: 1, says: "not the 64 of a signature")
      if key == "bob" {
        try run(add + ["ann.signature"], status: 1, says: "it is no signature by the key")
        try sandbox.shell("base64 bob.signature > text && mv text bob.signature")
      }
      try run(add + ["\(key).signature"], status: 0)
      try run(add + ["\(key).signature"], status: 1, says: "or the draft has it already")
    }
    try run(
      ["sign", "add", "draft", "--key", "0123456789abcdef", "ann.signature"], status: 1,
      says: "is none of the roles 'release' and 'fresh'")
    try importDraft()
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }
}
