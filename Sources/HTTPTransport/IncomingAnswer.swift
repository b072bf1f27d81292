import ContentModel

/// An answer while it is received.
///
/// A class, since libcurl holds its address.
final class IncomingAnswer {
  /// The size limit of a head, which is more than any server needs.
  private static let headLimit = 256 << 10

  private(set) var headers: [(name: String, value: String)] = []
  private(set) var body: [UInt8] = []
  private(set) var isTooLong = false
  /// `true` if fewer bytes arrived than the time so far allows.
  private(set) var isTooSlow = false
  /// `true` after the line that ends the head: libcurl takes an incomplete head for a complete one.
  private(set) var isHeadWhole = false
  /// `true` after the first line of the head.
  var hasBegun: Bool { headCount > 0 }
  /// The number of bytes of the body so far.
  private(set) var bodyCount = 0
  private let limits: HTTPLimits
  private let limit: Int
  private let milliseconds: Int
  private let take: HTTPSink.Taking?
  private let observe: (@Sendable (Int) -> Void)?
  private let start = ContinuousClock.now
  private var headCount = 0
  private var isSuccess = false

  /// Creates the answer to a request that is about to be sent.
  init(to request: HTTPRequest, limits: HTTPLimits) {
    self.limits = limits
    limit = limits.answerBytes(of: request)
    milliseconds = limits.milliseconds(for: request)
    take = request.sink?.begin()
    observe = request.observer?.received
  }

  /// Takes a part of the body; `false` if it has become too long.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bodyCount += bytes.count
    observe?(bytes.count)
    let end = start + .milliseconds(milliseconds + limits.milliseconds(forBytes: bodyCount))
    isTooSlow = ContinuousClock.now > end
    if isTooSlow { return false }
    if isSuccess, let take { return take(bytes) }
    isTooLong = body.count + bytes.count > limit
    if !isTooLong { body.append(contentsOf: bytes) }
    return !isTooLong
  }

  /// Takes a line of the head; `false` if it has become too long.
  func appendLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headCount += bytes.count
    isTooLong = headCount > Self.headLimit
    let line = String(decoding: bytes, as: UTF8.self)
    // A second head follows one such as "100 Continue".
    if line.hasBytePrefix("HTTP/") {
      (headers, isHeadWhole) = ([], false)
      isSuccess = line.split(separator: " ").dropFirst().first?.hasPrefix("2") ?? false
    }
    if line == "\r\n" || line == "\n" { isHeadWhole = true }
    if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
      headers.append((String(line[..<colon]), Self.trimmed(line[line.utf8.index(after: colon)...])))
    }
    return !isTooLong
  }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8
    while bytes.first?.isWhitespace == true { bytes.removeFirst() }
    while bytes.last?.isWhitespace == true { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
