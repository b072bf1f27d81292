import TestServers
import Testing

@testable import TestCommands

/// Builds that share a remote cache give the same bytes, even if the cache is faulty.
@Suite(.needsServers) struct CacheTests {
  let sandbox: Sandbox
  let server: CacheServer

  init() throws {
    sandbox = try Sandbox(SmallShop.files(products: 20, in: "content"))
    server = try CacheServer()
    try #require(try sandbox.run("build", "--quiet", "--fresh", "--out", "whole").status == 0)
  }

  /// Builds without memory of earlier builds, like another machine.
  private func build(
    into folder: String, by tool: String = Sandbox.binary, _ flags: String...
  ) throws -> Outcome {
    try sandbox.shell("rm -rf .contentc")
    return try sandbox.run(
      tool, ["build", "--json", "--cache", server.address, "--out", folder] + flags)
  }

  @Test func sharesEqualBytesWithAnotherMachine() throws {
    let first = try build(into: "first")
    try #require(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
    let requests = try server.sandbox.shell("ls data/cas/* data/ac/* | wc -l").output
    let second = try build(into: "second")
    #expect(second.status == 0)
    #expect(try sandbox.shell("diff -r whole first && diff -r whole second").status == 0)
    #expect(
      first.output.members(without: "seconds", "config")
        == second.output.members(without: "seconds", "config"))
    #expect(
      try server.sandbox.shell("ls data/cas/* data/ac/* | wc -l").output == requests,
      "nothing was built again")
    // The next build treats fetched objects like built ones.
    #expect(try sandbox.run("build", "--quiet", "--out", "second").status == 0)
    try sandbox.write("content/entries/product/p3.fr.yaml", "title: Autre produit\n")
    #expect(try sandbox.run("build", "--quiet", "--out", "second").status == 0)
    try #require(try sandbox.run("build", "--quiet", "--fresh", "--out", "edited").status == 0)
    #expect(try sandbox.shell("diff -r edited second").status == 0)
  }

  @Test(
    "builds without the cache if the cache lies",
    arguments: [
      "for f in data/cas/*; do printf X | dd of=$f bs=1 seek=40 conv=notrunc; done",
      "for f in data/cas/*; do truncate -s 100 $f; done", "rm data/cas/*", "rm data/ac/*",
      "for f in data/ac/*; do printf X | dd of=$f bs=1 seek=90 conv=notrunc; done",
      "set -- data/cas/*; for f in data/cas/*; do cp $1 $f; done",
      // The description of the build exists, but its objects are missing.
      "rm $(ls -S data/cas/* | head -1)", "printf X >> $(ls -S data/cas/* | head -1)",
    ])
  func ignoresAFaultyCache(damage: String) throws {
    try #require(try build(into: "first").status == 0)
    try #require(try server.sandbox.shell("{ \(damage)\n} 2>/dev/null").status == 0)
    let second = try build(into: "second")
    #expect(second.status == 0)
    #expect(try sandbox.shell("diff -r whole second").status == 0)
  }

  @Test func warnsOnceIfNoServerAnswers() throws {
    server.stop()
    let built = try build(into: "second", "--diagnostics", "short")
    #expect(built.status == 0)
    #expect(built.errors.split(separator: "\n").count == 1, "\(built.errors)")
    #expect(built.errors.contains("[remote-cache]"))
    #expect(try sandbox.shell("diff -r whole second").status == 0)
  }

  @Test func separatesBuildsOfDifferentFlagsAndContent() throws {
    try #require(try build(into: "first").status == 0)
    try #require(try build(into: "plain", "--no-gzip").status == 0)
    #expect(try sandbox.shell("test -z \"$(find plain -name '*.gz')\"").status == 0)
    try sandbox.write("content/entries/product/p3.yaml", "title: Other\nprice: 1\n")
    try #require(try build(into: "other").status == 0)
    try #require(try sandbox.run("build", "--quiet", "--fresh", "--out", "clean").status == 0)
    #expect(try sandbox.shell("diff -r clean other").status == 0)
  }

  #if os(Linux)
    /// Two builds of one version can have the same size, but not the same hash of the linker.
    @Test func separatesBuildsOfDifferentTools() throws {
      try #require(try build(into: "first").status == 0)
      let patch = """
        import sys
        tool = bytearray(open(sys.argv[1], "rb").read())
        tool[tool.index(b"\\3\\0\\0\\0GNU\\0") + 8] ^= 255
        open(sys.argv[2], "wb").write(tool)
        """
      try sandbox.write("patch.py", patch)
      let other = "\(sandbox.root)/other"
      let patched = try sandbox.shell(
        "python3 patch.py '\(Sandbox.binary)' '\(other)' && chmod +x '\(other)'")
      try #require(patched.status == 0, "\(patched.errors)")
      let second = try build(into: "second", by: other)
      #expect(second.status == 0, "\(second.errors)")
      #expect(try server.sandbox.shell("ls data/ac | wc -l").output == "2\n")
    }
  #endif

  @Test func doesNotReadTheCacheForAFreshBuild() throws {
    try #require(try build(into: "first").status == 0)
    try server.sandbox.shell("truncate -s 0 requests")
    try #require(try build(into: "second", "--fresh").status == 0)
    #expect(try server.sandbox.shell("grep -c '\"GET ' requests").output == "0\n")
    #expect(try sandbox.shell("diff -r whole second").status == 0)
  }

  @Test func warnsOfASilentCacheEvenIfContentIsWrong() throws {
    server.stop()
    try sandbox.write("content/entries/product/p3.yaml", "title: Other\nprice: dear\n")
    let built = try build(into: "second", "--diagnostics", "short")
    #expect(built.status == 1)
    #expect(built.errors.contains("[remote-cache]"), "\(built.errors)")
  }

  @Test func refusesAnInvalidAddress() throws {
    let built = try sandbox.run("build", "--cache", "ftp://cache")
    #expect(built.status == 64)
    #expect(built.errors.contains("--cache: the address of a cache begins with 'http://'"))
  }
}

extension String {
  /// The members of a flat JSON object on one line, except for some.
  fileprivate func members(without names: String...) -> [Substring] {
    split { "{},\n".contains($0) }.filter { member in
      !names.contains { member.hasPrefix("\"\($0)\"") }
    }
  }
}
