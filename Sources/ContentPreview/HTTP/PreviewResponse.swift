import ContentModel
import PropertyLists

/// A response before it is written to a connection.
package struct PreviewResponse: Sendable {
  /// The status codes that the preview sends.
  package enum Status: Int, Sendable {
    case ok = 200
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case lengthRequired = 411
    case preconditionFailed = 412
    case contentTooLarge = 413
    case unsupportedMediaType = 415
    case rangeNotSatisfiable = 416
    case misdirectedRequest = 421
    case unprocessableContent = 422
    case serviceUnavailable = 503
  }

  /// The part after the header section.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    case file(ServedFile, Range<Int>)
    /// Server-sent events, until the client closes the connection; only a body that is sent opens the
    /// stream.
    case events(@Sendable () -> AsyncStream<String>)
  }

  package var status: Status
  package var fields: [(name: String, value: String)]
  package var body: Body
  /// `true` if the connection is closed after the response.
  package var closes = false

  init(_ status: Status, fields: [(name: String, value: String)] = [], body: Body = .none) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// The body's length in bytes; `nil` for a stream of events.
  package var length: Int? {
    switch body {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .events: nil
    }
  }

  /// Returns a response with a JSON value, which must not be cached.
  static func json(_ value: Value, status: Status = .ok) -> PreviewResponse {
    json(bytes: jsonBytes(of: value), status: status)
  }

  /// Returns a response with encoded JSON, which must not be cached.
  static func json(bytes: [UInt8], status: Status = .ok) -> PreviewResponse {
    PreviewResponse(
      status, fields: [("content-type", "application/json"), ("cache-control", "no-store")],
      body: .bytes(bytes))
  }

  /// Encodes a value as one line of JSON.
  static func jsonBytes(of value: Value) -> [UInt8] {
    ((try? PropertyList.encode(value, as: .json)) ?? Array("{}".utf8)) + [UInt8(ascii: "\n")]
  }

  /// Returns the response that reports an error.
  package static func error(_ error: RequestError) -> PreviewResponse {
    var response = json(["error": .string(error.message)], status: error.status)
    if error.status == .methodNotAllowed { response.fields.append(("allow", "GET, HEAD")) }
    if let seconds = error.retryAfter {
      response.fields.append(("retry-after", String(seconds)))
    }
    return response
  }
}

extension Instant {
  /// The date in the form of HTTP fields (RFC 9110, section 5.6.7), such as
  /// `Sun, 06 Nov 1994 08:49:37 GMT`; empty outside the years 1 to 9999.
  var httpDate: String {
    guard hasRFC3339 else { return "" }
    // The parts of `1994-11-06T08:49:37Z`.
    let parts = rfc3339.split { "-T:Z.".contains($0) }
    guard parts.count >= 6, let month = Int(parts[1]), (1...12).contains(month) else { return "" }
    let days = Int((secondsSinceReferenceDate / 86_400).rounded(.down))
    // The reference date, 2001-01-01, was a Monday.
    let weekday = Self.weekdays[((days % 7) + 7) % 7]
    let time = "\(parts[3]):\(parts[4]):\(parts[5])"
    return "\(weekday), \(parts[2]) \(Self.months[month - 1]) \(parts[0]) \(time) GMT"
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
