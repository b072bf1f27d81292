import ContentModel
import RemoteCache
import TestServers
import Testing

@Suite struct NginxTests {
  @Test func sharesContentsAndRecords() throws {
    let server = try NginxServer()
    let samples = Sample.samples(200)
    let writer = try RemoteCache(at: server.address)
    for sample in samples { writer.store(.content, sample.key, sample.bytes) }
    writer.store(.record, samples[0].key, samples[1].bytes)
    let written = writer.finish()
    #expect(written.stored == 201 && written.unsent == 0 && written.warning == nil)

    let reader = try RemoteCache(at: server.address)
    #expect(reader.holds(samples))
    #expect(reader.holds(record: samples[1].bytes, samples[0].key))
    let read = reader.finish()
    #expect(read.fetched == 201 && read.missing == 0 && read.wrong == 0 && read.warning == nil)
  }

  @Test func sharesNoBytesAndManyBytes() throws {
    let server = try NginxServer()
    let cache = try RemoteCache(at: server.address)
    let samples = [Sample(bytes: []), Sample(bytes: [UInt8](repeating: 7, count: 20 << 20))]
    for sample in samples { cache.store(.content, sample.key, sample.bytes) }
    cache.store(.record, samples[0].key, [])
    #expect(cache.finish().stored == 3)
    let reader = try RemoteCache(at: server.address)
    #expect(reader.holds(samples))
    #expect(reader.fetch(.record, samples[0].key) == [])
  }

  @Test func answersManyThreadsAtOnce() async throws {
    let server = try NginxServer()
    let samples = Sample.samples(40)
    let writer = try RemoteCache(at: server.address)
    for sample in samples { writer.store(.content, sample.key, sample.bytes) }
    #expect(writer.finish().stored == 40)
    let reader = try RemoteCache(at: server.address)
    await withTaskGroup { group in
      for sample in samples { group.addTask { reader.holds([sample]) } }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func findsNothingWhereNothingIs() throws {
    let server = try NginxServer()
    let cache = try RemoteCache(at: server.address + "/")
    #expect(cache.fetch(.content, Sample.samples(30).map(\.key)).allSatisfy { $0 == nil })
    #expect(cache.fetch(.record, Sample.samples(1)[0].key) == nil)
    let summary = cache.finish()
    #expect(summary.missing == 31 && summary.warning == nil)
  }

  @Test(arguments: ["other bytes", "", "short"]) func dropsContentThatIsNotItsKeys(damage: String)
    throws
  {
    let server = try NginxServer()
    let sample = Sample(bytes: Array("the bytes".utf8))
    try store(.content, sample.key, sample.bytes, at: server)
    try server.folder.write("files/cas/\(sample.key.hex)", damage)
    let reader = try RemoteCache(at: server.address)
    #expect(reader.fetch(.content, sample.key) == nil)
    #expect(reader.finish().wrong == 1)
  }

  @Test func dropsRecordThatWasStoredUnderAnotherKey() throws {
    let server = try NginxServer()
    let samples = Sample.samples(2)
    try store(.record, samples[0].key, [1, 2, 3], at: server)
    let path = { (sample: Sample) in "files/ac/\(sample.key.hex)" }
    try server.folder.write(path(samples[1]), try server.folder.read(path(samples[0])))
    let reader = try RemoteCache(at: server.address)
    #expect(reader.fetch(.record, samples[1].key) == nil)
    #expect(reader.fetch(.record, samples[0].key) == [1, 2, 3])
    #expect(reader.finish().wrong == 1)
  }

  @Test func dropsRecordThatWasSealedWithAnotherSecret() throws {
    let server = try NginxServer()
    let key = Sample.samples(1)[0].key
    try store(.record, key, [1, 2, 3], at: server)
    var access = CacheAccess()
    access.secret = "not known to whoever wrote it"
    let reader = try RemoteCache(at: server.address, access: access)
    #expect(reader.fetch(.record, key) == nil)
    #expect(reader.finish().wrong == 1)
  }

  @Test func readsWhereItMayNotWrite() throws {
    let server = try NginxServer(writers: "192.0.2.1")
    let samples = Sample.samples(2)
    try Program.run("/bin/mkdir", [server.folder.path("files/cas")])
    try server.folder.write("files/cas/\(samples[0].key.hex)", samples[0].bytes)
    let cache = try RemoteCache(at: server.address)
    cache.store(.content, samples[1].key, samples[1].bytes)
    #expect(cache.holds([samples[0]]))
    let summary = cache.finish()
    #expect(
      summary.isReadOnly && summary.unsent == 1 && summary.stored == 0 && summary.warning == nil)
  }

  @Test func speaksTLSWithWhomItTrusts() throws {
    let server = try NginxServer(isEncrypted: true)
    let sample = Sample.samples(1)[0]
    var access = CacheAccess()
    access.certificates = server.folder.path("certificate.pem")
    let writer = try RemoteCache(at: server.address, access: access)
    writer.store(.content, sample.key, sample.bytes)
    #expect(writer.finish().stored == 1)
    let reader = try RemoteCache(at: server.address, access: access)
    #expect(reader.holds([sample]))
  }

  @Test func givesUpAServerWhoseCertificateNobodySigned() throws {
    let server = try NginxServer(isEncrypted: true)
    let cache = try RemoteCache(at: server.address)
    #expect(cache.fetch(.content, Sample.samples(1)[0].key) == nil)
    let warning = try #require(cache.finish().warning)
    #expect(warning.contains(server.address))
  }

  private func store(_ kind: CacheKind, _ key: Digest, _ bytes: [UInt8], at server: NginxServer)
    throws
  {
    let writer = try RemoteCache(at: server.address)
    writer.store(kind, key, bytes)
    #expect(writer.finish().stored == 1)
  }
}
