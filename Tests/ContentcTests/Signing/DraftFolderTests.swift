import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Drafts that are damaged or misused, and the signers of a machine.
@Suite struct DraftFolderTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

  // MARK: Damage

  /// Every file, changed in many places, cut, emptied, removed, or replaced by something else.
  @Test func refusesDamagedFolders() throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    try sign()
    try sandbox.shell("cp -R draft whole")
    let before = state
    let names = sandbox.files(below: "draft").map { String($0.dropFirst("draft/".count)) }.sorted()
    let fixed = [
      "config", "draft.json", "keys.json", "record", "statements/fresh.json",
      "statements/release.json",
    ]
    #expect(names.filter { !$0.hasPrefix("objects/") && !$0.hasPrefix("signatures/") } == fixed)
    #expect(names.count { $0.hasPrefix("signatures/") } == 3)
    func refuse(_ what: String) throws {
      let outcome = try sandbox.run(
        Sandbox.binary, ["sign", "import", "draft"],
        environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect([1, 64, 66, 69, 74, 75].contains(outcome.status), "\(what): \(outcome)")
      #expect(outcome.errors.contains("draft"), "\(what): \(outcome.errors)")
      #expect(state == before, "\(what)")
      try sandbox.shell("rm -rf draft && cp -R whole draft")
    }
    // Compressed copies are left out if they are damaged.
    for name in names where !name.hasSuffix(".gz") {
      let bytes = try #require(sandbox.read("whole/\(name)"))
      // The texts in draft.json are for those who sign: no signature proves them.
      for part in 0..<7 where name != "draft.json" {
        var changed = bytes
        let place = part == 6 ? bytes.count - 1 : part * bytes.count / 6
        changed[place] ^= UInt8(1 << (part % 7))
        try sandbox.write("draft/\(name)", bytes: changed)
        try refuse("\(name), byte \(place)")
      }
      for count in [0, bytes.count / 2, bytes.count - 1] {
        try sandbox.write("draft/\(name)", bytes: Array(bytes.prefix(count)))
        try refuse("\(name) cut to \(count)")
      }
      try sandbox.write("draft/\(name)", bytes: bytes + bytes)
      try refuse("\(name) twice")
      for change in [
        "rm draft/\(name)", "rm draft/\(name) && mkdir draft/\(name)",
        "rm draft/\(name) && mkfifo draft/\(name)", "truncate -s 3G draft/\(name)",
        "mv draft/\(name) other && ln -s ../../../../other draft/\(name)",
      ] {
        try sandbox.shell(change)
        try refuse(change)
      }
    }
    try sandbox.shell("rm -r draft")
    try refuse("no folder")
    try sandbox.shell("rm -r draft && touch draft")
    try refuse("a file")
    // Other files, such as those of a file manager, are not read.
    try sandbox.write("draft/.DS_Store", "x")
    try importDraft()
  }

  /// A link in the folder would lead the signatures elsewhere.
  @Test func writesNothingOutsideOfTheFolder() throws {
    try draft(["publish", "qa"])
    try sandbox.shell(
      "mkdir elsewhere && rm -r draft/signatures && ln -s ../elsewhere draft/signatures")
    try run(
      ["sign", "draft", "--expect", hash(), "--with", "secrets/ann.pem"], status: 1,
      says: "it is no folder")
    #expect(sandbox.files(below: "elsewhere").isEmpty)
  }

  // MARK: Mistakes

  @Test func refusesWhatHasNoMeaning() throws {
    try publish()
    try sandbox.shell("mkdir full empty && touch full/x")
    try edit("Second")
    let other = String(repeating: "0", count: 64)
    let cases: [([String], Int32, String)] = [
      (["publish", "open", "--draft", "a"], 64, "and 'open' is not signed"),
      (["publish", "qa", "--draft", "a", "--dry-run"], 64, "--dry-run cannot be combined"),
      (["publish", "qa", "--draft", "full"], 64, "the folder has files already"),
      (["publish", "qa", "--draft", "site/a"], 64, "which are public"),
      (["publish", "qa", "--draft", "content/a"], 64, "which are public"),
      (["publish", "qa", "--draft", "none/a"], 74, "none/a"),
      (["maintenance", "status", "--draft", "a"], 64, "needs 'maintenance on' or 'off'"),
      (["sign", "import", "a"], 66, "does not exist"),
      (["sign", "a", "--expect", other], 66, "does not exist"),
      (["sign", "a"], 64, "--expect"), (["sign", "a", "--expect", "0"], 64, "64 hexadecimal"),
      (["sign", "export", "a", "--expect", other], 64, "--to"),
      (["sign", "add", "a", "x", "--key", "0"], 64, "16 hexadecimal digits"),
      (["sign"], 64, "folder"),
      (["publish", "qa", "--prepare", "a"], 64, "--prepare is now --draft a"),
      (["purge", "qa", "--signatures", "a"], 64, "contentc sign import a"),
      (["keys", "sign", "--prepared", "a"], 64, "contentc sign FOLDER --expect HASH"),
    ]
    for (words, status, text) in cases { try run(words, status: status, says: text) }
    #expect(sandbox.read("site/a") == nil && sandbox.files(below: "a").isEmpty)
    try run(["publish", "qa", "--draft", "empty"], status: 0)
    try run(
      ["sign", "empty", "--expect", hash("empty"), "--with", "secrets/root.pem"], status: 69,
      says: "no signer of this machine adds a signature")
    try run(["publish", "qa"], status: 69, says: "--draft FOLDER")
  }

  @Test func writesNoSecret() throws {
    try draft(["publish", "qa"])
    try sign()
    for key in ["ann", "bob", "job"] {
      let secret = String(decoding: sandbox.read("secrets/\(key).pem") ?? [], as: UTF8.self)
        .split(separator: "\n")[1].suffix(40)
      for file in sandbox.tree("draft") {
        #expect(!String(decoding: file.bytes, as: UTF8.self).contains(secret), "\(file.path)")
      }
    }
  }

  // MARK: Signers at hand

  @Test func saysWhichSignersAnswer() throws {
    try publish()
    try shop.writeSettings([("qa", "release", "ann"), ("qa", "fresh", "absent")])
    let status = try run(["status", "qa"], status: 0).output
    #expect(status.contains("signers  release 1 of 2 here: "), "\(status)")
    #expect(status.contains(" Ann"), "\(status)")
    #expect(status.contains("signers  fresh 0 of 1 here"), "\(status)")
    #expect(status.contains("settings.yaml:3: "), "\(status)")
    let all = try sandbox.run(
      Sandbox.binary, ["status"],
      environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(all.output.contains("release") && !all.output.contains("signers"), "\(all)")
    let json = try shop.succeed("status", "qa", "--json")
    let signers = json?["channels"]?["qa"]?["signing"]?["signers"]
    #expect(signers?["release"]?["threshold"] == 2 && signers?["release"]?["isMet"] == false)
    #expect(signers?["release"]?["keys"]?.items?.count == 1)
    #expect(signers?["fresh"]?["problems"]?.items?.count == 1)
    let purge = [
      "purge", "--channel", "qa", "product/rose", "--reason", "x", "--dry-run",
    ]
    let dry = try run(
      purge, status: 0, says: "give 1 of 2 signatures for the role 'release'")
    #expect(dry.output.contains("signers  release 1 of 2 here"), "\(dry.output)")
    let dryJSON = try run(purge + ["--json"], status: 0).output
    let dryValue = try PropertyList.decode(Array(dryJSON.utf8)).value
    #expect(dryValue["signers"]?["release"]?["isMet"] == false)
    try shop.writeSettings([
      ("qa", "release", "ann"), ("qa", "release", "bob"), ("qa", "fresh", "job"),
    ])
    let met = try run(purge, status: 0)
    #expect(met.output.contains("signers  release 2 of 2 here"), "\(met.output)")
    #expect(!met.errors.contains("signatures for the role"), "\(met.errors)")
  }
}
