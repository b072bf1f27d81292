import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs every command on files that hold extreme, negative, huge, missing or wrong values.
///
/// A trap ends its process, so a child process applies the mutations. It writes the mutation that
/// it is about to apply into a journal; after a crash the next child continues behind that
/// mutation. `HOSTILE_MUTATIONS=100000` applies more of them, `HOSTILE_SEED` others, and
/// `HOSTILE_FIRST` begins at a number that a failure names.
@Suite struct HostileNumbersTests {
  /// An argument of the child: its mutations and its journal.
  private static let child = variable("HOSTILE_CHILD")

  @Test func crashesOnNoHostileValue() throws {
    if let child = Self.child { return try applyMutations(child) }
    let count = Self.variable("HOSTILE_MUTATIONS").flatMap { Int($0) } ?? 300
    let seed = Self.variable("HOSTILE_SEED").flatMap { UInt64($0) } ?? 1
    let folder = try Sandbox()
    var next = Self.variable("HOSTILE_FIRST").flatMap { Int($0) } ?? 0
    let end = next + count
    var crashes: [String] = []
    while next < end, crashes.count < 20 {
      let process = try folder.start(
        CommandLine.arguments[0],
        [
          "--testing-library", "swift-testing", "--filter",
          "HostileNumbersTests.crashesOnNoHostileValue",
        ],
        environment: ["HOSTILE_CHILD=\(seed):\(next):\(end):\(folder.root)/journal"],
        errors: "\(folder.root)/errors")
      let status = Sandbox.wait(for: process)
      let journal = String(decoding: folder.read("journal") ?? [], as: UTF8.self)
      let errors = String(decoding: folder.read("errors") ?? [], as: UTF8.self)
      let number = try #require(
        journal.split(separator: " ").first.flatMap { Int($0) }, "\(status): \(errors)")
      if status == 0, number == end { break }
      try #require(status < 0, "the child failed without a crash: \(status): \(journal): \(errors)")
      crashes.append("signal \(-status): seed \(seed), mutation \(journal)")
      next = number + 1
    }
    print(
      "hostile values: \(count) mutations from \(end - count) of seed \(seed), \(crashes.count) crashes"
    )
    #expect(crashes.isEmpty, "\(crashes.joined(separator: "\n"))")
  }

  /// Applies mutations one after the other; the process ends by a signal at the first one that
  /// crashes a command.
  private func applyMutations(_ child: String) throws {
    let words = child.split(separator: ":").map(String.init)
    let seed = try #require(UInt64(words[0]))
    let (first, end) = (try #require(Int(words[1])), try #require(Int(words[2])))
    let file = open(words[3], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    func journal(_ text: String) {
      ftruncate(file, 0)
      _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
      // A command that hangs ends by this signal.
      alarm(60)
    }
    journal("\(first) preparation")
    // An allocation of an absurd size fails instead of swapping.
    var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let project = try HostileProject()
    let memory = try HostileMemory()
    try Self.silence()
    for number in first..<end {
      var values = HostileValues(seed: seed &* 1_000_003 &+ UInt64(number))
      journal("\(number) a change")
      if number % 10 == 9 {
        try memory.apply(&values) { journal("\(number) \($0)") }
      } else {
        try project.apply(&values) { journal("\(number) \($0)") }
      }
    }
    alarm(0)
    journal("\(end) done")
    alarm(0)
  }

  /// Discards the output of the commands, which run in this process.
  private static func silence() throws {
    let nowhere = open("/dev/null", O_WRONLY)
    guard nowhere >= 0, dup2(nowhere, 1) >= 0, dup2(nowhere, 2) >= 0 else {
      throw Sandbox.Problem(message: "no /dev/null")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
