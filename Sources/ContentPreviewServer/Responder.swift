import ContentPreview
import HTTPTypes
import HummingbirdCore
import NIOCore

/// An adapter between hummingbird's requests and the preview's router.
struct Responder: Sendable {
  let router: PreviewRouter

  /// The number of bytes of a file that are read at once.
  private static let chunk = 131_072

  @concurrent
  func respond(
    to request: Request, writer: consuming ResponseWriter, channel: any Channel
  ) async throws {
    var response = await response(to: request, localAddress: channel.localAddress?.ipAddress)
    // A body may be unread, and would be taken for the next request.
    if request.hasBody { response.closes = true }
    let head = head(of: response)
    if request.method == .head {
      try await writer.writeResponse(head)
    } else {
      switch response.body {
      case .none: try await writer.writeResponse(head)
      case .bytes(let bytes):
        try await writer.write(
          response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
      case .file(let file, let range):
        try await Self.send(range, of: file, to: try await writer.writeHead(head))
      case .events(let open):
        try await Self.send(open(), to: try await writer.writeHead(head), during: request.body)
      }
    }
    if response.closes { channel.closeAfterResponse() }
  }

  private func response(to request: Request, localAddress: String?) async -> PreviewResponse {
    guard [.get, .head, .post].contains(request.method) else { return .error(.methodNotAllowed) }
    guard request.method == .post || !request.hasBody else {
      return .error(RequestError(.contentTooLarge, message: "a request must not have a body"))
    }
    do throws(RequestTarget.ParseError) {
      let target = try RequestTarget(request.head.path ?? "")
      let previewRequest = PreviewRequest(
        isHead: request.method == .head, target: target, fields: request.fields,
        readBody: request.method == .post ? Self.bodyReader(of: request) : nil)
      // Servers read a second Host in different ways, so it is refused (RFC 9112, section 3.2).
      let host = previewRequest["host"] == nil ? request.head.authority : nil
      return await router.response(
        to: previewRequest, host: host ?? "", localAddress: localAddress)
    } catch {
      return .error(
        RequestError(.badRequest, message: "the path must be plain names between slashes"))
    }
  }

  /// Returns a function that reads a request's body, if its length is known and within a limit.
  private static func bodyReader(of request: Request) -> PreviewRequest.ReadBody {
    { limit throws(RequestError) in
      guard let length = request.headers[.contentLength].flatMap({ Int($0) }),
        !request.headers.contains(.transferEncoding)
      else {
        throw RequestError(.lengthRequired, message: "'Content-Length' must be there")
      }
      let tooLarge = RequestError(
        .contentTooLarge, message: "a body must have at most \(limit) bytes")
      guard length <= limit else { throw tooLarge }
      do {
        var body = try await request.body.collect(upTo: limit)
        return body.readBytes(length: body.readableBytes) ?? []
      } catch { throw tooLarge }
    }
  }

  private func head(of response: PreviewResponse) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in response.fields {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    if let length = response.length, response.status != .notModified {
      fields[.contentLength] = String(length)
    }
    if response.closes { fields[.connection] = "close" }
    return HTTPResponse(
      status: HTTPResponse.Status(code: response.status.rawValue), headerFields: fields)
  }

  @concurrent
  private static func send(
    _ range: Range<Int>, of file: ServedFile, to writer: consuming some ResponseBodyWriter
  ) async throws {
    var writer = writer
    for start in stride(from: range.lowerBound, to: range.upperBound, by: chunk) {
      guard let bytes = file.bytes(start..<min(start + chunk, range.upperBound)) else {
        throw CancellationError()
      }
      try await writer.write(ByteBuffer(bytes: bytes))
    }
    try await writer.finish(nil)
  }

  /// Sends events until the client closes the connection or the server stops.
  @concurrent
  private static func send(
    _ events: AsyncStream<String>, to writer: consuming some ResponseBodyWriter,
    during body: RequestBody
  ) async throws {
    var writer = writer
    try await body.consumeWithCancellationOnInboundClose { _ in
      for await event in events { try await writer.write(ByteBuffer(string: event)) }
    }
    try await writer.finish(nil)
  }
}

extension Request {
  fileprivate var hasBody: Bool {
    headers.contains(.transferEncoding) || headers[.contentLength].map { $0 != "0" } ?? false
  }

  fileprivate var fields: [(name: String, value: String)] {
    headers.map { ($0.name.canonicalName, $0.value) }
  }
}
