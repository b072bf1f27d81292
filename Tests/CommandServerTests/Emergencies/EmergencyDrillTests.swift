import ContentModel
import PropertyLists
import SystemC
import TestServers
import Testing

@testable import TestCommands

/// Emergencies beside busy publishers, and after killed commands, with the real program.
///
/// `CONTENTC_DRILL_ROUNDS` sets the number of rounds. The documentation states 20.
@Suite(.needsServers) struct EmergencyDrillTests {
  private static let publishers = 8
  private static let rounds = Drill.count("CONTENTC_DRILL_ROUNDS", usual: 4, nightly: 20)

  @Test func purgesBesideEightBusyPublishers() throws {
    try runBesidePublishers { sandbox in
      var seconds: [Double] = []
      for round in 0..<Self.rounds {
        try waitForTulip(sandbox)
        let purge = try sandbox.run("purge", "product/tulip", "--reason", "Round \(round)")
        #expect(purge.status == 0, "\(purge)")
        let line = try #require(
          purge.output.split(separator: "\n").first { $0.hasSuffix(" is live") }, "\(purge)")
        seconds.append(try #require(line.split(separator: " ").first.flatMap { Double($0) }))
      }
      print("purges beside \(Self.publishers) busy publishers were live after \(seconds) s")
      #expect(seconds.allSatisfy { $0 < 5 }, "\(seconds)")
    }
  }

  /// Complete commands, which read back and purge caches.
  @Test func switchesAndRollsBackBesideEightBusyPublishers() throws {
    try runBesidePublishers { sandbox in
      var seconds: [Double] = []
      func run(_ words: String...) throws {
        let start = ContinuousClock.now
        let outcome = try sandbox.run(Sandbox.binary, words)
        seconds.append((ContinuousClock.now - start) / .seconds(1))
        #expect(outcome.status == 0, "\(words): \(outcome)")
      }
      // A rollback needs an earlier publication.
      let wait =
        "for i in $(seq 600); do grep -q 'status 0' p*/log && exit 0; sleep 0.1; done; exit 1"
      #expect(try sandbox.shell(wait).status == 0)
      for _ in 0..<Self.rounds {
        try run("maintenance", "on")
        let config = try PublishedFolder(sandbox, folder: "site", config: "qa/config.plist").config
        #expect(config["maintenance"]["active"] == true)
        try run("maintenance", "off")
        try run("rollback")
      }
      print("switches and rollbacks beside \(Self.publishers) busy publishers took \(seconds) s")
      #expect(seconds.allSatisfy { $0 < 10 }, "\(seconds)")
    }
  }

  /// Runs `work` while publishers release continuously.
  private func runBesidePublishers(_ work: (Sandbox) throws -> Void) throws {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "printf 'channels: {qa: {target: \(sandbox.root)/site}}\\n' >> content/content.yaml; "
        + "for i in 1 2 3 4 5 6 7 8; do mkdir p$i; cp -R content p$i/content; done")
    #expect(try sandbox.run("publish").status == 0)
    let busy = try (1...Self.publishers).map { number in
      try sandbox.start(
        "/bin/sh",
        [
          "-c",
          """
          round=0; while [ ! -e stop ]; do round=$((round + 1))
          echo "rose: {title: Rose, price: $round.\(number), next: product/lily}" > p\(number)/content/entries/product/rose.yaml
          sed -i 's/^rose: {\\(.*\\)}$/\\1/; s/, /\\n/g' p\(number)/content/entries/product/rose.yaml
          \(Sandbox.binary) publish --content p\(number)/content --out p\(number)/out --unpurge all -q >> p\(number)/log 2>&1
          echo "status $?" >> p\(number)/log
          done
          """,
        ])
    }
    defer {
      _ = try? sandbox.shell("touch stop")
      for process in busy { _ = Sandbox.wait(for: process) }
    }
    try work(sandbox)
    let log = try sandbox.shell("cat p*/log").output
    #expect(log.contains("status 0"), "\(log)")
  }

  /// Waits until a publisher has published the entry again.
  private func waitForTulip(_ sandbox: Sandbox) throws {
    for _ in 0..<600 {
      let folder = try PublishedFolder(sandbox, folder: "site", config: "qa/config.plist")
      if let bundle = try? folder.bundle("all", "fr", "any"),
        bundle["entries"]["product/tulip"] != nil
      {
        return
      }
      usleep(50_000)
    }
    Issue.record("no publisher gets through")
  }
}
