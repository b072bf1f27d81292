#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that runs beside a test, ended by its process id.
final class Program: Sendable {
  private let process: pid_t

  /// Starts a program; what it prints goes to a file.
  init(_ path: String, _ arguments: [String], output: String = "/dev/null") throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = [strdup("PATH=/usr/sbin:/usr/bin:/bin"), strdup("HOME=/nonexistent"), nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
    guard code == 0 else {
      throw Problem(
        message: "cannot start \(path) (run `make test`, which installs it): \(String(cString: strerror(code)))")
    }
    self.process = process
  }

  /// Ends it and waits; at once, since nothing it writes outlives the test.
  func stop() {
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Waits for its end; 0 if all went well.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Runs a program to its end.
  static func run(_ path: String, _ arguments: [String]) throws {
    let status = try Program(path, arguments).wait()
    guard status == 0 else { throw Problem(message: "\(path) \(arguments) has failed") }
  }
}
