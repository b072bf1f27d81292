#if canImport(Network)
  import Dispatch
  import Network

  /// Notices that there is a network again, or another one.
  ///
  /// A class, since the monitor of the system runs until it is cancelled.
  final class ConnectionWatch: Sendable {
    private let monitor = NWPathMonitor()

    init(_ isConnected: @escaping @Sendable () -> Void) {
      monitor.pathUpdateHandler = { path in
        if path.status == .satisfied { isConnected() }
      }
      monitor.start(queue: DispatchQueue(label: "ContentClient.connection"))
    }

    deinit { monitor.cancel() }
  }
#endif
