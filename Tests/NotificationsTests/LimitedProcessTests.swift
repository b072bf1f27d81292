import SystemC
import TestServers
import Testing

@testable import System

@Suite("A program with a time limit", .waiting)
struct LimitedProcessTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Runs a script of the shell.
  private func run(
    _ script: String, input: String = "{}\n", seconds: Double = 20, variables: [String] = []
  ) -> LimitedProcess.Outcome {
    var limits = LimitedProcess.Limits()
    (limits.seconds, limits.graceSeconds) = (seconds, 0.5)
    return LimitedProcess(
      path: "/bin/sh", words: ["sh", "-c", script],
      environment: ProgramEnvironment(["PATH=/usr/bin:/bin"] + variables), limits: limits
    ).run(input: Array(input.utf8))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func passesInputAndKeepsOutput() {
    let outcome = run("cat; echo problem >&2; exit 3", input: "hello\n")
    #expect(outcome.end == .exited(status: 3))
    #expect(text(outcome.output) == "hello\n" && text(outcome.errors) == "problem\n")
  }

  @Test func passesInputThatCanBeOpenedAgain() {
    #expect(text(run("cat /dev/fd/0", input: "again\n").output) == "again\n")
  }

  @Test func survivesAProgramThatClosesItsInput() {
    let input = String(repeating: "x", count: 1_000_000)
    for script in ["exec <&-; sleep 0.1", "exit 0", "head -c 1 >/dev/null"] {
      #expect(run(script, input: input).end == .exited(status: 0))
    }
  }

  @Test func keepsTheEndOfHugeOutput() {
    let outcome = run(
      "head -c 50000000 /dev/zero | tr '\\0' x; echo end; head -c 50000000 /dev/zero >&2; echo why >&2"
    )
    #expect(outcome.end == .exited(status: 0))
    #expect(outcome.output.count == 4_096 && text(outcome.output).hasSuffix("xend\n"))
    #expect(outcome.errors.count == 4_096 && text(outcome.errors).hasSuffix("why\n"))
  }

  @Test func endsAProgramAfterTheLimit() {
    let outcome = run("echo started; sleep 60", seconds: 0.5)
    #expect(outcome.end == .tooLate && outcome.seconds < 10)
    #expect(text(outcome.output) == "started\n")
  }

  @Test func endsAnEndlessWriter() {
    let outcome = run("yes", seconds: 0.5)
    #expect(outcome.end == .tooLate && outcome.seconds < 10 && outcome.output.count == 4_096)
  }

  @Test func killsAProgramThatIgnoresTheSignal() throws {
    let outcome = run(
      "trap '' TERM; echo $$ > \(folder.path("pid")); while :; do sleep 0.1; done", seconds: 0.5)
    #expect(outcome.end == .tooLate && outcome.seconds >= 1 && outcome.seconds < 10)
    let process = try #require(pid_t(try folder.read("pid").dropLast()))
    #expect(kill(process, 0) == -1)
  }

  @Test func endsTheWholeGroup() throws {
    let outcome = run(
      "(trap '' TERM; echo $(exec sh -c 'echo $PPID') > \(folder.path("pid")); sleep 60; sleep 60) & sleep 60",
      seconds: 0.5)
    #expect(outcome.end == .tooLate && outcome.seconds < 10)
    let process = try #require(pid_t(try folder.read("pid").dropLast()))
    // Another process reaps the killed child.
    for _ in 0..<200 where kill(process, 0) == 0 && !isZombie(process) { usleep(10_000) }
    #expect(kill(process, 0) == -1 || isZombie(process))
  }

  private func isZombie(_ process: pid_t) -> Bool {
    let status = (try? ScratchFolder.read("/proc/\(process)/stat")) ?? []
    return text(status).contains(") Z ")
  }

  @Test func doesNotWaitForBackgroundProcesses() {
    let outcome = run("sleep 5 & echo done")
    #expect(outcome.end == .exited(status: 0) && outcome.seconds < 4)
    #expect(text(outcome.output) == "done\n")
  }

  @Test func tellsSignalsFromStatuses() {
    #expect(run("kill -9 $$").end == .killed(signal: SIGKILL))
  }

  @Test func resetsSignals() {
    signal(SIGPIPE, SIG_IGN)
    // A writer to a closed pipe ends silently, as in a shell.
    #expect(text(run("yes 2>&1 >&3 3>&- | true; yes | head -n 1").errors) == "")
  }

  @Test func runsInTheRootFolderWithAnEnvironmentOfItsOwn() {
    let outcome = run(
      "pwd; env | sort",
      variables: [
        "AWS_SECRET_ACCESS_KEY=s3cret", "FASTLY_TOKEN=s3cret", "HOME=/h", "NOTIFY_TOKEN=mine",
        "LC_ALL=C", "LD_PRELOAD=x", "ENV=x", "PATH=:/usr/bin:.:bin:/bin:",
      ])
    let lines = text(outcome.output).split(separator: "\n").map(String.init).filter {
      // The shell's own.
      !["PWD=", "OLDPWD=", "SHLVL=", "_="].contains(where: $0.hasPrefix)
    }
    #expect(lines == ["/", "HOME=/h", "LC_ALL=C", "NOTIFY_TOKEN=mine", "PATH=/usr/bin:/bin"])
  }

  /// A sign and a combining mark behind it are one character.
  @Test func omitsAVariableWhoseValueBeginsWithACombiningMark() {
    let environment = ProgramEnvironment(
      inheriting: ["TOKEN=\u{301}a", "KEPT=b", "PATH=/bin"], omitting: ["TOKEN"], adding: [])
    #expect(environment.variables == ["KEPT=b", "PATH=/bin"])
  }

  @Test func findsProgramsInAbsoluteFoldersOnly() throws {
    folder.makeFolder("bin")
    folder.makeFolder("bin/folder")
    try folder.write("bin/tool", "#!/bin/sh\n")
    try folder.write("bin/text", "")
    chmod(folder.path("bin/tool"), 0o755)
    let environment = ProgramEnvironment(["PATH=.::bin:\(folder.path("bin"))"])
    #expect(environment.path(of: "tool") == folder.path("bin/tool"))
    for name in ["text", "folder", "missing"] { #expect(environment.path(of: name) == nil) }
    #expect(environment.path(of: folder.path("bin/tool")) == folder.path("bin/tool"))
    #expect(environment.path(of: folder.path("missing")) == nil)
  }
}
