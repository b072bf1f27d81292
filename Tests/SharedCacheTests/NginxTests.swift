import ContentBuild
import ContentModel
import TestServers
import Testing

@Suite(.needsServers) struct NginxTests {
  @Test func sharesContentsAndRecords() throws {
    let server = try NginxServer()
    let samples = Sample.samples(200)
    let writer = try RemoteCache(at: server.address)
    for sample in samples { writer.store(sample.bytes, under: sample.content) }
    writer.store(samples[1].bytes, under: samples[0].record)
    let written = writer.finish()
    #expect(written.stored == 201 && written.unsent == 0 && written.warning == nil)

    let reader = try RemoteCache(at: server.address)
    #expect(reader.holds(samples))
    #expect(reader.holds(samples[1].bytes, under: samples[0].record))
    let read = reader.finish()
    #expect(read.fetched == 201 && read.missing == 0 && read.wrong == 0 && read.warning == nil)
  }

  @Test func sharesEmptyAndLargeFiles() throws {
    let server = try NginxServer()
    let cache = try RemoteCache(at: server.address)
    let samples = [Sample(bytes: []), Sample(bytes: [UInt8](repeating: 7, count: 20 << 20))]
    for sample in samples { cache.store(sample.bytes, under: sample.content) }
    cache.store([], under: samples[0].record)
    #expect(cache.finish().stored == 3)
    let reader = try RemoteCache(at: server.address)
    #expect(reader.holds(samples))
    #expect(reader.fetch(samples[0].record) == [])
  }

  @Test func answersManyThreadsAtOnce() async throws {
    let server = try NginxServer()
    let samples = Sample.samples(40)
    let writer = try RemoteCache(at: server.address)
    for sample in samples { writer.store(sample.bytes, under: sample.content) }
    #expect(writer.finish().stored == 40)
    let reader = try RemoteCache(at: server.address)
    await withTaskGroup { group in
      for sample in samples { group.addTask { reader.holds([sample]) } }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func findsNothingInAnEmptyCache() throws {
    let server = try NginxServer()
    let cache = try RemoteCache(at: server.address + "/")
    #expect(cache.fetch(Sample.samples(30).map(\.content)).allSatisfy { $0 == nil })
    #expect(cache.fetch(Sample.samples(1)[0].record) == nil)
    let summary = cache.finish()
    #expect(summary.missing == 31 && summary.warning == nil)
  }

  @Test(arguments: ["other bytes", "", "short"]) func dropsContentWithAnotherHash(damage: String)
    throws
  {
    let server = try NginxServer()
    let sample = Sample(bytes: Array("the bytes".utf8))
    try store(sample.bytes, under: sample.content, at: server)
    try server.folder.write("files/cas/\(sample.digest.hex)", damage)
    let reader = try RemoteCache(at: server.address)
    #expect(reader.fetch(sample.content) == nil)
    #expect(reader.finish().wrong == 1)
  }

  @Test func dropsARecordOfAnotherKey() throws {
    let server = try NginxServer()
    let samples = Sample.samples(2)
    try store([1, 2, 3], under: samples[0].record, at: server)
    let path = { (sample: Sample) in "files/ac/\(sample.digest.hex)" }
    try server.folder.write(
      path(samples[1]), try ScratchFolder.read(server.folder.path(path(samples[0]))))
    let reader = try RemoteCache(at: server.address)
    #expect(reader.fetch(samples[1].record) == nil)
    #expect(reader.fetch(samples[0].record) == [1, 2, 3])
    #expect(reader.finish().wrong == 1)
  }

  @Test func dropsARecordOfAnotherSecret() throws {
    let server = try NginxServer()
    let key = Sample.samples(1)[0].record
    try store([1, 2, 3], under: key, at: server)
    var access = CacheAccess()
    access.secret = "not the writer's secret"
    let reader = try RemoteCache(at: server.address, access: access)
    #expect(reader.fetch(key) == nil)
    #expect(reader.finish().wrong == 1)
  }

  @Test func readsFromAServerThatForbidsWriting() throws {
    let server = try NginxServer(writers: "192.0.2.1")
    let samples = Sample.samples(2)
    try Program.run("/bin/mkdir", [server.folder.path("files/cas")])
    try server.folder.write("files/cas/\(samples[0].digest.hex)", samples[0].bytes)
    let cache = try RemoteCache(at: server.address)
    cache.store(samples[1].bytes, under: samples[1].content)
    #expect(cache.holds([samples[0]]))
    let summary = cache.finish()
    #expect(
      summary.isReadOnly && summary.unsent == 1 && summary.stored == 0 && summary.warning == nil)
  }

  @Test func trustsTheCertificatesOfTheEnvironment() throws {
    let server = try NginxServer(isEncrypted: true)
    let sample = Sample.samples(1)[0]
    var access = CacheAccess()
    access.certificates = server.folder.path("certificate.pem")
    let writer = try RemoteCache(at: server.address, access: access)
    writer.store(sample.bytes, under: sample.content)
    #expect(writer.finish().stored == 1)
    let reader = try RemoteCache(at: server.address, access: access)
    #expect(reader.holds([sample]))
  }

  @Test func givesUpAServerWithAnUntrustedCertificate() throws {
    let server = try NginxServer(isEncrypted: true)
    let cache = try RemoteCache(at: server.address)
    #expect(cache.fetch(Sample.samples(1)[0].content) == nil)
    let warning = try #require(cache.finish().warning)
    #expect(warning.contains(server.address))
  }

  private func store(_ bytes: [UInt8], under key: CacheKey, at server: NginxServer) throws {
    let writer = try RemoteCache(at: server.address)
    writer.store(bytes, under: key)
    #expect(writer.finish().stored == 1)
  }
}
