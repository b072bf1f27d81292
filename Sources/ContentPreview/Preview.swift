import ContentModel

/// A server that builds content, serves the build, and notifies open pages of changes.
///
/// A class, since it owns a server, a watcher and a builder, which run until ``stop()``.
package final class Preview: Sendable {
  /// The port and the hosts of the server.
  package struct Endpoint: Sendable {
    /// The port to listen on; `nil` for the first free one of ``defaultPorts``, 0 for any free one.
    package var port: Int?
    /// `true` to accept connections from the network.
    package var isOnNetwork = false
    /// This machine's names on the network.
    package var names: [String] = []

    package init() {}
  }

  /// A failure to start the server.
  package enum StartError: Error, Sendable {
    /// Another program listens on the port, or on all default ports, of which this is the first.
    case portTaken(Int)
    /// The system refuses to listen on the port, with the value of `errno`.
    case cannotListen(port: Int, errno: Int32)
  }

  /// The result of an attempt to build.
  package struct LogEntry: Sendable {
    package var generation: Int
    package var isGood: Bool
    package var errors: Int
    package var warnings: Int
    /// The duration of the last build without errors, in milliseconds; 0 before the first one.
    package var milliseconds: Int
    /// The diagnostics for a terminal.
    package var text: String
  }

  /// The port that the server listens on.
  package let port: Int
  private let server: any PreviewListener
  private let rebuilder: Rebuilder
  private let watcher: FolderWatcher

  /// The ports that are tried in order if none is given.
  package static let defaultPorts = 4820..<4840

  /// Starts the server and a first build.
  ///
  /// `log` is called after each attempt to build, and `remark` with notes for people, such as
  /// limits of the system.
  ///
  /// - Throws: `StartError` if no port can be opened.
  package static func start(
    _ source: PreviewSource, at endpoint: Endpoint = Endpoint(),
    by listener: any PreviewListener.Type, limits: ServerLimits = ServerLimits(),
    remark: @escaping @Sendable (String) -> Void = { _ in },
    log: @escaping @Sendable (LogEntry) -> Void
  ) async throws(StartError) -> Preview {
    var source = source
    // Others on the network must not change files, whatever the caller allows.
    if endpoint.isOnNetwork { source.translations?.save = nil }
    let rebuilder = Rebuilder(source, remark: remark) { log(LogEntry($0)) }
    let hosts = HostPolicy(names: endpoint.names, admitsLocalAddress: endpoint.isOnNetwork)
    let router = PreviewRouter(source, rebuilder: rebuilder, hosts: hosts)
    let ports = endpoint.port.map { $0..<$0 + 1 } ?? defaultPorts
    for port in ports {
      do throws(PreviewListenerError) {
        let server = try await listener.start(
          router, port: port, isOnNetwork: endpoint.isOnNetwork, limits: limits)
        return Preview(source, server: server, rebuilder: rebuilder, remark: remark)
      } catch {
        if case .failed(let code) = error { throw .cannotListen(port: port, errno: code) }
      }
    }
    throw .portTaken(ports.lowerBound)
  }

  private init(
    _ source: PreviewSource, server: any PreviewListener, rebuilder: Rebuilder,
    remark: @escaping @Sendable (String) -> Void
  ) {
    (self.server, self.rebuilder, port) = (server, rebuilder, server.port)
    watcher = FolderWatcher(source.content, remark: remark) { rebuilder.request($0) }
    // After the watcher has started, so that it sees changes during the first build.
    rebuilder.request(.anything)
  }

  /// Waits for a running build, and closes all connections.
  package func stop() async {
    watcher.stop()
    rebuilder.stop()
    await server.stop()
  }
}

extension Preview.LogEntry {
  fileprivate init(_ state: PreviewState) {
    self.init(
      generation: state.generation, isGood: state.isGood, errors: state.errors,
      warnings: state.warnings,
      milliseconds: state.build?.milliseconds ?? 0, text: state.text)
  }
}
