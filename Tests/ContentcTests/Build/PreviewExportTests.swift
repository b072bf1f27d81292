import ContentModel
import PropertyLists
import SharedGzip
import SiteFormat
import Testing

@testable import ContentPreview
@testable import TestCommands

/// The files that `contentc preview --export` writes.
///
/// `check_export.py` opens an export in a browser.
@Suite struct PreviewExportTests {
  private static let moment = ["--at", "2026-12-01T12:00:00Z"]

  private func export(_ sandbox: Sandbox, _ words: String...) throws -> Value? {
    try sandbox.succeed(["preview", "--export", "site"] + Self.moment + words + ["--json"])
  }

  /// Returns the answer to a question of the page.
  private func answer(
    _ name: String, _ parameters: [(name: String, value: String)] = [], in sandbox: Sandbox
  ) throws -> Value {
    let path = ExportedAnswer.path(name, parameters)
    let packed = try #require(sandbox.read("site/\(path)"), "\(name)")
    return try PropertyList.decode(try Gzip.decompress(packed, limit: 1 << 24), as: .json).value
  }

  /// Returns the files of the export as texts; compressed files are decompressed.
  private static func texts(in sandbox: Sandbox) throws -> [(path: String, text: String)] {
    try sandbox.tree("site").map { path, bytes in
      let isPacked = path.hasSuffix(".bin")
      let plain = isPacked ? try Gzip.decompress(bytes, limit: 1 << 24) : bytes
      return (path, String(decoding: plain, as: UTF8.self))
    }
  }

  @Test func answersWhatThePageAsksAboutEachReader() throws {
    let sandbox = try Sandbox(EditingShop.files)
    let result = try export(sandbox, "--locale", "fr", "--device", "phone", "--country", "FR")
    #expect(result?["folder"] == "site" && result?["readers"] == 2)
    let files = sandbox.tree("site")
    #expect(result?["files"]?.number == files.count)
    #expect(result?["bytes"]?.number == files.reduce(0) { $0 + $1.bytes.count })
    let state = try sandbox.value("site/export.json")
    #expect(state["exported"]["at"] == "2026-12-01T12:00:00Z")
    #expect(state["locales"].items?.map { $0["tag"].text } == ["fr"])
    #expect(state["devices"].items?.map { $0["name"].text } == ["phone"])
    #expect(state["countries"] == ["FR"] && state["arguments"] == nil && state["editor"] == nil)
    for country in ["", "FR"] {
      let reader: [(name: String, value: String)] = [
        ("locale", "fr"), ("device", "phone"), ("country", country),
      ]
      let explained = try answer("explain", reader + [("datatype", "product")], in: sandbox)
      #expect(explained["entries"]?.members?.isEmpty == false)
      _ = try answer("fallbacks", reader, in: sandbox)
    }
    for name in ["coverage", "schedule", "sizes", "translations"] {
      _ = try answer(name, in: sandbox)
    }
    let translations = try answer("translations", [("locale", "fr")], in: sandbox)
    #expect(translations["targets"] == ["fr"] && translations["isEditable"] == false)
    #expect(translations["units"].items?.isEmpty == false && translations["token"] == nil)
  }

  @Test func writesTheSameBytesAgain() throws {
    let sandbox = try Sandbox(EditingShop.files)
    _ = try export(sandbox)
    let first = sandbox.tree("site")
    #expect(!first.isEmpty)
    try sandbox.shell("rm -rf out .contentc content/.contentc")
    _ = try export(sandbox)
    #expect(sandbox.tree("site").elementsEqual(first) { $0 == $1 })
    // The path in `--content` does not change the export.
    _ = try export(sandbox, "--content", "\(sandbox.root)/content", "--out", "out")
    #expect(sandbox.tree("site").elementsEqual(first) { $0 == $1 })
  }

  @Test func namesNoPathOfTheMachine() throws {
    let sandbox = try Sandbox(EditingShop.files)
    // A datatype without entries causes a warning, which names its file.
    try sandbox.write("content/datatypes/unused.yaml", "fields: {title: {type: string}}\n")
    _ = try export(sandbox, "--content", "\(sandbox.root)/content", "--out", "out")
    for file in try Self.texts(in: sandbox) {
      #expect(!file.text.contains(sandbox.root), "\(file.path)")
    }
  }

  @Test func comparesWithAnotherContentFolder() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell("mkdir main && cp -r content main/")
    try sandbox.shell(
      "sed -i 's/title: .*/title: Another title/' content/entries/product/rose.yaml")
    _ = try export(sandbox, "--base", "main/content", "--label", "1f2e3d")
    let state = try sandbox.value("site/export.json")
    #expect(state["exported"]["label"] == "1f2e3d" && state["exported"]["base"] == "base")
    let changes = try answer("changes", [("channel", "base")], in: sandbox)
    let fields = (changes["entries"].items ?? []).flatMap { $0["fields"].items ?? [] }
    #expect(fields.contains { $0["new"] == "Another title" })
    #expect(sandbox.read("site/channels/base/config.plist") != nil)
  }

  @Test func comparesWithBothSidesOfARollout() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell("printf 'channels: {qa: {target: live}}\\n' >> content/content.yaml")
    _ = try sandbox.succeed(["publish", "qa", "--json"])
    try sandbox.shell(
      "sed -i 's/title: .*/title: Another title/' content/entries/product/rose.yaml")
    _ = try sandbox.succeed(["publish", "qa", "--to", "10%", "--json"])
    _ = try export(sandbox, "qa")
    for (rollout, side, isChanged) in [("", "stable", true), ("next", "next", false)] {
      let changes = try answer(
        "changes", [("channel", "qa"), ("rollout", rollout)], in: sandbox)
      #expect(changes["side"]?.text == side)
      #expect(changes["release"] == 2 && changes["of"] == 1 && changes["issued"]?.text != nil)
      #expect(changes["rollout"]?["name"] == "r2" && changes["rollout"]?["release"] == 2)
      let fields = (changes["entries"]?.items ?? []).flatMap { $0["fields"]?.items ?? [] }
      #expect(fields.contains { $0["new"] == "Another title" } == isChanged)
    }
    let config = try #require(sandbox.value("live/qa/config.plist").members)
    for side in [config.stableSide, try #require(config.nextSide)] {
      let index = try #require(side["indexes"]?["en"]?["phone"]?.digest)
      #expect(sandbox.read("site/\(index.objectPath(extension: "plist"))") != nil)
    }
  }

  /// Whoever can write to a target decides about the bytes of its config.
  @Test func writesNoStyleSheetOfAChannelsConfig() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "printf 'format: xml\\nchannels: {qa: {target: site}}\\n' >> content/content.yaml")
    _ = try sandbox.succeed(["publish", "qa", "--json"])
    try sandbox.shell(
      #"sed -i '1s/$/<?xml-stylesheet type="text\/xsl" href="evil.xsl"?>/' site/qa/config.plist"#)
    #expect(
      String(decoding: sandbox.read("site/qa/config.plist") ?? [], as: UTF8.self).contains("evil"))
    _ = try sandbox.succeed(
      ["preview", "qa", "--export", "export"] + Self.moment + ["--json"])
    let config = try #require(sandbox.read("export/channels/qa/config.plist"))
    #expect(!String(decoding: config, as: UTF8.self).contains("evil"))
  }

  @Test func leavesOutContentUnderEmbargo() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.write(
      "content/entries/product/secret.yaml",
      "title: Unheard-of\nprice: 1\npicture: hush.svg\nwhen: {from: 2030-01-01T00:00:00Z, embargo: true}\n"
    )
    // A picture whose scales do not fit causes a warning.
    for (scale, size) in [("", 4), ("@2x", 5)] {
      try sandbox.write(
        "content/assets/hush\(scale).svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='\(size)' height='\(size)'/>")
    }
    #expect(try sandbox.run("check").errors.contains("hush@2x.svg"))
    _ = try export(sandbox)
    // The shop has an entry `product/lilac` and a badge `deal` under embargo, too.
    for file in try Self.texts(in: sandbox) where file.path != "site/index.html" {
      for word in ["Unheard-of", "product/secret", "hush", "ilac", "Deal", "[deal]", ".deal"] {
        #expect(!file.text.contains(word), "\(word) in \(file.path)")
      }
    }
  }

  @Test func replacesOnlyAnEarlierExport() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.write("site/notes.txt", "mine")
    let refused = try sandbox.run("preview", "--export", "site")
    #expect(refused.status == 74 && refused.errors.contains("notes.txt"))
    #expect(sandbox.files(below: "site") == ["site/notes.txt"])
    try sandbox.shell("rm site/notes.txt")
    _ = try export(sandbox)
    _ = try export(sandbox, "--locale", "fr")
    try sandbox.write("site/api/notes.txt", "mine")
    #expect(try sandbox.run("preview", "--export", "site").status == 74)
    #expect(sandbox.read("site/api/notes.txt") != nil)
    // No temporary folder remains beside the export.
    #expect(!sandbox.folders().contains { $0.hasPrefix(".site") })
  }

  @Test func writesNothingForContentWithMistakes() throws {
    let sandbox = try Sandbox(EditingShop.files)
    _ = try export(sandbox)
    let before = sandbox.tree("site")
    try sandbox.write("content/entries/product/wrong.yaml", "titel: A mistake\n")
    let refused = try sandbox.run("preview", "--export", "site")
    #expect(refused.status == 1 && refused.errors.contains("titel"))
    #expect(sandbox.tree("site").elementsEqual(before) { $0 == $1 })
    let early = try sandbox.run("preview", "--export", "other")
    #expect(early.status == 1 && sandbox.files(below: "other").isEmpty)
  }

  @Test(
    arguments: [
      (["--locale", "fr"], "need --export"), (["--export", "site", "--lan"], "starts no server"),
      (["--export", "."], "needs a name"), (["--export", "content/site"], "outside the content"),
      (["--export", "./content//site"], "outside the content"),
      (["--export", "content/../out/site"], "outside the content"),
      (["--export", "site", "--locale", "frr"], "unknown locale 'frr'"),
      (["--export", "site", "--device", "phon"], "did you mean 'phone'"),
      (["--export", "site", "--country", "fr"], "did you mean FR"),
    ])
  func explainsMisuse(words: [String], message: String) throws {
    let sandbox = try Sandbox(EditingShop.files)
    let outcome = try sandbox.run(Sandbox.binary, ["preview"] + words)
    #expect(outcome.status == 64 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(sandbox.files(below: "site").isEmpty)
  }

  @Test func asksForAChoiceAmongManyReaders() throws {
    let sandbox = try Sandbox(EditingShop.files)
    let countries = ["AT", "BE", "CA", "CH", "CN", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IN"]
    let outcome = try sandbox.run(
      Sandbox.binary,
      ["preview", "--export", "site", "--app", "1", "--app", "2"]
        + countries.flatMap { ["--country", $0] })
    #expect(outcome.status == 64 && outcome.errors.contains("3 locales on 3 devices"))
    #expect(outcome.errors.contains("378 readers"))
  }

  /// Some servers and browsers guess the types of files from their first bytes.
  @Test(arguments: ["binary", "xml"]) func hasNoFileThatAServerCouldTakeForAPage(
    format: String
  ) throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell("echo 'format: \(format)' >> content/content.yaml")
    let attacks = [
      "plist": "\n <html><script>alert(1)</script>", "mp3": "<script>alert(1)</script>",
      "json": "<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'/>",
      "htm": "<!-- --><script>alert(1)</script>",
    ]
    for (ending, text) in attacks {
      try sandbox.write("content/assets/attack.\(ending)", text)
      try sandbox.write(
        "content/entries/product/\(ending).yaml",
        "title: Attack\nprice: 1\npicture: attack.\(ending)\n")
    }
    _ = try export(sandbox)
    for (path, bytes) in sandbox.tree("site") where path != "site/index.html" {
      let start = bytes.drop { "\t\n\u{C}\r ".utf8.contains($0) }
      let isDocument = start.starts(
        with: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist".utf8)
      #expect(start.first != UInt8(ascii: "<") || format == "xml" && isDocument, "\(path)")
    }
    let endings = ["plist", "mp3", "json", "htm.bin"]
    for ending in endings {
      let files = sandbox.tree("site").filter { $0.path.hasSuffix(".\(ending)") }
      #expect(files.contains { $0.bytes.starts(with: [0x1F, 0x8B]) }, "\(ending)")
    }
  }

  @Test func givesFilesThatCouldRunScriptsASecondEnding() throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.write(
      "content/assets/attack.svg",
      "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><script>alert(1)</script></svg>"
    )
    try sandbox.write(
      "content/entries/product/attack.yaml", "title: Attack\nprice: 1\npicture: attack.svg\n")
    _ = try export(sandbox)
    let files = sandbox.files(below: "site")
    #expect(files.contains { $0.hasSuffix(".svg.bin") })
    #expect(
      !files.contains { $0.hasSuffix(".svg") || ($0.hasSuffix(".html") && $0 != "site/index.html") }
    )
    let packed = try #require(files.first { $0.hasSuffix(".svg.bin") }.flatMap(sandbox.read))
    #expect(try Gzip.decompress(packed, limit: 1 << 24).starts(with: "<svg".utf8))
    let page = String(decoding: sandbox.read("site/index.html") ?? [], as: UTF8.self)
    let policy = try #require(page.firstRange(of: "http-equiv=\"Content-Security-Policy\""))
    let script = try #require(page.firstRange(of: "<script>"))
    #expect(policy.upperBound < script.lowerBound && page.contains("<html data-exported"))
    #expect(!page[..<script.lowerBound].contains("frame-ancestors"))
  }
}
