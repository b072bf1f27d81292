import SystemC
import TestServers
import Testing

@testable import HTTPTransport

/// Bodies that are read while they are sent.
@Suite struct HTTPStreamTests {
  @Test(arguments: [HTTPRequest.Method.put, .post, .delete], [1, 65_535, 65_537, 1 << 20])
  func sendsTheBytesThatAreRead(method: HTTPRequest.Method, count: Int) throws {
    let server = try ScriptedServer { _ in .answer(status: 200, body: Array("body".utf8)) }
    defer { server.stop() }
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let client = HTTPClient()
    for _ in 0..<2 {
      var request = HTTPRequest(method, server.address, headers: [("X-One", "1")])
      request.stream = HTTPStream(bytes)
      #expect(try client.send(request).body == Array("body".utf8))
      // A stream must not affect the next request.
      _ = try client.send(HTTPRequest(.put, server.address, body: [7]))
    }
    #expect(server.requests.map(\.method) == [method.rawValue, "PUT", method.rawValue, "PUT"])
    #expect(server.requests.map { $0.body == bytes } == [true, bytes == [7], true, bytes == [7]])
    #expect(server.acceptedConnections == 1)
    let names = server.requests[0].headers.map { $0.split(separator: ":")[0].lowercased() }
    #expect(names.filter { $0 != "content-length" } == ["host", "x-one"])
    #expect(server.requests[0].headers.contains("Content-Length: \(count)"))
  }

  @Test func expectsAnAnswerBeforeALargeBody() throws {
    let server = try HeadServer { socket, head in
      let asks = head.lines.contains("Expect: 100-continue") && head.rest.isEmpty
      if asks {
        socket.send(Array("HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n".utf8))
      }
    }
    defer { server.stop() }
    let bytes = Counter()
    #expect(try HTTPClient(limits: .quick).send(endless(server.address, bytes)).status == 412)
    #expect(bytes.value == 0)
  }

  /// libcurl resends a request when an open connection ends.
  @Test func readsAgainAfterTheEndOfAConnection() throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in counter.next() == 2 ? .bytes([]) : .answer(status: 200) }
    defer { server.stop() }
    let client = HTTPClient(limits: .quick)
    let bytes = [UInt8](repeating: 5, count: 100_000) + [6]
    var request = HTTPRequest(.put, server.address)
    request.stream = HTTPStream(bytes)
    _ = try client.send(HTTPRequest(.get, server.address))
    #expect(try client.send(request).mayHaveBeenSentTwice)
    #expect(server.requests.map { $0.body == bytes } == [false, true, true])
  }

  @Test(arguments: [0, 1, 70_000]) func reportsABodyThatCannotBeRead(place: Int) throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let client = HTTPClient(limits: .quick)
    var broken = HTTPRequest(.put, server.address)
    for (isError, words) in [(true, "the disk is gone"), (false, "ends too early")] {
      broken.stream = HTTPStream(count: 100_000) {
        var left = place
        return { buffer in
          if left == 0, isError { throw Gone() }
          defer { left -= min(left, buffer.count) }
          return min(left, buffer.count)
        }
      }
      let failure = #expect(throws: HTTPFailure.self) { try client.send(broken) }
      #expect(failure?.kind == .unreadable && failure?.mayHaveTakenEffect == false)
      #expect(failure?.isPassing == false && failure?.description.contains(words) == true)
    }
    #expect(server.requests.isEmpty)
    #expect(try client.send(HTTPRequest(.get, server.address)).status == 200)
  }

  /// The server answers early and leaves the rest of the body unread.
  @Test(arguments: [true, false]) func returnsAnAnswerFromBeforeTheEndOfTheBody(staysOpen: Bool)
    throws
  {
    let isHeard = Counter()
    let server = try HeadServer { socket, _ in
      socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      // By now the buffers of both sides are full, and the body waits.
      usleep(100_000)
      socket.send(Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno".utf8))
      while staysOpen, isHeard.value == 0 { usleep(1_000) }
    }
    defer { server.stop() }
    defer { isHeard.next() }
    let answer = try HTTPClient(limits: .quick).send(endless(server.address, Counter()))
    #expect(answer.status == 403 && answer.body == Array("no".utf8))
  }

  @Test func passesTheBodyOfASuccessToTheSink() throws {
    let body = [UInt8](repeating: 3, count: 200_000)
    let server = try ScriptedServer { request in
      .answer(status: request.path == "/ok" ? 200 : 404, body: body)
    }
    defer { server.stop() }
    let taken = Counter()
    let begun = Counter()
    func request(_ path: String, goesOn: Bool = true) -> HTTPRequest {
      var request = HTTPRequest(.get, server.address + path)
      request.sink = HTTPSink(count: 1) {
        begun.next()
        return { piece in
          for _ in piece { taken.next() }
          return goesOn
        }
      }
      return request
    }
    let client = HTTPClient(limits: .quick)
    // The body is longer than an answer in memory may be.
    let answer = try client.send(request("/ok"))
    #expect(
      answer.status == 200 && answer.body.isEmpty && taken.value == 200_000 && begun.value == 1)
    let failure = #expect(throws: HTTPFailure.self) { try client.send(request("/none")) }
    #expect(failure?.kind == .tooLong && taken.value == 200_000)
    #expect(throws: HTTPFailure.self) { try client.send(request("/ok", goesOn: false)) }
    #expect(begun.value == 3)
  }

  /// Returns a request with a body of a gigabyte, which counts reads.
  private func endless(_ address: String, _ reads: Counter) -> HTTPRequest {
    var request = HTTPRequest(.put, address)
    request.stream = HTTPStream(count: 1 << 30) {
      { buffer in
        reads.next()
        return buffer.count
      }
    }
    return request
  }

  private struct Gone: Error, CustomStringConvertible {
    var description: String { "the disk is gone" }
  }
}

extension HTTPStream {
  fileprivate init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) {
      var rest = bytes[...]
      return { buffer in
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
      }
    }
  }
}
