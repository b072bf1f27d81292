import ContentBuild
import ContentModel
import HTTPTransport
import TestServers
import Testing

/// Faulty servers.
///
/// Each fault soon ends in "no cache" with one warning.
@Suite struct FaultyServerTests {
  @Test(arguments: [
    ("an error", ScriptedServer.Reply.answer(status: 500)),
    ("a refusal", .answer(status: 403)),
    ("a redirection", .answer(status: 302, headers: ["Location: http://127.0.0.1:1/"])),
    (
      "a page in place of every answer",
      .answer(status: 200, body: Array("<p>please log in</p>".utf8))
    ),
    ("silence", .silence),
    ("no answer", .bytes([])),
    ("an incomplete head", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))),
    (
      "an incomplete body",
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nbeginning".utf8))
    ),
    ("no HTTP", .bytes(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))),
    ("an invalid length", .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\n".utf8))),
  ])
  func givesUpAFaultyServer(what: String, reply: ScriptedServer.Reply) throws {
    let server = try ScriptedServer { _ in reply }
    defer { server.stop() }
    let time = try ContinuousClock().measure {
      let cache = try RemoteCache(at: server.address, limits: .quick)
      let samples = Sample.samples(100)
      cache.store(samples[0].bytes, under: samples[0].content)
      #expect(cache.fetch(samples.map(\.content)).allSatisfy { $0 == nil }, "\(what)")
      let asked = server.requests.count
      // A successful write resets the count of failures.
      let counts = what == "a page in place of every answer" ? 2 : 1
      let limits = CacheLimits.quick
      #expect(asked <= counts * (limits.failures - 1) + limits.readers + 1, "\(what)")
      #expect(cache.fetch(samples.map(\.record)).allSatisfy { $0 == nil })
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
  func givesUpAnAddressWithoutAServer(address: String) throws {
    let cache = try RemoteCache(at: address, limits: .quick)
    let samples = Sample.samples(50)
    let time = ContinuousClock().measure {
      #expect(cache.fetch(samples.map(\.content)).allSatisfy { $0 == nil })
      cache.store(samples[0].bytes, under: samples[0].content)
      let summary = cache.finish()
      #expect(summary.warning != nil && summary.unsent == 1)
    }
    #expect(time < .seconds(5))
  }

  @Test func givesUpASilentServer() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    var limits = CacheLimits()
    limits.request.silentSeconds = 1
    let cache = try RemoteCache(at: server.address, limits: limits)
    let time = ContinuousClock().measure {
      #expect(cache.fetch(Sample.samples(1)[0].record) == nil)
    }
    #expect(time < .seconds(4))
  }

  @Test func toleratesFailuresThatAreNotInARow() throws {
    let sample = Sample.samples(1)[0]
    let other = Sample.samples(2)[1]
    let server = try ScriptedServer { request in
      request.path.hasSuffix(sample.digest.hex)
        ? .answer(status: 200, body: sample.bytes) : .answer(status: 500)
    }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address, limits: .quick)
    for _ in 0..<4 {
      #expect(cache.fetch(other.content) == nil)
      #expect(cache.holds([sample]))
    }
    #expect(cache.finish().warning == nil)
  }

  /// Neither the size of an answer nor a byte now and then extends the time of a request.
  @Test func givesUpAServerThatSendsTooSlowly() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 60000000\r\n\r\n"
    let server = try ScriptedServer { _ in
      .trickle(Array(head.utf8) + [UInt8](repeating: 1, count: 200), milliseconds: 20)
    }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address, limits: .quick)
    let time = ContinuousClock().measure {
      #expect(cache.fetch(Sample.samples(1)[0].content) == nil)
    }
    #expect(time < .seconds(3) && cache.finish().warning != nil)
  }

  @Test func finishesDespiteAnUnansweredRequest() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    var limits = CacheLimits()
    limits.request.requestMilliseconds = 60_000
    limits.request.silentSeconds = 60
    limits.finishMilliseconds = 200
    let cache = try RemoteCache(at: server.address, limits: limits)
    let sample = Sample.samples(1)[0]
    cache.store(sample.bytes, under: sample.content)
    let time = ContinuousClock().measure {
      let summary = cache.finish()
      #expect(summary.unsent == 1 && summary.warning == nil)
    }
    #expect(time < .seconds(4) && server.requests.count == 1)
  }

  @Test func readsNoMoreThanTheLimit() throws {
    let sample = Sample(bytes: [UInt8](repeating: 1, count: 100_001))
    let server = try ScriptedServer { _ in .answer(status: 200, body: sample.bytes) }
    defer { server.stop() }
    var limits = CacheLimits.quick
    limits.request.answerBytes = 100_000
    limits.failures = 1
    let cache = try RemoteCache(at: server.address, limits: limits)
    #expect(cache.fetch(sample.content) == nil)
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
    cache.store(sample.bytes, under: sample.content)
    #expect(cache.fetch(sample.content) == nil)
    _ = cache.finish()
    #expect(!server.requests.isEmpty && other.acceptedConnections == 0)
  }
}
