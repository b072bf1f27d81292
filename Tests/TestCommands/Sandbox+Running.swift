import SystemC

/// The result of a process.
struct Outcome {
  /// The exit status; minus the signal's number if one ended it.
  var status: Int32
  var output: String
  var errors: String
}

extension Sandbox {
  /// The absolute path of the program with these tests, which may have been started by another.
  static let tests: String = {
    let name = CommandLine.arguments[0]
    guard let path = realpath(name, nil) else { return name }
    defer { free(path) }
    return String(cString: path)
  }()

  /// The folder of the build that contains these tests.
  static let build = String(tests.prefix(upTo: tests.lastIndex(of: "/") ?? tests.startIndex))

  /// The folder of the programs under test: the value of `CONTENTC_PROGRAMS`, or the tests' build.
  static let programs = getenv("CONTENTC_PROGRAMS").map { String(cString: $0) } ?? build

  /// The program `contentc` under test.
  static let binary = "\(programs)/contentc"

  /// Runs `contentc` in the sandbox and waits for its end.
  func run(_ arguments: String..., environment: [String] = [], errorsTo terminal: String? = nil)
    throws -> Outcome
  {
    try run(Self.binary, arguments, environment: environment, errorsTo: terminal)
  }

  /// Runs a program in the sandbox and waits for its end.
  ///
  /// Expects `contentc` to end with a status that its command declares, and to print only the JSON
  /// keys that the command declares.
  func run(
    _ program: String, _ arguments: [String], environment: [String] = [],
    errorsTo terminal: String? = nil
  )
    throws -> Outcome
  {
    let files = try Sandbox()
    let process = try start(
      program, arguments, environment: environment, output: "\(files.root)/output",
      errors: terminal ?? "\(files.root)/errors")
    let status = Self.wait(for: process)
    let outcome = Outcome(
      status: status, output: String(decoding: files.read("output") ?? [], as: UTF8.self),
      errors: String(decoding: files.read("errors") ?? [], as: UTF8.self))
    if program == Self.binary {
      Self.expectDeclaredStatus(outcome, of: arguments)
      DeclaredKeys.expect(in: Array(outcome.output.utf8), of: arguments)
    }
    return outcome
  }

  /// `true` if another user than the superuser can run `contentc` in a sandbox.
  static let hasAnotherUser: Bool = {
    do {
      let sandbox = try Sandbox(EditingShop.files)
      try sandbox.shell("chmod -R a+rwX .")
      return try sandbox.runAsAnotherUser(["check"]).status == 0
    } catch { return false }
  }()

  /// Runs `contentc` without the superuser's right to ignore file modes.
  func runAsAnotherUser(_ arguments: [String]) throws -> Outcome {
    guard geteuid() == 0 else { return try run(Self.binary, arguments) }
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups", Self.binary]
    return try run("/usr/bin/setpriv", user + arguments)
  }

  /// Runs `contentc` in the sandbox and kills it after a time.
  func run(_ arguments: [String], environment: [String] = [], killedAfter time: Duration) throws {
    let process = try start(Self.binary, arguments, environment: environment)
    usleep(UInt32(time / .microseconds(1)))
    kill(process, SIGKILL)
    _ = Self.wait(for: process)
  }

  /// Starts a program in the sandbox; standard input is empty.
  func start(
    _ program: String, _ arguments: [String], environment: [String] = [],
    output: String = "/dev/null",
    errors: String = "/dev/null"
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_NOCTTY, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_NOCTTY, 0o600)
    posix_spawn_file_actions_addchdir_np(&actions, root)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    // A machine of Amazon would otherwise give its own credentials to the tests.
    let usual = ["PATH=/usr/bin:/bin", "AWS_EC2_METADATA_DISABLED=true"]
    // The last value of a variable counts, as in a shell.
    let last = Dictionary(
      (usual + environment).map { ($0.prefix { $0 != "=" }, $0) }
    ) { $1 }
    var variables = last.values.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &words, &variables)
    guard code == 0 else {
      throw Problem(message: "cannot start \(program): \(String(cString: strerror(code)))")
    }
    return process
  }

  /// Waits for a process and returns its exit status, or the negative number of its signal.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }
}
