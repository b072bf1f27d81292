import ContentModel

/// Serves a build, builds again whenever the content changes, and tells every open page.
///
/// A class, since it owns a server, a watch and a builder, which all run until it is stopped.
package final class Preview: Sendable {
  /// Where and for whom it listens.
  package struct Endpoint: Sendable {
    /// `nil`: the usual one, or the next that is free; 0: any that is free.
    package var port: Int?
    /// Whether others on the network may ask.
    package var isOnNetwork = false
    /// This machine's names, as others on the network know it.
    package var names: [String] = []

    package init() {}
  }

  /// Why it could not begin.
  package enum StartError: Error, Sendable {
    case portTaken(Int)
    case cannotListen(port: Int, errno: Int32)
  }

  /// What is told after each attempt to build.
  package struct LogEntry: Sendable {
    package var generation: Int
    package var isGood: Bool
    package var errors: Int
    package var warnings: Int
    /// Of the last good build.
    package var milliseconds: Int
    /// What was found, as a terminal shows it.
    package var text: String
  }

  /// The port it listens on.
  package let port: Int
  private let server: any PreviewListener
  private let rebuilder: Rebuilder
  private let watch: FolderWatcher

  /// The port that it listens on unless told otherwise, and how many after it are tried.
  package static let usualPorts = 4820..<4840

  /// Listens, and begins with a first build; `log` is called after each attempt, `remark` with what
  /// else a person should know.
  package static func start(
    _ source: PreviewSource, at place: Endpoint = Endpoint(), by listener: any PreviewListener.Type,
    limits: ServerLimits = ServerLimits(), remark: @escaping @Sendable (String) -> Void = { _ in },
    log: @escaping @Sendable (LogEntry) -> Void
  ) async throws(StartError) -> Preview {
    let rebuilder = Rebuilder(source, remark: remark) { log(LogEntry($0)) }
    let hosts = HostPolicy(names: place.names, admitsOwnAddress: place.isOnNetwork)
    let router = PreviewRouter(source, rebuilder, hosts)
    let ports = place.port.map { $0..<$0 + 1 } ?? usualPorts
    for port in ports {
      do throws(PreviewListenerError) {
        let server = try await listener.start(
          router, port: port, onNetwork: place.isOnNetwork, limits)
        return Preview(source, server, rebuilder, remark)
      } catch {
        if case .failed(let code) = error { throw .cannotListen(port: port, errno: code) }
      }
    }
    throw .portTaken(ports.lowerBound)
  }

  private init(
    _ source: PreviewSource, _ server: any PreviewListener, _ rebuilder: Rebuilder,
    _ remark: @escaping @Sendable (String) -> Void
  ) {
    (self.server, self.rebuilder, port) = (server, rebuilder, server.port)
    watch = FolderWatcher(source.content, remark: remark) { rebuilder.request($0) }
    // Only now: what changes while this runs is seen.
    rebuilder.request(.anything)
  }

  /// Lets a build that runs come to its end, and closes every connection.
  package func stop() async {
    watch.stop()
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
