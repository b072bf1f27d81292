import SystemC

@testable import TestCommands

#if os(Linux)
  /// A pseudo terminal, for output that a process prints on terminals only.
  ///
  /// A class, because it owns two descriptors.
  final class Screen: Sendable {
    /// The terminal's device.
    let path: String
    private let keyboard: Int32
    private let device: Int32

    init() throws {
      // Swift does not import the C library's functions for this. These requests have the same
      // effect (`tty_ioctl(4)`).
      let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
      keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (locked, index): (Int32, Int32) = (0, 0)
      guard keyboard >= 0, ioctl(keyboard, unlock, &locked) == 0,
        ioctl(keyboard, number, &index) == 0
      else {
        throw Sandbox.Problem(message: "no pseudo-terminal")
      }
      path = "/dev/pts/\(index)"
      // While it is open, the output can still be read after the process has ended.
      device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
      close(device)
      close(keyboard)
    }

    /// The output of processes that have ended, up to 4 kB.
    ///
    /// The kernel passes it on in parts, the last of them shortly after the end.
    var text: String {
      var output: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var ready = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
      while poll(&ready, 1, output.isEmpty ? 5_000 : 200) > 0 {
        let count = SystemC.read(keyboard, &buffer, buffer.count)
        if count <= 0 { break }
        output += buffer[..<count]
      }
      return String(decoding: output, as: UTF8.self)
    }
  }
#endif
