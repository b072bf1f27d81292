import ContentModel
import PropertyLists

/// A response before it is written to a connection.
package struct PreviewResponse: Sendable {
  /// The codes that the preview answers with.
  package enum Status: Int, Sendable {
    case ok = 200
    case partialContent = 206
    case notModified = 304
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case preconditionFailed = 412
    case contentTooLarge = 413
    case rangeNotSatisfiable = 416
    case misdirectedRequest = 421
    case serviceUnavailable = 503
  }

  /// What comes after the header section.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    case file(ServedFile, Range<Int>)
    /// Events as they happen, until the client goes.
    case events
  }

  package var status: Status
  package var fields: [(name: String, value: String)]
  package var body: Body
  /// Whether nothing more is read from the connection.
  package var closes = false

  init(_ status: Status, _ fields: [(name: String, value: String)] = [], _ body: Body = .none) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }

  /// In bytes; `nil` where it is not known beforehand.
  package var length: Int? {
    switch body {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .file(_, let range): range.count
    case .events: nil
    }
  }

  /// A value for programs, which nobody keeps.
  static func json(_ value: Value, _ status: Status = .ok) -> PreviewResponse {
    json(bytes(value), status)
  }

  /// A value as programs read it.
  static func bytes(_ value: Value) -> [UInt8] {
    ((try? PropertyList.encode(value, as: .json)) ?? Array("{}".utf8)) + [UInt8(ascii: "\n")]
  }

  /// The same of bytes that were a value.
  static func json(_ bytes: [UInt8], _ status: Status = .ok) -> PreviewResponse {
    PreviewResponse(
      status, [("content-type", "application/json"), ("cache-control", "no-store")], .bytes(bytes))
  }

  /// Says in one sentence why there is nothing else.
  package static func error(_ error: RequestError) -> PreviewResponse {
    var response = json(["error": .string(error.message)], error.status)
    if let seconds = error.retryAfter { response.fields.append(("retry-after", String(seconds))) }
    return response
  }
}
