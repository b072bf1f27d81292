import Foundation
import ShopScreens

/// The terminal of a person, or the pipe or file in its place.
///
/// All output passes through here, and ``Painter`` makes its text harmless.
struct Terminal: Sendable {
  private let output: Int32
  /// `true` if a person sits there: then pages replace each other.
  let isInteractive: Bool
  private let environment: [String: String]

  /// Creates the terminal of an open file; `isInteractive` says so for a test without a terminal.
  init(
    output: Int32 = 1, isInteractive: Bool? = nil, environment: [String: String]? = nil
  ) {
    self.output = output
    self.environment = environment ?? ProcessInfo.processInfo.environment
    self.isInteractive = isInteractive ?? (isatty(output) == 1 && isatty(0) == 1)
  }

  /// `true` if the output understands control sequences.
  private var obeysControls: Bool { isatty(output) == 1 && environment["TERM"] != "dumb" }

  /// The painter for this terminal as it is now: a person may resize it.
  var painter: Painter {
    var painter = Painter()
    painter.width = width
    painter.isStyled = obeysControls && (environment["NO_COLOR"] ?? "").isEmpty
    painter.hasColors =
      painter.isStyled && ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    return painter
  }

  private var width: Int {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Shows lines in place of all earlier ones; a pipe gets them after the earlier ones.
  func show(_ lines: [String]) {
    let start = obeysControls ? "\u{1B}[H\u{1B}[2J" : ""
    write(start + lines.joined(separator: "\n") + "\n\n" + prompt)
  }

  /// Adds lines below the others.
  func add(_ lines: [String]) {
    write(startOfLine + lines.joined(separator: "\n") + "\n" + prompt)
  }

  /// Replaces the line of the prompt; a pipe gets nothing.
  func showBar(_ text: String) {
    if obeysControls { write(startOfLine + text) }
  }

  private var startOfLine: String { obeysControls ? "\r\u{1B}[K" : "" }

  private var prompt: String { isInteractive ? "> " : "" }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // No reader is left.
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
