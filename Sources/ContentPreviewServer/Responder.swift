import ContentPreview
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Between connections and answers: reads a request's head, and writes the answer to it.
struct Responder: Sendable {
  let router: PreviewRouter

  /// How much of a file is read at once, in bytes.
  private static let chunk = 131_072

  @concurrent
  func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel)
    async throws
  {
    var response = await response(to: request, own: channel.localAddress?.ipAddress)
    // What comes after a head is not waited for.
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
        try await Self.send(file, range, try await writer.writeHead(head))
      case .events: try await send(request.body, try await writer.writeHead(head))
      }
    }
    if response.closes { channel.closeAfterAnswer() }
  }

  private func response(to request: Request, own: String?) async -> PreviewResponse {
    guard request.method == .get || request.method == .head else {
      var response = PreviewResponse.error(
        RequestError(.methodNotAllowed, "only GET and HEAD are answered"))
      response.fields.append(("allow", "GET, HEAD"))
      return response
    }
    guard !request.hasBody else {
      return .error(RequestError(.contentTooLarge, "a request must not have a body"))
    }
    do throws(RequestTarget.ParseError) {
      let target = try RequestTarget(request.head.path ?? "")
      let previewRequest = PreviewRequest(
        isHead: request.method == .head, target: target, fields: request.joinedFields)
      // A second Host is a request that two servers read in two ways (RFC 9112, section 3.2).
      let host = previewRequest["host"] == nil ? request.head.authority : nil
      return await router.response(to: previewRequest, host: host ?? "", own: own)
    } catch {
      return .error(RequestError(.badRequest, "the path must be plain names between slashes"))
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
    _ file: ServedFile, _ range: Range<Int>, _ writer: consuming some ResponseBodyWriter
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

  /// Sends events until the client goes or the server ends.
  @concurrent
  private func send(_ body: RequestBody, _ writer: consuming some ResponseBodyWriter) async throws {
    var writer = writer
    let events = router.listen()
    do {
      try await body.consumeWithCancellationOnInboundClose { _ in
        for await event in events { try await writer.write(ByteBuffer(string: event)) }
      }
    }
    try await writer.finish(nil)
  }
}

extension Request {
  fileprivate var hasBody: Bool {
    headers.contains(.transferEncoding) || headers[.contentLength].map { $0 != "0" } ?? false
  }

  /// By lower-case name.
  fileprivate var joinedFields: [String: String] {
    var joined: [String: String] = [:]
    for field in headers {
      let name = field.name.canonicalName
      joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return joined
  }
}
