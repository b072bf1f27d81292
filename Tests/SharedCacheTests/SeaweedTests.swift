import ContentBuild
import TestServers
import Testing

@Suite(.needsServers) struct SeaweedTests {
  /// One test, because the server takes seconds to start.
  @Test func sharesContentsAndRecordsThroughFilerAndBucket() throws {
    let server = try SeaweedServer()
    try share(through: server, at: "\(server.filer)/contentc", access: CacheAccess())

    let keys = [
      "AWS_ACCESS_KEY_ID": SeaweedServer.key, "AWS_SECRET_ACCESS_KEY": SeaweedServer.secretKey,
    ]
    let access = try CacheAccess { keys[$0] }
    try server.makeBucket()
    try share(through: server, at: "\(server.bucket)/team/contentc", access: access)

    let stranger = try RemoteCache(at: "\(server.bucket)/team/contentc")
    stranger.store(Sample.samples(1)[0].bytes, under: Sample.samples(1)[0].content)
    let summary = stranger.finish()
    #expect(summary.isReadOnly && summary.stored == 0)
  }

  private func share(through server: SeaweedServer, at address: String, access: CacheAccess) throws
  {
    let samples = Sample.samples(40)
    let cache = try RemoteCache(at: address, access: access)
    #expect(cache.fetch(samples.map(\.content)).allSatisfy { $0 == nil }, "\(address)")
    for sample in samples { cache.store(sample.bytes, under: sample.content) }
    cache.store(samples[1].bytes, under: samples[0].record)
    let written = cache.finish()
    #expect(
      written.missing == 40 && written.stored == 41 && written.warning == nil,
      "\(address)\n\(server.printed().suffix(2_000))")

    let reader = try RemoteCache(at: address, access: access)
    #expect(reader.holds(samples), "\(address)")
    #expect(reader.holds(samples[1].bytes, under: samples[0].record), "\(address)")
    #expect(reader.finish().fetched == 41, "\(address)")
  }
}
