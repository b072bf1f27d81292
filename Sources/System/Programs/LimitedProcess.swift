import SystemC

/// A run of a program with a time limit, of which the end of the output is kept.
package struct LimitedProcess: Sendable {
  /// The limits of a run.
  package struct Limits: Sendable {
    /// The time after which the program's process group gets SIGTERM.
    package var seconds = 30.0
    /// The time from SIGTERM to SIGKILL.
    package var graceSeconds = 2.0
    /// The number of last bytes that are kept of each output.
    package var outputBytes = 4_096

    package init() {}
  }

  /// The end of a run.
  package enum End: Equatable, Sendable {
    case exited(status: Int32)
    case killed(signal: Int32)
    case tooLate
    case notStarted(reason: String)
    /// Another part of the process took the exit status.
    case unknown
  }

  /// The result of a run.
  package struct Outcome: Sendable {
    package var end: End
    /// The end of what the program wrote to its output.
    package var output: [UInt8] = []
    /// The end of what the program wrote as errors.
    package var errors: [UInt8] = []
    package var seconds = 0.0

    package init(end: End, output: [UInt8] = [], errors: [UInt8] = [], seconds: Double = 0) {
      (self.end, self.output, self.errors, self.seconds) = (end, output, errors, seconds)
    }
  }

  /// The path of the program.
  let path: String
  /// The name by which the program is called, and its arguments.
  let words: [String]
  let environment: ProgramEnvironment
  let limits: Limits

  package init(
    path: String, words: [String], environment: ProgramEnvironment, limits: Limits = Limits()
  ) {
    (self.path, self.words, self.environment, self.limits) = (path, words, environment, limits)
  }

  /// Runs the program in the root folder with an input.
  package func run(input: [UInt8]) -> Outcome {
    let watch = Stopwatch()
    guard let file = Self.unnamedFile(input) else {
      return Outcome(end: .notStarted(reason: "no temporary file can be written: \(Self.reason())"))
    }
    defer { close(file) }
    guard var output = OutputPipe(), var errors = OutputPipe() else {
      return Outcome(end: .notStarted(reason: "no pipe can be made: \(Self.reason())"))
    }
    defer {
      output.close()
      errors.close()
    }
    var child = pid_t()
    let code = spawn(&child, streams: [file, output.writer, errors.writer])
    output.closeWriter()
    errors.closeWriter()
    if code != 0 {
      return Outcome(end: .notStarted(reason: String(cString: strerror(code))))
    }
    let end = wait(for: child, watch: watch, output: &output, errors: &errors)
    return Outcome(
      end: end, output: output.bytes, errors: errors.bytes, seconds: watch.seconds)
  }

  /// Reads until the program has ended, and ends it after the time limit.
  private func wait(
    for child: pid_t, watch: Stopwatch, output: inout OutputPipe, errors: inout OutputPipe
  ) -> End {
    var terminated: Double?
    while true {
      OutputPipe.waitForBytes(in: [output, errors], milliseconds: 10)
      output.read(keeping: limits.outputBytes)
      errors.read(keeping: limits.outputBytes)
      if Self.hasEnded(child) { break }
      if let terminated, watch.seconds > terminated + limits.graceSeconds { break }
      if terminated == nil, watch.seconds > limits.seconds {
        kill(-child, SIGTERM)
        terminated = watch.seconds
      }
    }
    // The child is not reaped yet and keeps its number, so no other group can have this number.
    if terminated != nil { kill(-child, SIGKILL) }
    var status: Int32 = 0
    var reaped: pid_t
    repeat { reaped = waitpid(child, &status, 0) } while reaped < 0 && errno == EINTR
    output.read(keeping: limits.outputBytes)
    errors.read(keeping: limits.outputBytes)
    if terminated != nil { return .tooLate }
    if reaped < 0 { return .unknown }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// Returns `true` if a child has ended, without reaping it.
  private static func hasEnded(_ child: pid_t) -> Bool {
    var info = siginfo_t()
    let code = waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
    return code == 0 ? info.si_signo == SIGCHLD : errno != EINTR
  }

  /// Starts the program in a process group of its own; returns 0 or the number of an error.
  private func spawn(_ child: inout pid_t, streams: [Int32]) -> Int32 {
    // A parent may have ignored SIGCHLD. The kernel would then discard the child's exit status, and
    // could give the child's number to another process.
    signal(SIGCHLD, SIG_DFL)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    // The current folder may be content. A program could find files there by their names.
    posix_spawn_file_actions_addchdir_np(&actions, "/")
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setpgroup(&attributes, 0)
    // contentc ignores SIGPIPE, but a program expects the default.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var words: [UnsafeMutablePointer<CChar>?] = self.words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.variables.map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    return posix_spawn(&child, path, &actions, &attributes, &words, &variables)
  }

  /// Returns a descriptor of an unnamed file with these bytes.
  ///
  /// The input is a file rather than a pipe, so that a program that does not read it does not
  /// disturb the writer.
  private static func unnamedFile(_ bytes: [UInt8]) -> Int32? {
    let parent = Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/contentc-XXXXXX".utf8CString)
    let file = mkostemp(&template, O_CLOEXEC)
    guard file >= 0 else { return nil }
    unlink(template)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress.map { $0 + written }, bytes.count - written, off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    guard written == bytes.count else {
      close(file)
      return nil
    }
    return file
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}

extension LimitedProcess.Outcome {
  /// The most lines, and characters of a line, that a report shows of a program's output.
  private static let (mostLines, mostCharacters) = (5, 200)

  /// Returns why the program failed, as the rest of a sentence; `nil` if it succeeded.
  package func problem(limits: LimitedProcess.Limits) -> String? {
    switch end {
    case .exited(status: 0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was ended by signal \(signal)"
    case .tooLate: "was stopped after \(Int(limits.seconds.rounded())) s"
    case .notStarted(let reason): "cannot be started: \(reason)"
    case .unknown: "ended with an unknown status"
    }
  }

  /// The last lines of the program's errors, or else of its output.
  package var lastLines: [String] {
    Self.lastLines(of: errors.contains { $0 > 0x20 } ? errors : output)
  }

  /// The last lines of the program's errors.
  package var lastLinesOfErrors: [String] { Self.lastLines(of: errors) }

  private static func lastLines(of bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.allSatisfy(\.isWhitespace) }.suffix(mostLines)
      .map { $0.count > mostCharacters ? "\($0.prefix(mostCharacters))…" : String($0) }
  }
}
