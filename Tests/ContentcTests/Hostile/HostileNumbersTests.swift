import SystemC
import Testing

@testable import TestCommands

/// Runs every command on files with extreme, negative, huge, missing or wrong values.
///
/// There are two kinds of trials. The *cases* are all numbers in all files with each extreme and
/// each command that reads them, in a fixed order. *Mutations* change any value at random.
///
/// A trap ends its process, so a child process runs the trials. It writes each trial to a journal
/// in advance. After a crash the next child continues behind that trial.
///
/// By default the test tries an evenly spaced sample of the cases. `HOSTILE_EVERY=1` tries all of
/// them, `HOSTILE_CASES=17-99` a range, and `HOSTILE_EVERY=0` none. `HOSTILE_MUTATIONS=100000`
/// makes more mutations, `HOSTILE_SEED` others, and `HOSTILE_FIRST` begins at a number that a
/// failure names.
@Suite struct HostileNumbersTests {
  /// An argument of the child: its first trial and its journal.
  private static let child = variable("HOSTILE_CHILD")

  @Test func survivesHostileValues() throws {
    if let child = Self.child { return try makeTrials(child) }
    let folder = try Sandbox()
    let settings = ["EVERY", "CASES", "MUTATIONS", "SEED", "FIRST"].compactMap { name in
      Self.variable("HOSTILE_\(name)").map { "HOSTILE_\(name)=\($0)" }
    }
    var (next, end) = (0, "")
    var crashes: [String] = []
    while crashes.count < 20 {
      let process = try folder.start(
        Sandbox.tests,
        [
          "--testing-library", "swift-testing", "--filter",
          "HostileNumbersTests.survivesHostileValues",
        ],
        environment: settings + ["HOSTILE_CHILD=\(next):\(folder.root)/journal"],
        errors: "\(folder.root)/errors")
      let status = Sandbox.wait(for: process)
      let journal = String(decoding: folder.read("journal") ?? [], as: UTF8.self)
      let errors = String(decoding: folder.read("errors") ?? [], as: UTF8.self)
      let number = try #require(
        journal.split(separator: " ").first.flatMap { Int($0) }, "\(status): \(errors)")
      if status == 0, journal.hasSuffix("done") {
        end = journal
        break
      }
      try #require(status < 0, "the child failed without a crash: \(status): \(journal): \(errors)")
      crashes.append("signal \(-status): trial \(journal)")
      next = number + 1
    }
    print("hostile values: \(end), \(crashes.count) crashes")
    #expect(crashes.isEmpty, "\(crashes.joined(separator: "\n"))")
  }

  /// Runs the trials in order.
  ///
  /// A signal ends the process at the first trial that crashes a command.
  private func makeTrials(_ child: String) throws {
    let words = child.split(separator: ":").map(String.init)
    let first = try #require(Int(words[0]))
    let file = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    func journal(_ text: String) {
      ftruncate(file, 0)
      _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
      // This signal ends a command that hangs.
      alarm(60)
    }
    journal("\(first) preparation")
    // An allocation of an absurd size fails instead of swapping.
    var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    var project = try HostileProject()
    var memory = try HostileMemory()
    try Self.discardOutput()
    let ofProject = project.caseCount
    let trials = Trials(cases: ofProject + memory.caseCount)
    for number in first..<max(first, trials.count) {
      switch trials[number] {
      case .case(let index) where index < ofProject:
        try project.apply(caseAt: index) { journal("\(number) case \(index): \($0)") }
      case .case(let index):
        try memory.apply(caseAt: index - ofProject) { journal("\(number) case \(index): \($0)") }
      case .mutation(let index):
        var values = HostileValues(seed: trials.seed &* 1_000_003 &+ UInt64(index))
        let name = "mutation \(index) of seed \(trials.seed)"
        if index % 10 == 9 {
          try memory.apply(&values) { journal("\(number) \(name): \($0)") }
        } else {
          try project.apply(&values) { journal("\(number) \(name): \($0)") }
        }
      }
    }
    alarm(0)
    journal("\(trials.count) trials, \(trials) done")
    alarm(0)
  }

  /// The cases and mutations that the environment selects.
  private struct Trials: CustomStringConvertible {
    enum Trial {
      case `case`(Int)
      case mutation(Int)
    }

    let seed: UInt64
    private let all: Int
    private let cases: [Int]
    private let mutations: Range<Int>

    init(cases all: Int) {
      let bounds = variable("HOSTILE_CASES")?.split(separator: "-").compactMap { Int($0) } ?? []
      // With a prime step, each extreme and each command gets its turn.
      let every = number("HOSTILE_EVERY") ?? (bounds.isEmpty ? 293 : 1)
      let (first, last) = (bounds.first ?? 0, bounds.last ?? all - 1)
      cases = every > 0 ? Array(stride(from: first, through: min(last, all - 1), by: every)) : []
      let start = number("HOSTILE_FIRST") ?? 0
      mutations = start..<start + max(number("HOSTILE_MUTATIONS") ?? 60, 0)
      seed = UInt64(max(number("HOSTILE_SEED") ?? 1, 0))
      self.all = all
    }

    var count: Int { cases.count + mutations.count }

    subscript(number: Int) -> Trial {
      number < cases.count
        ? .case(cases[number]) : .mutation(mutations.lowerBound + number - cases.count)
    }

    var description: String {
      "\(cases.count) of \(all) cases and \(mutations.count) mutations of seed \(seed)"
    }
  }

  /// Discards the output of the commands, which run in this process.
  private static func discardOutput() throws {
    let nowhere = open("/dev/null", O_WRONLY)
    guard nowhere >= 0, dup2(nowhere, 1) >= 0, dup2(nowhere, 2) >= 0 else {
      throw Sandbox.Problem(message: "no /dev/null")
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func number(_ name: String) -> Int? { variable(name).flatMap { Int($0) } }
}
