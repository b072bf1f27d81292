import ContentModel
import RemoteCache
import TestServers
import Testing

/// Faulty servers.
///
/// Each fault soon ends in "no cache" with one warning.
@Suite struct IllServerTests {
  @Test(arguments: [
    ("an error", ScriptedServer.Reply.answer(status: 500)),
    ("a refusal", .answer(status: 403)),
    ("a redirection", .answer(status: 302, headers: ["Location: http://127.0.0.1:1/"])),
    (
      "a page in place of every answer",
      .answer(status: 200, body: Array("<p>please log in</p>".utf8))
    ),
    ("silence", .silence),
    ("death before the answer", .bytes([])),
    ("death in the head", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))),
    (
      "death half way",
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nbeginning".utf8))
    ),
    ("no HTTP", .bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))),
    ("a length that is none", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\n".utf8))),
  ])
  func givesUp(what: String, reply: ScriptedServer.Reply) throws {
    let server = try ScriptedServer { _ in reply }
    defer { server.stop() }
    let time = try ContinuousClock().measure {
      let cache = try RemoteCache(at: server.address, limits: .quick)
      let samples = Sample.samples(100)
      cache.store(.content, samples[0].key, samples[0].bytes)
      #expect(cache.fetch(.content, samples.map(\.key)).allSatisfy { $0 == nil }, "\(what)")
      let asked = server.requests.count
      // A successful write resets the count of failures.
      let counts = what == "a page in place of every answer" ? 2 : 1
      let limits = CacheLimits.quick
      #expect(asked <= counts * (limits.failures - 1) + limits.readers + 1, "\(what)")
      #expect(cache.fetch(.record, samples.map(\.key)).allSatisfy { $0 == nil })
      #expect(
        server.requests.count <= asked + 1, "\(what): the client asks a server it gave up")
      let summary = cache.finish()
      #expect(
        summary.warning?.hasPrefix("the cache at '\(server.address)' is given up for this build: ")
          == true)
      #expect(summary.fetched == 0)
    }
    #expect(time < .seconds(5), "\(what)")
  }

  @Test(arguments: [
    "http://127.0.0.1:1", "http://no-such-host.invalid/cache", "https://127.0.0.1:1/",
    "s3+http://127.0.0.1:1/b",
  ])
  func givesUpWhereNobodyListens(address: String) throws {
    let cache = try RemoteCache(at: address, limits: .quick)
    let samples = Sample.samples(50)
    let time = ContinuousClock().measure {
      #expect(cache.fetch(.content, samples.map(\.key)).allSatisfy { $0 == nil })
      cache.store(.content, samples[0].key, samples[0].bytes)
      let summary = cache.finish()
      #expect(summary.warning != nil && summary.unsent == 1)
    }
    #expect(time < .seconds(5))
  }

  @Test func givesUpAfterNothingWasHeardForAWhile() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    var limits = CacheLimits()
    limits.silentSeconds = 1
    let cache = try RemoteCache(at: server.address, limits: limits)
    let time = ContinuousClock().measure {
      #expect(cache.fetch(.record, Sample.samples(1)[0].key) == nil)
    }
    #expect(time < .seconds(4))
  }

  @Test func livesWithFailuresThatAreNotInARow() throws {
    let sample = Sample.samples(1)[0]
    let other = Sample.samples(2)[1]
    let server = try ScriptedServer { request in
      request.path.hasSuffix(sample.key.hex)
        ? .answer(status: 200, body: sample.bytes) : .answer(status: 500)
    }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address, limits: .quick)
    for _ in 0..<4 {
      #expect(cache.fetch(.content, other.key) == nil)
      #expect(cache.holds([sample]))
    }
    #expect(cache.finish().warning == nil)
  }

  @Test func readsNoMoreThanTheLimit() throws {
    let sample = Sample(bytes: [UInt8](repeating: 1, count: 100_001))
    let server = try ScriptedServer { _ in .answer(status: 200, body: sample.bytes) }
    defer { server.stop() }
    var limits = CacheLimits.quick
    limits.answerBytes = 100_000
    limits.failures = 1
    let cache = try RemoteCache(at: server.address, limits: limits)
    #expect(cache.fetch(.content, sample.key) == nil)
    #expect(cache.finish().warning?.contains("too long") == true)
  }

  @Test func followsNoRedirection() throws {
    let sample = Sample.samples(1)[0]
    let other = try ScriptedServer { _ in .answer(status: 200, body: sample.bytes) }
    defer { other.stop() }
    let place = other.address
    let server = try ScriptedServer {
      .answer(status: 307, headers: ["Location: \(place)\($0.path)"])
    }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address, limits: .quick)
    cache.store(.content, sample.key, sample.bytes)
    #expect(cache.fetch(.content, sample.key) == nil)
    _ = cache.finish()
    #expect(!server.requests.isEmpty && other.acceptedConnections == 0)
  }
}
