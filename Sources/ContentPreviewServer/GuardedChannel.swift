import ContentPreview
import HummingbirdCore
import Logging
import NIOCore

/// The setup of HTTP/1.1 connections, each with a `ConnectionGuard` as its first handler.
struct GuardedChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value

  private let base: HTTP1Channel
  private let limits: ServerLimits

  init(_ limits: ServerLimits, responder: @escaping HTTPChannelHandler.Responder) {
    self.limits = limits
    base = HTTP1Channel(
      responder: responder,
      configuration: HTTP1Channel.Configuration(
        idleTimeout: .seconds(Int64(limits.idleSeconds)),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.head, maxHeaderListSize: limits.head, maxHeaderFieldCount: 100)
      ))
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { [limits] value in
      try channel.pipeline.syncOperations.addHandler(ConnectionGuard(limits), position: .first)
      return value
    }
  }

  func handle(value: Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
