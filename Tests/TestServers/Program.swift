import SystemC

/// A child process of a test.
package final class Program: Sendable {
  private let process: pid_t

  /// Starts a program and writes its output to a file.
  ///
  /// `environment` has variables in the form `NAME=value`, beside `PATH` and `HOME`.
  package init(
    _ program: String, _ arguments: [String], output: String = "/dev/null",
    environment: [String] = []
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    // Scripts need the Python that the Makefile adds to PATH.
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let settings = ["PATH=\(path):/usr/sbin", "HOME=/nonexistent"] + environment
    var variables = settings.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &words, &variables)
    guard code == 0 else {
      let reason = String(cString: strerror(code))
      throw Problem("cannot start \(program) ('make setup-servers' installs it): \(reason)")
    }
    self.process = process
  }

  /// Kills the process, whose files do not outlive the test, and waits for its end.
  package func stop() {
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Waits for the end of the process and returns its wait status, 0 for success.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Returns the path of a program in `.build/tools`, which `make setup-servers` or
  /// `make setup-judges` has installed.
  package static func tool(_ path: String) -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return "\(root.joined(separator: "/"))/.build/tools/\(path)"
  }

  /// Runs a program to its end.
  ///
  /// - Throws: `Problem` if it cannot start or fails.
  package static func run(_ path: String, _ arguments: [String]) throws {
    let status = try Program(path, arguments).wait()
    guard status == 0 else { throw Problem("\(path) \(arguments) has failed") }
  }
}

/// An error that ends a test.
package struct Problem: Error, CustomStringConvertible {
  package let message: String
  package var description: String { message }

  package init(_ message: String) { self.message = message }
}
