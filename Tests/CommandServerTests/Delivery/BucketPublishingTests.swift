import ContentModel
import ContentTargets
import PropertyLists
import System
import SystemC
import TestServers
import Testing

@testable import ContentReleases
@testable import TestCommands

/// Publishing to a real bucket with the real program.
@Suite(.needsServers) struct BucketPublishingTests {
  let sandbox: Sandbox
  let server: SeaweedServer

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    server = try SeaweedServer()
    try server.makeBucket("flowers")
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nchannels: {qa: {target: 's3://flowers/v1?endpoint=\(server.buckets)'}}\nE"
    )
  }

  /// One test, because the server takes seconds to start.
  @Test func publishesToABucket() throws {
    try probesConditionsOnceADay()
    try leavesReadersAWholeReleaseWhenKilled()
    try goesLiveAtOnceAfterAKilledPruneOrPurge()
  }

  private func probesConditionsOnceADay() throws {
    try run("publish", "qa")
    #expect(sandbox.read(".contentc/targets.plist") != nil)
    try edit("Rosa")
    let known = try run("publish", "qa", "--json")
    try sandbox.shell("rm .contentc/targets.plist")
    try edit("Rosi")
    let asked = try run("publish", "qa", "--json")
    #expect(known["objects"] == asked["objects"])
    for key in ["requests", "sent", "received"] {
      #expect(known["traffic"][key]?.number ?? 0 > 0, "\(key): \(known)")
    }
    let requests = [known, asked].map { $0["traffic"]["requests"]?.number ?? 0 }
    // Usually four requests more, not counting retries at a busy server.
    #expect(requests[0] > 0 && requests[1] > requests[0], "\(requests)")
    // After a failure, the next publication asks again.
    try sandbox.shell("sed -i 's/^app: shop/app: bakery/' content/content.yaml")
    #expect(try contentc("publish", "qa").status == 69)
    try sandbox.shell("sed -i 's/^app: bakery/app: shop/' content/content.yaml")
  }

  private func leavesReadersAWholeReleaseWhenKilled() throws {
    try edit("Rose 0")
    let whole = try ContinuousClock().measure { try run("publish", "qa") }
    var (old, new) = (0, 0)
    let rounds = 40
    for round in 1...rounds {
      try edit("Rose \(round)")
      try run("build")
      let before = try wholeRelease()
      try sandbox.run(
        ["publish", "qa", "--built", "-q"], environment: environment,
        killedAfter: whole * round / rounds)
      let seen = try wholeRelease()
      #expect(seen == before || seen == before + 1)
      if seen == before { old += 1 } else { new += 1 }
      try run("publish", "qa", "--built")
      #expect(try wholeRelease() == before + 1)
    }
    print("publish to a bucket killed \(rounds) times: \(old) before the swap, \(new) after it")
    #expect(old > 0)
  }

  /// Kills a command while it holds the lock against publishers, and then purges.
  ///
  /// `CONTENTC_DRILL_ROUNDS` sets the number of rounds. The documentation states 20.
  private func goesLiveAtOnceAfterAKilledPruneOrPurge() throws {
    let rounds = Drill.count("CONTENTC_DRILL_ROUNDS", usual: 4, nightly: 20)
    let lock = "prune/lock.plist"
    let target = try target
    var seconds: [Double] = []
    for round in 0..<rounds {
      try run("publish", "qa", "--unpurge", "all")
      let doomed =
        round % 2 == 0
        ? ["prune"] : ["purge", "product/lily", "--reason", "\(round)"]
      let process = try sandbox.start(Sandbox.binary, doomed, environment: environment)
      var isHeld = false
      for _ in 0..<5_000 where !isHeld {
        isHeld = try RemovalHolder(at: target, now: Clock.now) != nil
        if !isHeld, kill(process, 0) != 0 { break }
      }
      kill(process, SIGKILL)
      _ = Sandbox.wait(for: process)
      #expect(isHeld, "\(doomed)")
      let before = try wholeRelease()
      let start = ContinuousClock.now
      let purge = try sandbox.start(
        Sandbox.binary, ["purge", "product/tulip", "--reason", "Round \(round)"],
        environment: environment)
      while try liveRelease() == before, ContinuousClock.now - start < .seconds(30) {
        usleep(5_000)
      }
      let time = ContinuousClock.now - start
      seconds.append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
      #expect(try wholeRelease() == before + 1)
      // Only the removal waits for the lock, and continues as soon as the lock ends.
      try target.remove(lock)
      #expect(Sandbox.wait(for: purge) == 0)
    }
    print("purges after a kill were live after \(seconds) s")
    #expect(seconds.allSatisfy { $0 < 2 }, "\(seconds)")
  }

  private var target: S3Target {
    get throws {
      let variables = [
        "AWS_ACCESS_KEY_ID": SeaweedServer.key, "AWS_SECRET_ACCESS_KEY": SeaweedServer.secretKey,
      ]
      return try S3Target(
        "s3://flowers/v1?endpoint=\(server.buckets)", variable: { variables[$0] },
        file: { _ in nil })
    }
  }

  private func liveRelease() throws -> Int? {
    try ChannelPlace(target: target, channel: "qa", app: "shop").live()?.number
  }

  /// Returns the live release, after checking that each of its objects is present and intact.
  private func wholeRelease() throws -> Int {
    let target = try target
    let live = try #require(try ChannelPlace(target: target, channel: "qa", app: "shop").live())
    let content = live.content(at: target)
    // Reading an object checks it against its name.
    for object in content.objects { _ = try content.file(object) }
    return live.number
  }

  private var environment: [String] {
    ["AWS_ACCESS_KEY_ID=\(SeaweedServer.key)", "AWS_SECRET_ACCESS_KEY=\(SeaweedServer.secretKey)"]
  }

  private func contentc(_ arguments: String...) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments, environment: environment)
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> Value? {
    try sandbox.succeed(arguments, environment: environment)
  }

  private func edit(_ title: String) throws {
    try sandbox.write(
      "content/entries/product/rose.yaml",
      "title: \(title)\nprice: 3\npicture: rose.bin\nnext: product/lily\n")
  }
}
