import ContentModel
import Dispatch
import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Emergencies take a folder's lock before all other waiting processes.
@Suite struct FolderEmergencyTests {
  let scratch: ScratchFolder
  let reports = WaitReports()

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  /// The messages that an emergency reports while it waits.
  final class WaitReports: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private var emergency: FolderTarget {
    FolderTarget(scratch.path, emergency: EmergencyPatience { [reports] in reports.add($0) })
  }

  @Test func waitsOnlyForTheRunningCommand() async throws {
    // Eight threads request the lock again immediately. Without preference, an emergency would
    // hardly ever get it.
    let order = Mutex<[String]>([])
    let isOver = Atomic(false)
    try await Threads.run(9) { [scratch] number in
      if number == 8 {
        usleep(50_000)
        for round in 0..<20 {
          let start = ContinuousClock.now
          try emergency.exclusively { order.withLock { $0.append("emergency \(round)") } }
          // The limit covers the running command and slow scheduling on machines with few
          // processors.
          #expect(ContinuousClock.now - start < .seconds(2))
        }
        isOver.store(true, ordering: .relaxed)
        return
      }
      let target = FolderTarget(scratch.path)
      while !isOver.load(ordering: .relaxed) {
        do { try target.exclusively { _ = usleep(20_000) } } catch let error as TargetError
          where error.kind == .busy
        {}
      }
    }
    #expect(order.withLock { $0.count } == 20)
  }

  @Test func refusesOtherPublishersWhileAnEmergencyWaits() throws {
    let running = FolderTarget(scratch.path)
    try running.exclusively {
      #expect(!running.isWantedByEmergency)
      let group = Threads.Background { [self] in
        try emergency.exclusively {}
      }
      while !running.isWantedByEmergency { usleep(1_000) }
      #expect(throws: TargetError.self) { try FolderTarget(scratch.path).exclusively {} }
      usleep(500_000)
      running.lock.release()
      try group.wait()
      try running.lock.take()
    }
    #expect(
      reports.all.count == 1 && reports.all.first?.hasPrefix("process \(getpid())") == true,
      "\(reports.all)"
    )
  }

  @Test func makesLockFilesPrivateToTheirOwner() throws {
    try FolderTarget(scratch.path).exclusively {}
    for name in [FolderLock.fileName, FolderLock.emergencyFileName] {
      #expect(try mode(of: name) == 0o600)
      // An earlier version made the lock readable by all users.
      chmod(scratch.path(name), 0o644)
    }
    try FolderTarget(scratch.path).exclusively {}
    for name in [FolderLock.fileName, FolderLock.emergencyFileName] {
      #expect(try mode(of: name) == 0o600)
    }
  }

  @Test(
    .enabled(
      if: access("/usr/bin/flock", X_OK) == 0 && access("/proc/locks", R_OK) == 0,
      "needs /proc/locks"))
  func namesTheProcessThatHoldsTheLock() throws {
    try FolderTarget(scratch.path).exclusively {}
    let process = try Program(
      "/usr/bin/flock", ["-F", scratch.path(FolderLock.fileName), "/bin/sleep", "100"])
    defer { process.stop() }
    var sentence = ""
    // The process holds the lock a moment before it becomes `sleep`.
    for _ in 0..<500 where !sentence.contains(" (sleep)") {
      do { try FolderTarget(scratch.path).exclusively {} } catch let error as TargetError {
        sentence = error.description
      }
      usleep(10_000)
    }
    #expect(sentence.contains(" (sleep), which holds") && sentence.contains("kill "), "\(sentence)")
  }

  @Test(
    .enabled(
      if: access("/usr/bin/flock", X_OK) == 0 && access("/proc/locks", R_OK) == 0,
      "needs /proc/locks"))
  func namesCommandsThatEndAStoppedProcess() throws {
    try FolderTarget(scratch.path).exclusively {}
    let process = try Program(
      "/usr/bin/flock", ["-F", scratch.path(FolderLock.fileName), "/bin/sleep", "100"])
    func sentence(containing words: String) -> String {
      var sentence = ""
      for _ in 0..<500 where !sentence.contains(words) {
        do { try FolderTarget(scratch.path).exclusively {} } catch {
          sentence = "\(error)"
        }
        usleep(10_000)
      }
      return sentence
    }
    let running = sentence(containing: " (sleep)")
    let digits = running.split(separator: "process ").last?.prefix { $0.isNumber }
    let number = try #require(digits.flatMap { pid_t($0) })
    kill(number, SIGSTOP)
    let stopped = sentence(containing: "stopped")
    #expect(stopped.contains(" (sleep), which is stopped and holds '"), "\(stopped)")
    #expect(stopped.contains("continue it with 'kill -CONT \(number)'"), "\(stopped)")
    #expect(stopped.hasSuffix("or end it with 'kill \(number); kill -CONT \(number)'"))
    kill(number, SIGTERM)
    usleep(50_000)
    // Only the second command makes the first one effective.
    #expect(throws: TargetError.self) { try FolderTarget(scratch.path).exclusively {} }
    kill(number, SIGCONT)
    _ = process.wait()
    try FolderTarget(scratch.path).exclusively {}
  }

  /// Whoever publishes during a purge must not be told how to end it.
  @Test(
    .enabled(
      if: access("/usr/bin/flock", X_OK) == 0 && access("/proc/locks", R_OK) == 0,
      "needs /proc/locks"), arguments: [FolderLock.fileName, FolderLock.emergencyFileName],
    ["purge", "maintenance"])
  func namesNoWayToEndAnEmergency(file: String, command: String) throws {
    try FolderTarget(scratch.path).exclusively {}
    // A process that calls itself `contentc purge`, and waits for a pipe of that name.
    let script =
      "cd $(mktemp -d) && mkfifo \(command) && exec flock -F \(scratch.path(file)) "
      + "/bin/bash -c 'exec -a contentc cat \(command)'"
    let process = try Program("/bin/bash", ["-c", script])
    defer { process.stop() }
    let words = "(contentc \(command)), which holds '"
    var sentence = ""
    for _ in 0..<500 where !sentence.contains(words) {
      do { try FolderTarget(scratch.path).exclusively {} } catch { sentence = "\(error)" }
      usleep(10_000)
    }
    #expect(sentence.contains("an emergency command is at work there, process "), "\(sentence)")
    #expect(sentence.hasSuffix("; wait until it has ended, then run this command again"))
    #expect(!sentence.contains("kill"), "\(sentence)")
    // Emergencies hold the other file together. One that waits does not name a way, either.
    guard file.hasSameBytes(as: FolderLock.fileName) else { return }
    let reports = WaitReports()
    var patience = EmergencyPatience { reports.add($0) }
    patience.seconds = 1
    let emergency = FolderTarget(scratch.path, emergency: patience)
    #expect(throws: TargetError.self) { try emergency.exclusively {} }
    #expect(
      reports.all.count == 1 && reports.all.first?.contains("kill") == false, "\(reports.all)")
  }

  /// Somebody has made a hard link of another file in the lock's place.
  @Test func leavesTheModeOfAHardLinkAlone() throws {
    let names = [FolderLock.fileName, FolderLock.emergencyFileName]
    for name in names {
      try scratch.write("other\(name)", "text")
      chmod(scratch.path("other\(name)"), 0o644)
      link(scratch.path("other\(name)"), scratch.path(name))
    }
    try FolderTarget(scratch.path).exclusively {}
    for name in names {
      #expect(try mode(of: "other\(name)") == 0o644)
      #expect(try scratch.read("other\(name)") == "text")
    }
  }

  @Test func removesTemporaryFilesOfKilledPublishers() throws {
    let target = FolderTarget(scratch.path)
    #expect(try target.create("objects/ab/a", as: OutgoingFile(text: "a")))
    let names = [
      "objects/ab/.contentc-77-1.tmp", ".contentc-77-2.tmp", "objects/ab/.contentc-78-1.tmp",
    ]
    for name in names { try scratch.write(name, "half") }
    for name in names.prefix(2) {
      var times = [
        timeval(tv_sec: 1_700_000_000, tv_usec: 0), timeval(tv_sec: 1_700_000_000, tv_usec: 0),
      ]
      utimes(scratch.path(name), &times)
    }
    // The local clock may be years off, so it must not determine the age of the target's files.
    for now in [1_600_000_000, 4_000_000_000] as [Int64] {
      let prune = Prune(target, keep: 1, grace: .days(1), now: Instant(secondsSince1970: now))
      let isFirst = now == 1_600_000_000
      if isFirst {
        // A prune refuses to start while another publisher holds the lock.
        _ = try FolderTarget(scratch.path).exclusively {
          #expect(throws: TargetError.self) { try prune.run() }
        }
        #expect(
          try target.countLeftovers(age: 86_400, at: Instant(secondsSince1970: 1_700_090_000)) == 2)
        #expect(names.allSatisfy(scratch.holds))
      }
      #expect(try prune.run().leftovers == (isFirst ? 2 : 0))
      #expect(names.map(scratch.holds) == [false, false, true] && scratch.holds("objects/ab/a"))
    }
  }

  /// A process killed between creating a folder and setting its mode leaves the mode from the
  /// umask.
  @Test(arguments: [0o700, 0o750] as [mode_t]) func correctsFolderModesThatAKilledPublisherLeft(
    mode left: mode_t
  ) throws {
    let target = FolderTarget(scratch.path)
    for folder in ["objects", "objects/ab", "own", "own/one"] { mkdir(scratch.path(folder), left) }
    chmod(scratch.path("own"), left)
    #expect(try target.create("objects/ab/a", as: OutgoingFile(text: "a")))
    #expect(try target.create("own/one/a", as: OutgoingFile(text: "a")))
    #expect(try mode(of: "objects/ab") == 0o755 && mode(of: "own/one") == 0o755)
    // Folders with content keep the mode that their owner set.
    #expect(try mode(of: "own") == left)
    chmod(scratch.path("objects/ab"), left)
    #expect(try target.create("objects/ab/b", as: OutgoingFile(text: "b")))
    #expect(try mode(of: "objects/ab") == left)
  }

  private func mode(of name: String) throws -> mode_t {
    var status = stat()
    try #require(lstat(scratch.path(name), &status) == 0)
    return status.st_mode & 0o777
  }
}

extension Threads {
  /// Work on a separate thread, with a way to wait for its result.
  fileprivate final class Background: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)

    init(_ work: @escaping @Sendable () throws -> Void) {
      DispatchQueue(label: "background").async { [self] in
        let made = Result { try work() }
        result.withLock { $0 = made }
      }
    }

    func wait() throws {
      while true {
        if let made = result.withLock({ $0 }) { return try made.get() }
        usleep(1_000)
      }
    }
  }
}
