import TestServers
import Testing

@testable import TestCommands

/// The readers that the README shows, at the server that it names.
@Suite(.needsServers) struct ReadmeReaderTests {
  @Test(.timeLimit(.minutes(3))) func readsABuildOverHTTPWithFewerThanTwentyLinesOfPython() throws {
    let script = try #require(Readme().blocks("python").first)
    try expect(script, in: "reader.py", ranWith: "python3 reader.py")
    #expect(script.split(separator: "\n").count < 20)
  }

  @Test(.timeLimit(.minutes(3))) func readsABuildOverHTTPWithSwift() throws {
    let program = try #require(Readme().blocks("swift").last)
    try expect(
      program, in: "reader.swift", compiledWith: "HOME=$PWD swiftc reader.swift -o reader",
      ranWith: "./reader")
  }

  @Test(.timeLimit(.minutes(3))) func readsABuildWithTenLinesAndTheClient() throws {
    let program = try #require(Readme().blocks("swift").first)
    #expect(program.split(separator: "\n").count == 10)
    try expect(
      program, in: "reader.swift",
      compiledWith: Sandbox.compiling("reader.swift", to: "reader"), ranWith: "./reader")
  }

  /// Runs a reader of the README unchanged over the sample, served as the README states.
  private func expect(
    _ reader: String, in file: String, compiledWith compile: String = "true",
    ranWith command: String
  ) throws {
    let readme = try Readme()
    let sandbox = try Sandbox()
    try sandbox.copySample(to: "content", format: "binary")
    let built = try sandbox.run("build", "--quiet")
    try #require(built.status == 0, "\(built.errors)")
    try sandbox.write(file, reader + "\n")
    let compiled = try sandbox.shell(compile)
    try #require(compiled.status == 0, "\(compiled.errors)")
    try sandbox.write("serve.sh", Self.serving(try #require(readme.server), command))
    // Another program may use the README's port. In a separate network namespace all ports are
    // free.
    let serve =
      "if unshare --map-root-user --net true 2>/dev/null; then unshare --map-root-user --net sh serve.sh; "
      + "else sh serve.sh; fi"
    let outcome = try sandbox.shell(serve)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == readme.printedByReaders)
    // Of three entries, one has expired and one has not begun. The readers apply these dates
    // themselves.
    try sandbox.shell(
      """
      echo 'when: {until: 2020-01-01T00:00:00Z}' >> content/entries/product/get-well.yaml
      echo 'when: {from: 2999-01-01T00:00:00Z}' >> content/entries/product/nordic-basket.yaml
      """)
    try #require(try sandbox.run("build", "--quiet").status == 0)
    let later = try sandbox.shell(serve)
    let lines = readme.printedByReaders.split(separator: "\n")
    #expect(later.output.hasPrefix("\(lines[1])\n"), "\(later.output)\(later.errors)")
    #expect(!later.output.contains(lines[0]) && !later.output.contains(lines[2]))
    // The readers read a signed config, too.
    try sandbox.write(
      "sign.py",
      """
      import pathlib, plistlib
      config = pathlib.Path("out/preview/config.plist")
      signed = {"format": 2, "config": config.read_bytes(), "statements": []}
      config.write_bytes(plistlib.dumps(signed, fmt=plistlib.FMT_BINARY))

      """)
    try #require(try sandbox.shell("python3 sign.py").status == 0)
    #expect(try sandbox.shell(serve).output == later.output)
  }

  /// A script that serves a folder while a reader runs.
  private static func serving(_ server: String, _ reader: String) -> String {
    """
    python3 -c '
    import fcntl, socket, struct
    up = struct.pack("16sh14x", b"lo", 0x49)
    try: fcntl.ioctl(socket.socket(), 0x8914, up)
    except OSError: pass
    '
    \(server) >/dev/null 2>&1 &
    server=$!
    for try in $(seq 100); do
      python3 -c 'import socket; socket.create_connection(("localhost", 8000))' 2>/dev/null && break
      sleep 0.1
    done
    \(reader)
    status=$?
    kill $server
    exit $status

    """
  }
}
