import ContentModel
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Point 6: whatever ends a build, `out/` is the old one or the new one, and the next build repairs what is left over.
@Suite(.serialized) struct NothingLostTests {
  @Test func leavesTheEarlierOutputAloneWhenContentHasErrors() throws {
    let sandbox = try shop()
    try #require(try sandbox.run("build", "--quiet").status == 0)
    let before = try sandbox.shell(
      "find out -type f -exec cksum {} + | sort; find out -newer content/content.yaml | wc -l"
    ).output
    try sandbox.write("content/entries/product/p1.yaml", "title: 1\nprice: none\n")
    #expect(try sandbox.run("build", "--quiet").status == 1)
    let after = try sandbox.shell(
      "find out -type f -exec cksum {} + | sort; find out -newer content/content.yaml | wc -l"
    ).output
    #expect(before == after)
  }

  @Test func survivesBeingKilledAtAnyMoment() throws {
    let sandbox = try shop()
    var generator = SeededGenerator(seed: 20)
    let digests = try ["first", "second"].map { version in
      try writeVersion(version, sandbox)
      try #require(try sandbox.run("build", "--quiet", "--out", "whole-\(version)").status == 0)
      return try sandbox.script("is-whole.py", "whole-\(version)").output.trimmed
    }
    #expect(digests[0] != digests[1])
    try sandbox.shell("cp -R whole-second out")
    let duration = try ContinuousClock().measure { _ = try sandbox.run("build", "--quiet", "--out", "timed") }
    let (kills, microseconds) = (60, Int(duration.components.attoseconds / 1_000_000_000_000))
    var killed = 0
    for round in 0..<kills {
      try writeVersion(round % 2 == 0 ? "first" : "second", sandbox)
      let process = try sandbox.start(Sandbox.binary, ["build", "--quiet"])
      usleep(UInt32(Int.random(in: 0...max(microseconds * 11 / 10, 20_000), using: &generator)))
      kill(process, SIGKILL)
      if Sandbox.wait(for: process) == -SIGKILL { killed += 1 }
      let whole = try sandbox.script("is-whole.py", "out", digests[0], digests[1])
      #expect(whole.status == 0, "round \(round): \(whole.errors)")
    }
    for (version, digest) in zip(["first", "second"], digests) {
      try writeVersion(version, sandbox)
      #expect(try sandbox.run("build", "--quiet").status == 0)
      #expect(try sandbox.script("is-whole.py", "out", digest).status == 0)
      let difference = try sandbox.shell("diff -r out whole-\(version) && ls -A out")
      #expect(difference.status == 0, "\(difference.output)")
    }
    #expect(killed > kills / 3, "most builds must have been killed under way")
    print("\(kills) kills, \(killed) of them while the build ran: each left a whole build")
  }

  @Test func leavesTheEarlierOutputWholeWhenTheDiskIsFull() throws {
    let sandbox = try shop()
    try sandbox.shell("mkdir small")
    guard try sandbox.shell("mount -t tmpfs -o size=8m tmpfs small").status == 0 else {
      return print("skipped: mounting a small file system is not permitted here")
    }
    defer { _ = try? sandbox.shell("umount small") }
    try #require(try sandbox.run("build", "--quiet", "--out", "small/out").status == 0)
    let before = try sandbox.shell("cd small/out && find . -type f -exec cksum {} + | sort").output
    try writeVersion("second", sandbox)
    try sandbox.shell("dd if=/dev/zero of=small/ballast bs=1k count=10000 2>/dev/null")
    let full = try sandbox.run("build", "--out", "small/out")
    #expect(full.status == 74, "\(full.errors)")
    #expect(full.errors.contains("full"), "\(full.errors)")
    #expect(try sandbox.shell("cd small/out && find . -type f -exec cksum {} + | sort").output == before)
    try sandbox.shell("rm small/ballast")
    #expect(try sandbox.run("build", "--quiet", "--out", "small/out").status == 0)
    #expect(try sandbox.script("is-whole.py", "small/out").status == 0)
  }

  @Test func repairsDamageAndRemovesStrays() throws {
    let sandbox = try shop()
    try #require(try sandbox.run("build", "--quiet").status == 0)
    try sandbox.shell("cp -R out whole")
    try sandbox.shell(
      """
      set -- $(find out/objects -name '*.plist'); printf X | dd of=$1 bs=1 seek=20 conv=notrunc 2>/dev/null; rm $2
      mkdir -p out/objects/zz out/preview/latest/xx && touch out/objects/zz/stray out/stray.txt
      ln -s /etc/passwd out/preview/latest/xx/link
      """)
    #expect(try sandbox.script("is-whole.py", "out").status == 1)
    #expect(try sandbox.run("build", "--quiet").status == 0)
    let difference = try sandbox.shell("diff -r out whole")
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test func letsOneOfTwoBuildsIntoAFolder() throws {
    let sandbox = try shop(products: 400)
    let first = try sandbox.start(Sandbox.binary, ["build", "--quiet"])
    while try sandbox.shell("test -e out/.contentc-staging").status != 0, kill(first, 0) == 0 { usleep(2_000) }
    let second = try sandbox.run("build", "--quiet")
    let status = Sandbox.wait(for: first)
    #expect(status == 0)
    #expect(second.status == 75, "\(second.errors)")
    #expect(try sandbox.script("is-whole.py", "out").status == 0)
  }

  private func shop(products: Int = 60) throws -> Sandbox {
    let sandbox = try Sandbox([
      (
        "content/content.yaml",
        """
        app: shop
        sourceLocale: en
        locales: [en, fr, de]
        devices: {phone: {}, tablet: {}}
        bundles:
          all: {include: product/*}
          each: {include: product/*, split: entry}
        """
      ),
      (
        "content/datatypes/product.yaml",
        "fields:\n  title: {type: string, localized: true, required: true}\n  price: {type: number}\n"
      ),
    ])
    for product in 0..<products {
      try sandbox.write("content/entries/product/p\(product).yaml", "title: Product \(product)\nprice: \(product)\n")
      try sandbox.write("content/entries/product/p\(product).fr.yaml", "title: Produit \(product)\n")
    }
    return sandbox
  }

  private func writeVersion(_ version: String, _ sandbox: Sandbox) throws {
    let titles = (0..<60).map { "p\($0): {title: \(version) \($0)}" }.joined(separator: "\n")
    try sandbox.write("content/entries/product.de.yaml", "\(titles)\n")
  }
}

/// Numbers that come again with the same seed: SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension String {
  fileprivate var trimmed: String { String(split(separator: "\n").first ?? "") }
}
