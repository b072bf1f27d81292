import TestServers
import Testing

@testable import TestCommands

/// The documentation's recipe for a self-hosted bucket, typed unchanged.
@Suite(.needsServers) struct RecipeTests {
  @Test(
    .enabled("a network namespace needs the right to make one") { try Recipe.hasNamespaces },
    .timeLimit(.minutes(3)))
  func createsABucketOnOneMachine() throws {
    let outcome = try Recipe().run()
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}

/// The code blocks of the section on self-hosted buckets, and a folder in which to run them.
private struct Recipe {
  private let commands: [String]
  private let sandbox: Sandbox

  /// `true` if this process may create a network namespace.
  static var hasNamespaces: Bool {
    get throws { try Sandbox().shell("unshare --map-root-user --net true").status == 0 }
  }

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    let page = try sandbox.run("/bin/cat", ["\(Sandbox.checkout)/docs/reference/publishing.md"])
      .output
    let start = try #require(page.firstRange(of: "### A bucket of your own"))
    // Texts and code blocks alternate.
    let parts = page[start.upperBound...].split(
      separator: "```\n", maxSplits: 4, omittingEmptySubsequences: false)
    try #require(parts.count == 5)
    try sandbox.write("s3.json", String(parts[1]))
    commands = parts[3].replacing("\\\n", with: "").split(separator: "\n").map {
      String($0.replacing("/srv/", with: "srv/"))
    }
  }

  /// Runs the commands in a separate network namespace, where all ports are free, and ends the
  /// processes that they start.
  func run() throws -> Outcome {
    let door = "http://127.0.0.1:8333"
    try sandbox.shell(
      "echo \"channels: {production: {target: 's3://flowers/v1?endpoint=\(door)'}}\" >> content/content.yaml"
    )
    let programs = "\(Sandbox.checkout)/.build/tools/seaweedfs/bin:\(Sandbox.programs)"
    var lines = [
      "set -e", "PATH=\(programs):/usr/sbin:$PATH", "ip link set lo up", "mkdir -p srv/weed",
    ]
    for line in commands {
      guard line.hasPrefix("weed ") else {
        lines.append(line)
        continue
      }
      // The gateway listens before the next line runs, and the volumes a little later.
      lines += [
        "\(line) > weed.log 2>&1 &",
        "for i in $(seq 100); do curl -s -o answer \(door)/ && break; sleep 0.2; done",
        "sleep 3",
      ]
    }
    // Anonymous clients can read but not write.
    lines += [
      "curl -sf -o config \(door)/flowers/v1/production/config.plist",
      "test \"$(curl -s -o answer -w '%{http_code}' -T config \(door)/flowers/v1/x)\" = 403",
    ]
    try sandbox.write("recipe.sh", lines.joined(separator: "\n") + "\n")
    let sockets = "rm -f /tmp/seaweedfs-*-grpc-1[89]3[38][03].sock /tmp/seaweedfs-*-grpc-18888.sock"
    return try sandbox.shell(
      "unshare --map-root-user --net --pid --fork --kill-child sh recipe.sh; status=$?; \(sockets); exit $status"
    )
  }
}
