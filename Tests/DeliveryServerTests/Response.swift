import TestServers

/// A server's answer to one request on its own connection (RFC 9112).
struct Response: Sendable {
  let status: Int
  let body: [UInt8]
  private let headers: [(name: String, value: String)]

  init(to path: String, _ headers: [String: String], on port: UInt16) throws {
    try self.init("GET", path, headers, on: port)
  }

  init(
    _ method: String, _ path: String, _ headers: [String: String], on port: UInt16,
    from source: String? = nil
  )
    throws
  {
    let socket = try Socket.connected(to: port, from: source)
    defer { socket.close() }
    let host = headers["Host"] ?? "127.0.0.1:\(port)"
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)", "Connection: close"]
    let extra = headers.filter { $0.key != "Host" }.sorted { $0.key < $1.key }.map {
      "\($0.key): \($0.value)"
    }
    socket.send(Array(((lines + extra).joined(separator: "\r\n") + "\r\n\r\n").utf8))
    var bytes: [UInt8] = []
    while case let more = socket.receive(), !more.isEmpty { bytes += more }
    try self.init(bytes)
  }

  private init(_ bytes: [UInt8]) throws {
    let end = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }
    guard let end else { throw Problem("no answer: \(bytes.count) bytes") }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count > 1, let status = Int(words[1]) else { throw Problem("no status: \(lines)") }
    self.status = status
    headers = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1)
      let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      return (String(parts[0]).lowercased(), String(value))
    }
    let sent = bytes[(end + 4)...]
    let isChunked = headers.contains {
      $0.name == "transfer-encoding" && $0.value.lowercased() == "chunked"
    }
    body = isChunked ? try Self.joined(sent) : Array(sent)
  }

  /// Joins the chunks of a body (RFC 9112, section 7.1).
  private static func joined(_ sent: ArraySlice<UInt8>) throws -> [UInt8] {
    var (rest, body) = (sent, [UInt8]())
    while let end = rest.firstIndex(of: UInt8(ascii: "\r")) {
      let digits = String(decoding: rest[..<end], as: UTF8.self).prefix { $0 != ";" }
      guard let count = Int(digits, radix: 16), rest.endIndex - end >= count + 4 else { break }
      if count == 0 { return body }
      body += rest[(end + 2)..<(end + 2 + count)]
      rest = rest[(end + 2 + count + 2)...]
    }
    throw Problem("a chunked body breaks off after \(body.count) bytes")
  }

  /// Returns a header's value, or `nil` unless the header occurs exactly once.
  subscript(name: String) -> String? {
    let found = headers.filter { $0.name == name.lowercased() }
    return found.count == 1 ? found[0].value : nil
  }

  /// The headers that a proxy in front of this server repeats.
  var lines: [String] {
    headers.filter { !["connection", "content-length", "transfer-encoding"].contains($0.name) }.map
    {
      "\($0.name): \($0.value)"
    }
  }

  func has(_ name: String) -> Bool { headers.contains { $0.name == name.lowercased() } }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// `true` if the body has the announced length.
  var isWhole: Bool { self["Content-Length"] == "\(body.count)" }
}
