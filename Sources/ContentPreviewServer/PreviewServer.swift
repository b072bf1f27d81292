package import ContentPreview
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An HTTP server that runs until it is stopped.
///
/// A class, since it owns a socket and the task that accepts connections.
package final class PreviewServer: PreviewListener {
  /// The port it listens on.
  package let port: Int
  private let server: Server<GuardedChannel>
  private let task: Task<Void, any Error>

  /// Listens on a port, on a free one where it is 0.
  package static func start(
    _ router: PreviewRouter, port: Int, onNetwork isOnNetwork: Bool, _ limits: ServerLimits
  ) async throws(PreviewListenerError) -> PreviewServer {
    let responder = Responder(router: router)
    let channel = GuardedChannel(limits) { try await responder.respond($0, $1, $2) }
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

  /// One thread is enough for a few pages, and it stays: connections let go of theirs when they
  /// like.
  private static let threads: MultiThreadedEventLoopGroup = {
    NIOSingletons.groupLoopCountSuggestion = 1
    return .singleton
  }()

  /// Closes every connection, and the socket.
  package func stop() async {
    task.cancel()
    _ = await task.result
  }

  /// As many connections as the process may have open beside its files.
  private static func connections(_ limits: ServerLimits) -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return min(limits.connections, 512) }
    let wanted = rlim_t(limits.connections + 512)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = min(wanted, limit.rlim_max)
      setrlimit(resource, &limit)
      getrlimit(resource, &limit)
    }
    return min(limits.connections, max(64, Int(limit.rlim_cur) - 512))
  }
}
