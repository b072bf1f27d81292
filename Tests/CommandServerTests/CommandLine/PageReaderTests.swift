import TestServers
import Testing

@testable import TestCommands

/// The programs of the pages on reading from Python and Swift, at the servers that these pages
/// start.
///
/// `Scripts/check-client-package.py` also builds the package of the page on Swift.
@Suite(.needsServers) struct PageReaderTests {
  private static let python = "docs/guides/read-from-python.md"
  private static let swift = "docs/guides/read-from-swift.md"

  @Test(.timeLimit(.minutes(3))) func readsABuildOverHTTPWithFewerThanTwentyLinesOfPython() throws {
    let page = try DocumentPage(Self.python)
    let script = try #require(page.file("reader.py"))
    let printed = try #require(page.blocks("text").first) + "\n"
    try expect(printed, by: script, of: page, in: "reader.py", ranWith: "python3 reader.py")
    #expect(script.split(separator: "\n").count == 18)
  }

  @Test(.nightly) func choosesAPluralWithBabel() throws {
    let function = try #require(DocumentPage(Self.python).blocks("python").first)
    let sandbox = try Sandbox()
    try sandbox.write(
      "plural.py",
      """
      \(function)

      french = {"one": "{count} tige", "other": "{count} tiges"}
      english = {"locale": "en", "one": "{count} stem", "other": "{count} stems"}
      for stems in (french, english): print(text(stems, "fr-CA", 5), text(stems, "fr-CA", 0))

      """)
    let outcome = try sandbox.shell("'\(Program.tool("babel/bin/python3"))' plural.py")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "5 tiges 0 tige\n5 stems 0 stems\n")
  }

  /// Runs the commands that make the folder of the page on Swift, except for its server.
  @Test func makesTheFolderOfThePackage() throws {
    let page = try DocumentPage(Self.swift)
    let commands = page.steps.map(\.command).prefix { !$0.hasPrefix("swift ") }
    let sandbox = try Sandbox()
    try sandbox.shell("mkdir contentc && cp -R '\(Sandbox.checkout)/content' contentc/content")
    let outcome = try sandbox.tour(
      commands.filter { !$0.hasSuffix(" &") }.joined(separator: " && "))
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(sandbox.read("shop/out/preview/config.plist") != nil)
    for target in ["Sources/reader", "Sources/follow"] {
      #expect(sandbox.read("shop/\(target)/main.swift") == [], "\(target)")
    }
  }

  @Test(.timeLimit(.minutes(3))) func readsABuildOverHTTPWithSwift() throws {
    let page = try DocumentPage(Self.swift)
    let compile = try #require(page.steps.map(\.command).first { $0.hasPrefix("swiftc ") })
    try expect(
      try #require(page.output(of: "./plain")), by: try #require(page.file("plain.swift")),
      of: page, in: "plain.swift", compiledWith: "HOME=$PWD \(compile)", ranWith: "./plain")
  }

  @Test(.timeLimit(.minutes(3))) func readsABuildWithTenLinesAndTheClient() throws {
    let page = try DocumentPage(Self.swift)
    let program = try #require(page.file("Sources/reader/main.swift"))
    #expect(program.split(separator: "\n").count == 10)
    try expect(
      try #require(page.output(of: "swift run reader")), by: program, of: page, in: "reader.swift",
      compiledWith: Sandbox.compiling("reader.swift", to: "reader"), ranWith: "./reader",
      isSimple: false)
  }

  /// Does the steps of the section on changes, and starts its program once more without a server.
  @Test(.timeLimit(.minutes(3))) func followsAPublication() throws {
    let page = try #require(DocumentPage(Self.swift).section("5. Follow changes"))
    let sandbox = try Sandbox()
    try sandbox.copySample(to: "content", format: "binary")
    try sandbox.write("main.swift", try #require(page.file("Sources/follow/main.swift")) + "\n")
    let compiled = try sandbox.shell(Sandbox.compiling("main.swift", to: "follow"))
    try #require(compiled.status == 0, "\(compiled.errors)")
    try sandbox.write("follow.sh", try Self.following(page))
    let outcome = try sandbox.shell(Self.apart("follow.sh"))
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let change = try #require(page.blocks("text").first)
    #expect(outcome.output.contains(change), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("again\nstored: release 2\n"), "\(outcome.output)")
  }

  /// Runs a reader of a page unchanged over the sample, served as the page states.
  private func expect(
    _ printed: String, by reader: String, of page: DocumentPage, in file: String,
    compiledWith compile: String = "true", ranWith command: String, isSimple: Bool = true
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.copySample(to: "content", format: "binary")
    let built = try sandbox.run("build", "--quiet")
    try #require(built.status == 0, "\(built.errors)")
    try sandbox.write(file, reader + "\n")
    let compiled = try sandbox.shell(compile)
    try #require(compiled.status == 0, "\(compiled.errors)")
    try sandbox.write("serve.sh", Self.serving(try #require(page.server), command))
    let serve = Self.apart("serve.sh")
    let outcome = try sandbox.shell(serve)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == printed)
    // Of three entries, one has expired and one has not begun. The readers apply these dates
    // themselves.
    try sandbox.shell(
      """
      echo 'when: {until: 2020-01-01T00:00:00Z}' >> content/entries/product/get-well.yaml
      echo 'when: {from: 2999-01-01T00:00:00Z}' >> content/entries/product/nordic-basket.yaml
      """)
    try #require(try sandbox.run("build", "--quiet").status == 0)
    let later = try sandbox.shell(serve)
    let lines = printed.split(separator: "\n")
    #expect(later.output.hasPrefix("\(lines[1])\n"), "\(later.output)\(later.errors)")
    #expect(!later.output.contains(lines[0]) && !later.output.contains(lines[2]))
    // The readers read a signed config, too.
    try sandbox.write(
      "sign.py",
      """
      import pathlib, plistlib
      config = pathlib.Path("out/preview/config.plist")
      pathlib.Path("built.plist").write_bytes(config.read_bytes())
      signed = {"format": 2, "config": config.read_bytes(), "statements": []}
      config.write_bytes(plistlib.dumps(signed, fmt=plistlib.FMT_BINARY))

      """)
    try #require(try sandbox.shell("python3 sign.py").status == 0)
    #expect(try sandbox.shell(serve).output == later.output)
    // The client reads the config of its own channel only.
    guard isSimple else { return }
    // During a rollout, simple readers get what they had before, and the next content after its end.
    try sandbox.shell("cp built.plist out/preview/config.plist")
    _ = try sandbox.succeed(["publish", "qa", "--quiet"])
    try sandbox.shell(
      "echo 'when: {until: 2020-01-01T00:00:00Z}' >> content/entries/product/country-charm.yaml")
    for (step, isNext) in [
      (["publish", "qa", "--to", "100%"], false), (["rollout", "qa", "--finish"], true),
    ] {
      _ = try sandbox.succeed(step + ["--quiet"])
      try sandbox.shell(
        "cp -R site/objects/. out/objects && cp site/qa/config.plist out/preview/config.plist")
      let shown = try sandbox.shell(serve)
      #expect(
        shown.status == 0 && isNext != shown.output.contains(lines[1])
          && isNext != (shown.output == later.output), "\(shown)")
    }
  }

  /// Returns the command that runs a script where all ports are free.
  ///
  /// Another program may use a page's port, so the script has a network of its own, if this machine
  /// allows it.
  private static func apart(_ script: String) -> String {
    "if unshare --map-root-user --net true 2>/dev/null; then unshare --map-root-user --net sh \(script); "
      + "else sh \(script); fi"
  }

  /// The begin of a script: turns on loopback, and defines how to wait for a port.
  private static let loopback = """
    python3 -c '
    import fcntl, socket, struct
    up = struct.pack("16sh14x", b"lo", 0x49)
    try: fcntl.ioctl(socket.socket(), 0x8914, up)
    except OSError: pass
    '
    wait_for_port() {
      for try in $(seq 100); do
        python3 -c "import socket; socket.create_connection(('localhost', $1))" 2>/dev/null && break
        sleep 0.1
      done
    }

    """

  /// A script that serves a folder while a reader runs.
  private static func serving(_ server: String, _ reader: String) -> String {
    loopback + """
      \(server) >/dev/null 2>&1 &
      server=$!
      wait_for_port 8000
      \(reader)
      status=$?
      kill $server
      exit $status

      """
  }

  /// A script that does the steps of the section on changes, and prints what its program printed.
  private static func following(_ page: DocumentPage) throws -> String {
    var lines = [
      "contentc() { '\(Sandbox.binary)' \"$@\"; }",
      "wait_for() {",
      "  for try in $(seq 300); do grep -qxF -e \"$1\" printed && return; sleep 0.1; done",
      "  echo \"not printed: $1\" >&2",
      "  status=1",
      "}",
      "status=0",
    ]
    for step in page.steps {
      if step.command == "swift run follow" {
        // Output into a file would otherwise be kept back.
        lines += ["stdbuf -oL ./follow >printed 2>&1 &", "app=$!"]
        lines += step.output.split(separator: "\n").map { "wait_for '\($0)'" }
      } else if step.command.hasSuffix(" &") {
        let server = step.command.dropLast(2)
        lines += ["\(server) >/dev/null 2>&1 &", "server=$!", "wait_for_port 8001"]
      } else {
        lines.append("\(step.command) || status=1")
      }
    }
    let change = try #require(page.blocks("text").first)
    lines += change.split(separator: "\n").map { "wait_for '\($0)'" }
    lines += [
      "kill $app $server", "wait", "cat printed", "echo again",
      "timeout 2 stdbuf -oL ./follow", "exit $status",
    ]
    return loopback + lines.joined(separator: "\n") + "\n"
  }
}
