import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A real bucket behind a server that answers 501 to conditional writes, as Backblaze B2 does.
@Suite(.needsServers) struct UnconditionalBucketTests {
  /// One test, because the server takes seconds to start.
  @Test func aSingleWriterPublishesWithoutConditions() throws {
    let bucket = try SeaweedServer()
    try bucket.makeBucket("flowers")
    let port = bucket.bucketPort
    let server = try ScriptedServer { request in
      let isConditional = request.headers.contains {
        ["if-match:", "if-none-match:"].contains(where: $0.lowercased().hasPrefix)
      }
      return isConditional && request.method == "PUT"
        ? .answer(status: 501, body: Array("<Error><Code>NotImplemented</Code></Error>".utf8))
        : .bytes(LyingProxy.forward(request, to: port))
    }
    defer { server.stop() }
    func target(_ place: String, isSingleWriter: Bool) throws -> S3Target {
      let keys = [
        "AWS_ACCESS_KEY_ID": SeaweedServer.key, "AWS_SECRET_ACCESS_KEY": SeaweedServer.secretKey,
      ]
      return try S3Target(
        "s3://flowers/\(place)?endpoint=\(server.address)", variable: { keys[$0] },
        file: { _ in nil }, isSingleWriter: isSingleWriter)
    }
    #expect(try !target("probe", isSingleWriter: false).honorsConditions())
    try TargetConformance(target: target("files", isSingleWriter: true)).check()
    let place = ChannelPlace(try target("v1", isSingleWriter: true))
    try place.publish(Shelf(["rose": "Rose"]), run: "1")
    try place.publish(Shelf(["rose": "Rosa"]), run: "2")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
    // The server is asked once, not before each write.
    let refused = server.requests.count { request in
      request.path.contains("/v1/")
        && request.headers.contains { $0.lowercased().hasPrefix("if-none-match:") }
    }
    #expect(refused == 1)
  }
}
