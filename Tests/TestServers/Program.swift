#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that runs beside a test, ended by its process id.
package final class Program: Sendable {
  private let process: pid_t

  /// Starts a program; what it prints goes to a file.
  package init(_ program: String, _ arguments: [String], output: String = "/dev/null") throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    // Scripts need the Python that the Makefile has prepared.
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    var variables = [strdup("PATH=\(path):/usr/sbin"), strdup("HOME=/nonexistent"), nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &words, &variables)
    guard code == 0 else {
      throw Problem(
        message:
          "cannot start \(program) (run `make test`, which installs it): \(String(cString: strerror(code)))"
      )
    }
    self.process = process
  }

  /// Ends it and waits; at once, since nothing it writes outlives the test.
  package func stop() {
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Waits for its end; 0 if all went well.
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Runs a program to its end.
  package static func run(_ path: String, _ arguments: [String]) throws {
    let status = try Program(path, arguments).wait()
    guard status == 0 else { throw Problem(message: "\(path) \(arguments) has failed") }
  }
}
