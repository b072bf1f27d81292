import ContentPreview
import NIOCore

/// A handler that closes connections of clients whose request is too long, or that do not read.
///
/// A class, as SwiftNIO requires of handlers.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let limits: ServerLimits
  private var head = HeadLength()
  private var isRefused = false
  private var pendingWrites = 0
  /// The number of completed writes; it increases while the client reads.
  private var completedWrites = 0
  private var isChecking = false

  init(_ limits: ServerLimits) { self.limits = limits }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch head.excess(after: unwrapInboundIn(data).readableBytesView, limits: limits) {
    case nil: context.fireChannelRead(data)
    case .requestLine: refuse(context, status: "414 URI Too Long")
    case .fields: refuse(context, status: "431 Request Header Fields Too Large")
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    pendingWrites += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.pendingWrites -= 1
      self.completedWrites += 1
    }
    context.write(data, promise: promise)
    if !isChecking { checkLater(context) }
  }

  /// Closes the connection unless the client reads something in time.
  private func checkLater(_ context: ChannelHandlerContext) {
    isChecking = true
    let before = completedWrites
    context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(limits.stalledSeconds))) {
      self.isChecking = false
      guard self.pendingWrites > 0, context.channel.isActive else { return }
      if self.completedWrites == before {
        context.close(promise: nil)
      } else {
        self.checkLater(context)
      }
    }
  }

  private func refuse(_ context: ChannelHandlerContext, status: String) {
    isRefused = true
    let text = "HTTP/1.1 \(status)\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer(string: text))), promise: nil)
    context.channel.closeAfterResponse()
  }
}

extension Channel {
  /// Closes the connection after all written bytes are sent.
  ///
  /// An immediate close with unread bytes resets the connection, and the response may be lost
  /// (RFC 9112, section 9.6).
  func closeAfterResponse() {
    close(mode: .output, promise: nil)
    eventLoop.scheduleTask(in: .seconds(1)) { self.close(promise: nil) }
  }
}

/// A count of the bytes of each request's head.
///
/// Bodies are not counted: the server reads them only up to a limit of its own.
private struct HeadLength {
  enum Excess {
    case requestLine
    case fields
  }

  /// The number of bytes of the current line.
  private var line = 0
  /// The number of bytes of the whole head.
  private var all = 0
  private var isRequestLine = true
  /// The first bytes of the current line, enough for `Content-Length` and a number.
  private var start: [UInt8] = []
  /// The length of the body that follows the head.
  private var length = 0
  /// The number of bytes of the body that are not received yet.
  private var body = 0

  /// Counts bytes, and returns the part of the head that is too long.
  mutating func excess(after bytes: ByteBufferView, limits: ServerLimits) -> Excess? {
    var rest = bytes
    while !rest.isEmpty {
      if body > 0 {
        let count = min(body, rest.count)
        rest = rest.dropFirst(count)
        body -= count
        continue
      }
      let byte = rest.removeFirst()
      if byte == UInt8(ascii: "\n") {
        endLine(limits)
      } else if byte != UInt8(ascii: "\r") {
        line += 1
        if start.count < Self.mostStart { start.append(byte) }
      }
      all += 1
      if isRequestLine, line > limits.requestLine { return .requestLine }
      if all > limits.head { return .fields }
    }
    return nil
  }

  private static let mostStart = 40

  private mutating func endLine(_ limits: ServerLimits) {
    // An empty line ends the head.
    isRequestLine = line == 0
    if line == 0 {
      all = 0
      (body, length) = (length, 0)
    } else if let length = Self.contentLength(start), length <= limits.body {
      self.length = length
    }
    line = 0
    start.removeAll(keepingCapacity: true)
  }

  /// Returns the number of a line `Content-Length: 12`; `nil` for another line.
  private static func contentLength(_ line: [UInt8]) -> Int? {
    let sides = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard sides.count == 2, line.count < mostStart,
      String(decoding: sides[0], as: UTF8.self).lowercased() == "content-length"
    else { return nil }
    let digits = sides[1].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return digits.first == UInt8(ascii: "+") ? nil : Int(String(decoding: digits, as: UTF8.self))
  }
}
