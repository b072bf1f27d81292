import ContentModel
package import Diagnostics
import PropertyLists
import Synchronization
import System
import SystemC

/// Standard output for results, and standard error for diagnostics.
///
/// This is the only way to print. `TerminalText` escapes everything that could control a terminal.
/// `Scripts/check-source.sh` refuses all other ways.
package enum Terminal: Int32 {
  case output = 1
  case error = 2

  /// `true` if this is a terminal.
  package var isInteractive: Bool { isatty(rawValue) == 1 }

  /// `true` if this is a terminal with colours, and `NO_COLOR` is not set (no-color.org).
  package var showsColor: Bool {
    isInteractive && Self.variable("NO_COLOR").isEmpty && Self.variable("TERM") != "dumb"
  }

  /// The number of columns; 80 if unknown.
  package var width: Int {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes text of several lines, all of it foreign: everything but line feeds and tabs is escaped.
  package func write(_ page: String) throws(Failure) { try write(TerminalText(page: page)) }

  /// Writes a text whose foreign parts are escaped, with its styles.
  package func write(_ text: TerminalText) throws(Failure) {
    try write(all: Array(Self.shown(text).utf8))
  }

  /// Writes JSON, in which characters that could control a terminal are escaped.
  package func write(json: [UInt8]) throws(Failure) {
    let text = String(decoding: json, as: UTF8.self).harmlessJSON
    try write(
      all: Array(
        (Self.isReadByRunner ? text.withoutWorkflowCommands(replacement: \.jsonEscape) : text).utf8)
    )
  }

  /// Writes data: unchanged to a file or a pipe, and as escaped text to a terminal.
  ///
  /// - Throws: a failure if the runner of GitHub Actions may read the data, and would find a command
  ///   in them.
  package func write(data: [UInt8]) throws(Failure) {
    if isInteractive { return try write(String(decoding: data, as: UTF8.self)) }
    if Self.isReadByRunner, !isFile {
      let text = String(decoding: data, as: UTF8.self)
      guard text.hasSameBytes(as: text.withoutWorkflowCommands()) else {
        throw Failure(
          .usage, .workflowCommand,
          "the data contain a command for GitHub Actions, such as '::add-mask::'",
          notes: ["write the data to a file with '--output'"])
      }
    }
    try write(all: data)
  }

  /// Writes commands for the runner of GitHub Actions.
  package func write(workflowCommands: String) throws(Failure) {
    try write(all: Array(workflowCommands.utf8))
  }

  /// `true` if this is a regular file.
  private var isFile: Bool {
    var status = stat()
    return fstat(rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Writes all bytes; it is no failure if the reader of a pipe has exited.
  private func write(all bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { SystemC.write(rawValue, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { return }
      guard count >= 0 else {
        let name = self == .output ? "standard output" : "standard error"
        throw Failure(
          .inputOutput, .output, "cannot write to \(name): \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func variable(_ name: String) -> String { Environment.value(of: name) ?? "" }
}

// MARK: GitHub Actions

extension Terminal {
  private static let runner = Atomic(GitHubActions.isRunning)

  /// `true` if the runner of GitHub Actions reads the output, and finds commands in its lines.
  private static var isReadByRunner: Bool { runner.load(ordering: .relaxed) }

  /// Expects the runner of GitHub Actions to read the output, for example that of a container.
  static func expectRunner() { runner.store(true, ordering: .relaxed) }

  /// Returns the text in which foreign parts are no commands for the runner.
  private static func shown(_ text: TerminalText) -> String {
    isReadByRunner ? text.string.withoutWorkflowCommands() : text.string
  }
}

// MARK: Control-C

extension Terminal {
  /// The address of the line that Control-C prints, a C string; 0 for none.
  private static let lastLine = Atomic<UInt>(0)

  /// Sets the line that Control-C prints on standard error before it ends the process.
  ///
  /// Earlier lines are kept in memory, because the signal handler may be printing one of them.
  package static func setLastLine(_ line: TerminalText) {
    let text = (error.isInteractive ? TerminalText.erasedLine : "") + line + "\n"
    lastLine.store(UInt(bitPattern: strdup(shown(text))), ordering: .releasing)
  }

  /// Does work, and replaces the line that Control-C prints until the work ends.
  package static func withLastLine<Value>(_ line: TerminalText, _ work: () -> Value) -> Value {
    let former = lastLine.load(ordering: .relaxed)
    setLastLine(line)
    defer { lastLine.store(former, ordering: .releasing) }
    return work()
  }

  /// Handles Control-C from now on: the process prints the last line if `isTold`, and ends.
  ///
  /// The handler calls only functions that a signal may interrupt.
  static func handleInterruption(isTold: Bool) {
    // A lazy value must exist before a handler reads it.
    _ = lastLine.load(ordering: .relaxed)
    guard isTold else {
      signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
      return
    }
    signal(SIGINT) { _ in
      let address = Terminal.lastLine.load(ordering: .acquiring)
      if let line = UnsafePointer<CChar>(bitPattern: address) {
        _ = SystemC.write(Terminal.error.rawValue, line, strlen(line))
      }
      _exit(ExitStatus.interrupted.rawValue)
    }
  }
}
