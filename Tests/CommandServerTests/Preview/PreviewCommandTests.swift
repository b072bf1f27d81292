import ContentModel
import PropertyLists
import SystemC
import TestInputs
import TestServers
import Testing

@testable import TestCommands

/// `contentc preview` from start to end.
@Suite("contentc preview") struct PreviewCommandTests {
  @Test(.timeLimit(.minutes(2)), arguments: [SIGINT, SIGTERM])
  func showsEditsAndMistakesAndEndsOnASignal(signal: Int32) async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try await Threads.runApart {
      let preview = try RunningPreview(sandbox)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))

      try Self.expectSizes(try preview.get("/api/sizes"), of: sandbox)
      let path = "content/entries/product/country-charm.yaml"
      let text = String(decoding: sandbox.read(path) ?? [], as: UTF8.self)
      try sandbox.write(path, text.replacing("Country Charm Basket", with: "Basket of Charm"))
      #expect(events.next(isGood: true))
      let latest = "/preview/latest/en/phone/catalog.plist"
      #expect(try preview.get(latest).contains("Basket of Charm"))

      try sandbox.write(path, text.replacing("price", with: "prise"))
      #expect(events.next(isGood: false))
      #expect(try preview.get(latest).contains("Basket of Charm"))
      #expect(try preview.get("/api/state").contains("unknown field 'prise'"))
      #expect(preview.reports("country-charm.yaml:"))

      try sandbox.write(path, text)
      #expect(events.next(isGood: true))
      #expect(try preview.get(latest).contains("Country Charm Basket"))
      let explained = try preview.get(
        "/api/explain?entry=product/country-charm&locale=fr-CA&device=ipad")
      let reported = try sandbox.run(
        "explain", "product/country-charm", "--locale", "fr-CA", "--device", "ipad", "--json")
      #expect(explained.hasSuffix(reported.output))
      let covered = try preview.get("/api/coverage?locale=fr-CA").replacing(
        #/"generation":[0-9]+,/#, with: "")
      let coverage = try sandbox.run("coverage", "--locale", "fr-CA", "--json")
      // A page has no exit status.
      let expected = coverage.output.replacing(#/"exitStatus":0,/#, with: "")
      #expect(covered.hasSuffix(expected))
      #expect(preview.end(signal) == 0)
      #expect(preview.output == preview.address + "\n")
    }
  }

  @Test(.timeLimit(.minutes(5))) func printsItsAddressAsJSONOnRequest() async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try await Threads.runApart {
      let process = try sandbox.start(
        Sandbox.binary, ["preview", "--port", "0", "--json"], output: "\(sandbox.root)/output",
        errors: "\(sandbox.root)/errors")
      for _ in 0..<3_000 where sandbox.read("output")?.last != UInt8(ascii: "\n") { usleep(10_000) }
      kill(process, SIGINT)
      #expect(Sandbox.wait(for: process) == 0)
      let output = sandbox.read("output") ?? []
      DeclaredKeys.expect(in: output, of: ["preview", "--json"])
      let result = try PropertyList.decode(output, as: .json).value
      #expect(result["url"].text == "http://127.0.0.1:\(result["port"]?.number ?? 0)/")
      #expect(result["ok"] == true && result["exitStatus"] == 0 && result["network"].items == [])
    }
  }

  /// Compares an answer of `/api/sizes` with the files that it describes.
  private static func expectSizes(_ answer: String, of sandbox: Sandbox) throws {
    let body = answer.split(separator: "\r\n").last ?? ""
    let sizes = try PropertyList.decode(Array(body.utf8), as: .json).value
    let contexts = try #require(sizes["contexts"].items)
    #expect(contexts.count == 16)
    for bundle in contexts.compactMap({ $0["bundles"].items }).joined() where bundle["split"] == nil
    {
      let hex = try #require(bundle["object"].text)
      let file = "out/objects/\(hex.prefix(2))/\(hex).plist"
      let plain = try #require(sandbox.read(file)?.count)
      #expect(bundle["bytes"] == .integer(Int64(plain)) && bundle["startup"] == true)
      #expect(bundle["gzip"] == .integer(Int64(sandbox.read("\(file).gz")?.count ?? plain)))
    }
    #expect(sizes["largest"].items?.map { $0["entry"].text } == ["product/country-charm"])
  }

  @Test(.timeLimit(.minutes(2))) func showsContentWhenItsEmbargoEnds() async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.shell(
      """
      sed -i "s/height: 30}/height: 30, when: {from: $(date -u -d '+6 seconds' +%FT%TZ), embargo: true}}/" \
        content/entries/product/country-charm.yaml
      """)
    try await Threads.runApart {
      let preview = try RunningPreview(sandbox)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      let before = sandbox.read("out/build.plist")
      #expect(before != nil)
      // No file is saved.
      for _ in 0..<300 where sandbox.read("out/build.plist") == before { usleep(100_000) }
      #expect(sandbox.read("out/build.plist") != before)
      #expect(preview.end(SIGTERM) == 0)
      let built = try sandbox.run("build", "--json")
      #expect(built.output.contains("\"objectsWritten\":0"))
    }
  }

  @Test(
    .timeLimit(.minutes(2)),
    .enabled("this system has limits for each namespace") { try Self.hasNamespaces },
    arguments: [("watches", 3), ("instances", 0)])
  func noticesEditsDespiteTheKernelsWatchLimit(thing: String, limit: Int) async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try await Threads.runApart {
      let setting = "user.max_inotify_\(thing)"
      let limited = [
        "-Ur", "/bin/sh", "-c",
        "echo \(limit) > /proc/sys/\(setting.replacing(".", with: "/")) && exec \"$0\" \"$@\"",
      ]
      let preview = try RunningPreview(sandbox, through: "/usr/bin/unshare", limited)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      #expect(preview.errors.contains("note: changes are looked for once a second"))
      // Other programs may have used up the shared limit.
      let isOther = thing == "watches" && preview.errors.contains("max_user_instances")
      #expect(
        isOther || preview.errors.contains("\(setting) is \(limit); 'sudo sysctl \(setting)="))
      try sandbox.write("content/entries/product/rose.fr.yaml", "titel: Rose\n")
      #expect(events.next(isGood: false))
      try sandbox.write("content/entries/product/rose.fr.yaml", "title: La rose\n")
      #expect(events.next(isGood: true))
      usleep(2_500_000)
      // A read of the folder must not count as a change.
      #expect(preview.errors.contains("3: built") && !preview.errors.contains("4: built"))
      #expect(preview.errors.split(separator: "note:").count == 2)
      #expect(preview.end(SIGTERM) == 0)
    }
  }

  private static var hasNamespaces: Bool {
    get throws {
      try Sandbox().run(
        "/usr/bin/unshare", ["-Ur", "/bin/sh", "-c", "echo 3 > /proc/sys/user/max_inotify_watches"]
      )
      .status == 0
    }
  }

  @Test(
    "leaves a folder that the next build accepts and repairs", .timeLimit(.minutes(2)),
    arguments: [
      "touch out/preview/latest/fr/phone/stray", "rm out/preview/latest/fr/phone/all.plist",
      "f=$(ls out/objects/*/*.plist | head -1); printf X > $f", "rm out/objects/*/*.plist.gz",
    ])
  func leavesAFolderThatTheNextBuildRepairs(damage: String) async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try await Threads.runApart {
      let preview = try RunningPreview(sandbox)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      usleep(700_000)
      try sandbox.shell(damage)
      try sandbox.write("content/entries/product/rose.fr.yaml", "title: Une rose\n")
      #expect(events.next(isGood: true))
      usleep(1_500_000)
      #expect(preview.end(SIGTERM) == 0)
      #expect(try sandbox.run("build", "--quiet").status == 0)
      _ = try sandbox.run("build", "--out", "fresh", "--fresh")
      #expect(sandbox.isSame("out", "fresh"))
    }
  }

  @Test(.timeLimit(.minutes(2))) func servesABuildThatItCanOnlyWriteLater() async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try await Threads.runApart {
      let preview = try RunningPreview(sandbox)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      usleep(700_000)
      // Even the superuser cannot create a file in a file.
      try sandbox.shell("mv out/preview/latest/fr aside && touch out/preview/latest/fr")
      try sandbox.write("content/entries/product/rose.fr.yaml", "title: Une rose\n")
      #expect(events.next("\"written\":false"))
      let latest = try preview.get("/preview/latest/fr/phone/all.plist")
      #expect(latest.contains("Une rose"))
      usleep(2_500_000)
      #expect(try preview.get("/api/state").contains(#""writing":{"message":"cannot "#))
      #expect(preview.errors.split(separator: "not written").count == 2, "\(preview.errors)")

      try sandbox.shell("rm out/preview/latest/fr && mv aside out/preview/latest/fr")
      #expect(events.next("\"written\":true"))
      #expect(preview.errors.contains("note: saved edits are written now"))
      #expect(try preview.get("/api/state").contains(#""writing":{"ok":true}"#))
      _ = try sandbox.run("build", "--out", "fresh", "--fresh")
      #expect(sandbox.isSame("out", "fresh"))
      #expect(preview.end(SIGTERM) == 0)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func writesTheSameFilesAsABuild() async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try await Threads.runApart {
      let preview = try RunningPreview(sandbox)
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      for (number, edit) in Self.edits.enumerated() {
        try edit(sandbox)
        // Some edits follow before the build is written, or before there is a build.
        if number == Self.mistake || (number % 3 == 1 && number + 1 < Self.edits.count) { continue }
        let built = try sandbox.run("build", "--out", "fresh\(number)", "--fresh")
        #expect(built.status == 0)
        for _ in 0..<100 where !sandbox.isSame("out", "fresh\(number)") { usleep(100_000) }
        #expect(sandbox.isSame("out", "fresh\(number)"))
      }
      #expect(preview.end(SIGTERM) == 0)
      let built = try sandbox.run("build", "--out", "last", "--fresh")
      #expect(built.status == 0)
      #expect(sandbox.isSame("out", "last"))
      let after = try sandbox.run("build", "--json")
      #expect(after.output.contains("\"objectsWritten\":0"))
    }
  }

  /// The index of the edit that breaks the build.
  private static let mistake = 4
  private static let edits: [@Sendable (Sandbox) throws -> Void] = [
    {
      try $0.write(
        "content/entries/product/rose.yaml",
        "title: Rosa\nprice: 3\npicture: rose.bin\nnext: product/lily\n")
    },
    { sandbox in
      try sandbox.write("content/entries/product/.rose.fr.yaml", "title: Une rose\n")
      rename(
        "\(sandbox.root)/content/entries/product/.rose.fr.yaml",
        "\(sandbox.root)/content/entries/product/rose.fr.yaml")
    },
    { sandbox in
      // vim saves a file in this way.
      let path = "\(sandbox.root)/content/entries/product/rose@phone.yaml"
      rename(path, "\(path)~")
      try sandbox.write("content/entries/product/rose@phone.yaml", "note: On a phone\n")
      unlink("\(path)~")
    },
    { try $0.write("content/strings/app.fr.yaml", "fr: {hello: Salut}\n") },
    { try $0.write("content/entries/product/rose.fr.yaml", "titel: Rose\n") },
    { try $0.write("content/entries/product/rose.fr.yaml", "title: La rose\n") },
    { try $0.write("content/entries/product/iris.yaml", "title: Iris\nprice: 1\n") },
    { try $0.write("content/entries/product/iris.yaml", "title: Irises\nprice: 2\n") },
    { sandbox in unlink("\(sandbox.root)/content/entries/product/iris.yaml") },
    { try $0.write("content/assets/rose.bin", "another rose") },
    {
      try $0.write(
        "content/entries/product.de.yaml", "lily: {title: Die Lilie}\ntulip: {title: Tulpe}\n")
    },
  ]

  @Test(.timeLimit(.minutes(2)))
  func comparesTheBuildWithTheLiveReleases() async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nchannels: {qa: {target: site}, production: {target: live}}\nE"
    )
    try await Threads.runApart {
      let published = try sandbox.run("publish", "qa")
      #expect(published.status == 0)
      let preview = try RunningPreview(
        sandbox, ["--channel", "qa", "--channel", "production", "--channel", "qa"])
      let events = try preview.events()
      defer { events.close() }
      #expect(events.next(isGood: true))
      #expect(try preview.get("/api/state").contains(#""comparing":["qa","production"]"#))
      #expect(try preview.get("/api/changes?channel=qa").contains(#""entries":[]"#))

      let path = "content/entries/product/rose.yaml"
      let text = String(decoding: sandbox.read(path) ?? [], as: UTF8.self)
      try sandbox.write(path, text.replacing("Rose", with: "Rosa"))
      #expect(events.next(isGood: true))
      // Events on connecting may be repeated, so this may still be the first build.
      var changes = try preview.json("/api/changes?channel=qa")
      for _ in 0..<100 where changes["entries"].items?.isEmpty ?? true {
        usleep(50_000)
        changes = try preview.json("/api/changes?channel=qa")
      }
      // The diff needs another output folder, because the preview may hold `out`.
      let diff = try sandbox.run("diff", "qa", "--json", "--out", "elsewhere")
      guard
        case .dictionary(var reported) = try PropertyList.decode(Array(diff.output.utf8), as: .json)
          .value
      else {
        throw Problem("there is no diff: \(diff.errors)")
      }
      #expect(Value.dictionary(reported)["entries"][0]["fields"][0]["new"] == "Rosa")
      (reported["channel"], reported["release"], reported["generation"]) = (
        "qa", 1, changes["generation"]
      )
      let status = try sandbox.run("status", "qa", "--json")
      let known = try PropertyList.decode(Array(status.output.utf8), as: .json).value
      for key in ["of", "issued"] { reported[key] = known["channels"]["qa"][key] }
      // The diff also has the channel's addresses, which no reader sees.
      reported["settings"] = nil
      #expect(changes == .dictionary(reported))
      #expect(try preview.get("/api/changes?channel=production").contains(#""kind":"added""#))

      #expect(
        try preview.body("/channels/qa/qa/config.plist") == sandbox.read("site/qa/config.plist"))
      let live = try #require(sandbox.tree("site/objects").first { $0.path.hasSuffix(".plist") })
      #expect(try preview.body("/channels/qa/\(live.path.dropFirst(5))") == live.bytes)
      // The live release does not contain objects of the build alone.
      let names = Set(sandbox.tree("site/objects").map { String($0.path.dropFirst(5)) })
      let own = sandbox.tree("elsewhere/objects").map { String($0.path.dropFirst(10)) }
      let new = try #require(own.first { $0.hasSuffix(".plist") && !names.contains($0) })
      #expect(try preview.get("/channels/qa/\(new)").hasPrefix("HTTP/1.1 404"))
      #expect(
        try preview.get("/channels/production/production/config.plist").hasPrefix("HTTP/1.1 404"))
      #expect(preview.end(SIGTERM) == 0)
    }
  }

  @Test func suggestsTheNearestChannel() async throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell("printf '\nchannels: {qa: {target: site}}\n' >> content/content.yaml")
    try await Threads.runApart {
      let outcome = try sandbox.run("preview", "--channel", "QA")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("unknown channel 'QA'; did you mean 'qa'?"))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func reportsAPortInUse() async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let taken = try Socket.listening()
    defer { taken.close() }
    try await Threads.runApart {
      let outcome = try sandbox.run("preview", "--port", "\(taken.port)")
      #expect(outcome.status == 69)
      #expect(
        outcome.errors.contains(
          "error: port \(taken.port) is used by another program [port-taken]"))
      #expect(outcome.errors.contains("--port 0"))
      #expect(outcome.output == "")
    }
  }

  @Test(arguments: [["--port", "70000"], ["--port", "x"], ["--port", "-1"]])
  func refusesInvalidPorts(flags: [String]) async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try await Threads.runApart {
      let outcome = try sandbox.run(Sandbox.binary, ["preview"] + flags)
      #expect(outcome.status == 64)
    }
  }

  @Test(arguments: [(["--editor", "vim"], "--editor"), ([], "CONTENTC_EDITOR")])
  func refusesAnUnknownEditor(flags: [String], origin: String) async throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try await Threads.runApart {
      let outcome = try sandbox.run(
        Sandbox.binary, ["preview", "--port", "0"] + flags,
        environment: ["CONTENTC_EDITOR=javascript:{path}"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("error: \(origin) is not a known editor"))
      #expect(outcome.errors.contains("type one of vscode, "))
    }
  }

  @Test func reportsMissingContent() async throws {
    let sandbox = try Sandbox()
    try await Threads.runApart {
      let outcome = try sandbox.run("preview")
      #expect(outcome.status == 66)
    }
  }
}

extension Sandbox {
  /// Returns `true` if two folders hold the same files.
  fileprivate func isSame(_ a: String, _ b: String) -> Bool {
    let (first, second) = (tree(a), tree(b))
    return first.map { $0.path.dropFirst(a.utf8.count) }
      == second.map { $0.path.dropFirst(b.utf8.count) }
      && first.map(\.bytes) == second.map(\.bytes)
  }
}
