import SystemC

/// A socket on the loopback address.
package struct Socket: Sendable {
  package let descriptor: Int32

  /// Returns a socket that listens on a free port.
  package static func listening() throws -> Socket {
    let socket = try Socket()
    var address = loopback(port: 0)
    guard bind(socket.descriptor, &address, size) == 0, listen(socket.descriptor, 256) == 0 else {
      throw Problem("cannot listen: \(String(cString: strerror(errno)))")
    }
    return socket
  }

  /// Returns a socket that is connected to a port.
  ///
  /// `source` is another loopback address than `127.0.0.1` to connect from, such as `127.0.0.2`.
  package static func connected(to port: UInt16, from source: String? = nil) throws -> Socket {
    let socket = try Socket()
    if let source {
      var own = loopback(port: 0)
      let number = inet_addr(source)
      withUnsafeMutableBytes(of: &own) {
        $0.storeBytes(of: number, toByteOffset: 4, as: UInt32.self)
      }
      guard bind(socket.descriptor, &own, size) == 0 else {
        socket.close()
        throw Problem("cannot send from \(source)")
      }
    }
    var address = loopback(port: port)
    guard connect(socket.descriptor, &address, size) == 0 else {
      let reason = String(cString: strerror(errno))
      socket.close()
      throw Problem("cannot connect to port \(port): \(reason)")
    }
    return socket
  }

  /// Returns different ports that were free during the call.
  package static func freePorts(_ count: Int) throws -> [UInt16] {
    let sockets = try (0..<count).map { _ in try listening() }
    defer { for socket in sockets { socket.close() } }
    return sockets.map(\.port)
  }

  /// Waits until a server listens on a port.
  package static func waitForListener(on port: UInt16, seconds: Int) throws {
    for _ in 0..<seconds * 50 {
      let socket = try Socket()
      defer { socket.close() }
      var address = loopback(port: port)
      if connect(socket.descriptor, &address, size) == 0 { return }
      usleep(20_000)
    }
    throw Problem("no server listens on port \(port) after \(seconds) s")
  }

  /// The local port.
  package var port: UInt16 {
    var address = Self.loopback(port: 0)
    var size = Self.size
    getsockname(descriptor, &address, &size)
    return withUnsafeBytes(of: address) {
      UInt16(bigEndian: $0.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  package func accept() -> Socket? {
    #if os(Linux)
      let accepted = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
    #else
      let accepted = SystemC.accept(descriptor, nil, nil)
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    #endif
    return accepted < 0 ? nil : Socket(descriptor: accepted)
  }

  /// Waits for bytes and returns them; empty at the end of the connection.
  package func receive() -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return Array(chunk.prefix(max(count, 0)))
  }

  /// Sends bytes; returns `false` if the connection has ended.
  @discardableResult package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if os(Linux)
        let count = rest.withUnsafeBytes {
          SystemC.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      #else
        let count = rest.withUnsafeBytes { SystemC.send(descriptor, $0.baseAddress, $0.count, 0) }
      #endif
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends both directions, which wakes threads that wait for the socket.
  package func shutdown() {
    _ = SystemC.shutdown(descriptor, Int32(SHUT_RDWR))
  }

  package func close() {
    _ = SystemC.close(descriptor)
  }

  private static let size = socklen_t(MemoryLayout<sockaddr>.size)

  private static func loopback(port: UInt16) -> sockaddr {
    var address = sockaddr()
    withUnsafeMutableBytes(of: &address) { bytes in
      #if os(Linux)
        bytes.storeBytes(of: sa_family_t(AF_INET), as: sa_family_t.self)
      #else
        bytes[1] = UInt8(AF_INET)
      #endif
      bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
      bytes.storeBytes(of: UInt32(0x7F00_0001).bigEndian, toByteOffset: 4, as: UInt32.self)
    }
    return address
  }

  private init() throws {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw Problem("cannot create a socket") }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }
}
