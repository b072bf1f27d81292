import RemoteCache
import TestServers
import Testing

@Suite struct SeaweedTests {
  /// One test, because the server takes seconds to start.
  @Test func sharesContentsAndRecordsThroughFilerAndBucket() throws {
    let server = try SeaweedServer()
    try share(at: "\(server.filer)/contentc", CacheAccess(), server)

    let keys = [
      "AWS_ACCESS_KEY_ID": SeaweedServer.key, "AWS_SECRET_ACCESS_KEY": SeaweedServer.secretKey,
    ]
    let access = try CacheAccess { keys[$0] }
    try server.makeBucket()
    try share(at: "\(server.bucket)/team/contentc", access, server)

    let stranger = try RemoteCache(at: "\(server.bucket)/team/contentc")
    stranger.store(.content, Sample.samples(1)[0].key, Sample.samples(1)[0].bytes)
    let summary = stranger.finish()
    #expect(summary.isReadOnly && summary.stored == 0)
  }

  private func share(at address: String, _ access: CacheAccess, _ server: SeaweedServer) throws {
    let samples = Sample.samples(40)
    let cache = try RemoteCache(at: address, access: access)
    #expect(cache.fetch(.content, samples.map(\.key)).allSatisfy { $0 == nil }, "\(address)")
    for sample in samples { cache.store(.content, sample.key, sample.bytes) }
    cache.store(.record, samples[0].key, samples[1].bytes)
    let written = cache.finish()
    #expect(
      written.missing == 40 && written.stored == 41 && written.warning == nil,
      "\(address)\n\(server.printed().suffix(2_000))")

    let reader = try RemoteCache(at: address, access: access)
    #expect(reader.holds(samples), "\(address)")
    #expect(reader.holds(record: samples[1].bytes, samples[0].key), "\(address)")
    #expect(reader.finish().fetched == 41, "\(address)")
  }
}
