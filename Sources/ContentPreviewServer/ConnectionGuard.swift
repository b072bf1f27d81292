import ContentPreview
import NIOCore

/// Stands at a connection's end and closes it on clients that send too much before they are done,
/// or take nothing.
///
/// A class, since a pipeline's handlers are.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let limits: ServerLimits
  private var head = HeadLength()
  private var isRefused = false
  private var untaken = 0
  /// Counts what was taken, so that a look at it later tells whether anything was.
  private var taken = 0
  private var isWaiting = false

  init(_ limits: ServerLimits) { self.limits = limits }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch head.excess(after: unwrapInboundIn(data).readableBytesView, limits) {
    case nil: context.fireChannelRead(data)
    case .requestLine: refuse(context, "414 URI Too Long")
    case .fields: refuse(context, "431 Request Header Fields Too Large")
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let promise = promise ?? context.eventLoop.makePromise()
    untaken += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in
      self.untaken -= 1
      self.taken += 1
    }
    context.write(data, promise: promise)
    if !isWaiting { wait(context) }
  }

  /// Closes the connection unless something is taken in time.
  private func wait(_ context: ChannelHandlerContext) {
    isWaiting = true
    let before = taken
    context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Int64(limits.untakenSeconds))) {
      self.isWaiting = false
      guard self.untaken > 0, context.channel.isActive else { return }
      if self.taken == before { context.close(promise: nil) } else { self.wait(context) }
    }
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: String) {
    isRefused = true
    let text = "HTTP/1.1 \(status)\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer(string: text))), promise: nil)
    context.channel.closeAfterAnswer()
  }
}

extension Channel {
  /// Closes the connection once what was written is sent.
  ///
  /// Closed at once, with bytes of the client unread, it would be reset, and the answer might be
  /// lost (RFC 9112, section 9.6).
  func closeAfterAnswer() {
    close(mode: .output, promise: nil)
    eventLoop.scheduleTask(in: .seconds(1)) { self.close(promise: nil) }
  }
}

/// Counts the bytes of requests' heads as they come in.
private struct HeadLength {
  enum Excess {
    case requestLine
    case fields
  }

  private var line = 0
  private var all = 0
  private var isRequestLine = true

  /// What became too long with these bytes.
  mutating func excess(after bytes: ByteBufferView, _ limits: ServerLimits) -> Excess? {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if line == 0 { (all, isRequestLine) = (0, true) } else { isRequestLine = false }
        line = 0
      } else if byte != UInt8(ascii: "\r") {
        line += 1
      }
      all += 1
      if isRequestLine, line > limits.requestLine { return .requestLine }
      if all > limits.head { return .fields }
    }
    return nil
  }
}
