package import ContentPreview
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization
import System

/// An HTTP server that runs until it is stopped.
///
/// A class, since it owns a socket and the task that accepts connections.
package final class PreviewServer: PreviewListener {
  /// The port that the server listens on.
  package let port: Int
  private let server: Server<GuardedChannel>
  private let task: Task<Void, any Error>

  /// Starts a server on a port; 0 is any free port.
  package static func start(
    _ router: PreviewRouter, port: Int, isOnNetwork: Bool, limits: ServerLimits
  ) async throws(PreviewListenerError) -> PreviewServer {
    let responder = Responder(router: router)
    let channel = GuardedChannel(limits) {
      try await responder.respond(to: $0, writer: $1, channel: $2)
    }
    let (ports, announced) = AsyncStream.makeStream(of: Result<Int, PreviewListenerError>.self)
    let logger = Logger(label: "contentc.preview") { _ in SwiftLogNoOpLogHandler() }
    let server = Server(
      childChannelSetup: channel,
      configuration: ServerConfiguration(
        address: .hostname(isOnNetwork ? "0.0.0.0" : "127.0.0.1", port: port), backlog: 1_024,
        availableConnectionsDelegate: .maximum(connections(limits), logger: logger)),
      onServerRunning: { announced.yield(.success($0.localAddress?.port ?? port)) },
      eventLoopGroup: Self.threads,
      logger: logger)
    let task = Task {
      do { try await server.run() } catch {
        let code = (error as? IOError)?.errnoCode ?? EIO
        announced.yield(.failure(code == EADDRINUSE ? .portTaken : .failed(errno: code)))
        throw error
      }
    }
    for await result in ports {
      return PreviewServer(port: try result.get(), server: server, task: task)
    }
    throw .failed(errno: EIO)
  }

  private init(port: Int, server: Server<GuardedChannel>, task: Task<Void, any Error>) {
    (self.port, self.server, self.task) = (port, server, task)
  }

  /// The event loops: one thread, which is enough for a few pages.
  ///
  /// The group is never shut down, since connections may release their event loop late.
  private static let threads: MultiThreadedEventLoopGroup = {
    NIOSingletons.groupLoopCountSuggestion = 1
    return .singleton
  }()

  /// Closes all connections and the socket.
  package func stop() async {
    task.cancel()
    _ = await task.result
  }

  /// Returns the number of connections that the process's limit of open files allows.
  private static func connections(_ limits: ServerLimits) -> Int {
    guard let files = OpenFiles.raiseLimit(to: limits.connections + 512) else {
      return min(limits.connections, 512)
    }
    return min(limits.connections, max(64, files - 512))
  }
}
