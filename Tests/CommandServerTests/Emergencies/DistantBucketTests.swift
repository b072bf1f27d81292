import TestServers
import Testing

@testable import TestCommands

/// An emergency at a real bucket that takes 50 ms for each answer, with the real program.
@Suite(.needsServers) struct DistantBucketTests {
  private static let roundTrip: UInt32 = 50
  private let sandbox: Sandbox
  private let bucket: SeaweedServer
  private let distant: DistantServer

  init() throws {
    sandbox = try Sandbox()
    bucket = try SeaweedServer()
    try bucket.makeBucket("flowers")
    distant = try DistantServer(to: bucket.bucketPort)
    try sandbox.copySample(to: "content", format: "binary")
    try sandbox.shell(
      "sed -i 's|^  qa:.*|  qa: {target: \"s3://flowers/v1?endpoint=\(distant.address)\"}|' content/content.yaml"
    )
  }

  /// Waiting may take two seconds; what the program computes is measured without the distance,
  /// because the program is optimized in part only.
  @Test func waitsAtMostTwoSecondsUntilAPurgeIsLive() throws {
    defer { distant.stop() }
    let near = try secondsUntilLive(roundTrip: 0)
    let far = try secondsUntilLive(roundTrip: Self.roundTrip)
    print("a purge at a bucket \(Self.roundTrip) ms away was live after \(far) s, near \(near) s")
    #expect(far - near < 2, "\(far) s instead of \(near) s")
  }

  /// A request takes up to three files, which many requests hold together only at a distance.
  @Test(arguments: [64, 128]) func purgesWithFewOpenFiles(limit: Int) throws {
    defer { distant.stop() }
    let published = try contentc("publish", "qa", "-q")
    try #require(published.status == 0, "\(published)")
    distant.setRoundTrip(milliseconds: Self.roundTrip)
    // Other tests of this process may have files open, which the program would inherit.
    let limiting = """
      import os, resource, sys
      os.closerange(3, 65_536)
      resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]),) * 2)
      os.execv(sys.argv[2], sys.argv[2:])
      """
    let purge = try sandbox.run(
      "/usr/bin/env",
      [
        "python3", "-c", limiting, "\(limit)", Sandbox.binary, "purge", "qa",
        "product/country-charm", "--reason", "test",
      ], environment: Self.keys)
    #expect(purge.status == 0, "\(purge)")
  }

  private func secondsUntilLive(roundTrip: UInt32) throws -> Double {
    distant.setRoundTrip(milliseconds: 0)
    let published = try contentc("publish", "qa", "--unpurge", "all", "-q")
    try #require(published.status == 0, "\(published)")
    distant.setRoundTrip(milliseconds: roundTrip)
    let purge = try contentc("purge", "qa", "product/country-charm", "--reason", "A swear word")
    #expect(purge.status == 0, "\(purge)")
    let line = try #require(
      purge.output.split(separator: "\n").first { $0.hasSuffix(" is live") }, "\(purge)")
    return try #require(line.split(separator: " ").first.flatMap { Double($0) })
  }

  private func contentc(_ arguments: String...) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments, environment: Self.keys)
  }

  private static let keys = [
    "AWS_ACCESS_KEY_ID=\(SeaweedServer.key)", "AWS_SECRET_ACCESS_KEY=\(SeaweedServer.secretKey)",
  ]
}
