import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Processes that the system kills while they refresh, alone and beside another one.
///
/// Each child is this program again, which runs the first test with `CONTENTC_KILL`: it refreshes,
/// and ends itself at one write. `KillTests` and `EndingStorage` have the same for writes that fail
/// in a process that lives on.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct ProcessKillTests {
  private static let child = getenv("CONTENTC_KILL").map { String(cString: $0) }

  @Test func showsTheOldOrTheNewReleaseAfterAKillAtAnyWrite() async throws {
    if let child = try Self.child.map(RefreshingChild.init) {
      if child.isSigned == SignedAndUnsigned.isSigned { try await child.run() }
      return
    }
    let drill = try await KillDrill()
    let count = try drill.writes()
    #expect(count > 4, "the journal, the state and the objects of a release: \(count) writes")
    var ends: Set<String> = []
    for write in 0..<count {
      let killed = [(write, KillDrill.Moment.before), (write, .within)]
      for (end, store) in try drill.kill(killed.map { [$0] }) {
        #expect(end == ["signal 9"] || end == ["signal 25"], "write \(write)")
        ends.insert(try await drill.expectOldOrNew(in: store))
      }
    }
    #expect(ends == ["Rose", "New"], "some are killed before the switch, some after it")
  }

  @Test func twoProcessesThatShareAFolderLeaveTheOldOrTheNewRelease() async throws {
    let drill = try await KillDrill()
    let count = try drill.writes()
    for write in 0..<count {
      // The other process ends at a write of its own, or shows the new release.
      let moment = write.isMultiple(of: 2) ? KillDrill.Moment.before : .within
      let other = write.isMultiple(of: 3) ? (write * 5 + 2) % count : .max
      for (end, store) in try drill.kill([[(write, moment), (other, .before)]]) {
        // A process has fewer writes if the other one was faster.
        let isOver = end[0] == "signal 9" || end[0] == "signal 25" || end[0] == "status 0"
        #expect(isOver && (end[1] == "status 0" || other < .max), "write \(write): \(end)")
        let title = try await drill.expectOldOrNew(in: store)
        if end.contains("status 0") { #expect(title == "New", "write \(write): \(end)") }
      }
    }
  }
}

/// A published second release, and a folder in which the first one is stored.
private struct KillDrill {
  /// The moment of a kill: before a write, or after a part of its bytes.
  enum Moment: String, Sendable { case before, within }

  private let scratch: ScratchFolder
  private let number = Counter()
  /// The path of the key document that the client pins; `nil` in a channel without keys.
  private let pin: String?

  init() async throws {
    scratch = try ScratchFolder(inMemory: true)
    let keys = SignedAndUnsigned.isSigned ? try SignedPlace() : nil
    pin = try keys?.pin(in: scratch)
    let site = FolderTarget(scratch.path("site"))
    let place = keys?.place(site) ?? ChannelPlace(site)
    try Shop().publish(to: place)
    let client = try ContentClient(configuration(storing: scratch.path("first")))
    #expect(await client.refreshed().isUpdated)
    try Shop([
      "entries/product/rose.yaml": "title: New\n", "entries/product/iris.yaml": "title: New\n",
    ]).publish(to: place)
  }

  private func configuration(storing folder: String, isOnline: Bool = true) -> ContentConfiguration
  {
    RefreshingChild.configuration(
      site: isOnline ? scratch.path("site") : nil, storing: folder, pin: pin)
  }

  /// Returns the number of writes of a refresh that is not killed.
  func writes() throws -> Int {
    let ends = try kill([[(.max, .before)]])
    try #require(ends.first?.end == ["status 0"], "\(ends)")
    let count = try scratch.read("first-\(number.value)/writes-0")
    return try #require(Int(count))
  }

  /// Starts the processes of each group with a folder of their own, all at the same time, and
  /// returns their ends.
  func kill(_ groups: [[(write: Int, moment: Moment)]]) throws -> [(end: [String], store: String)] {
    var running: [(store: String, children: [Program])] = []
    for group in groups {
      let store = scratch.path("first-\(number.next())")
      try Program.run("/bin/cp", ["-R", scratch.path("first"), store])
      let children = try group.enumerated().map { place, kill in
        try Program(
          CommandLine.arguments[0],
          [
            "--testing-library", "swift-testing", "--filter",
            "ProcessKillTests.showsTheOldOrTheNewReleaseAfterAKillAtAnyWrite",
          ],
          environment: [
            "CONTENTC_KILL=\(kill.write):\(kill.moment):\(place):\(group.count):"
              + "\(scratch.path("site")):\(store):\(pin ?? "-")"
          ])
      }
      running.append((store, children))
    }
    return running.map { ($0.children.map { Self.end(of: $0.wait()) }, $0.store) }
      .map { (end: $0, store: $1) }
  }

  private static func end(of status: Int32) -> String {
    status & 0x7F == 0 ? "status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
  }

  /// Expects that the folder has one whole release, and that the next refresh shows the new one;
  /// returns the title of all products.
  func expectOldOrNew(in store: String) async throws -> String {
    let offline = try ContentClient(configuration(storing: store, isOnline: false))
    let titles = ["product/rose", "product/iris"].map { offline.title($0)?.text ?? "-" }
    #expect(titles == ["Rose", "Iris"] || titles == ["New", "New"], "\(titles) in \(store)")
    #expect(offline.changes(since: nil).token == offline.token)
    let client = try ContentClient(configuration(storing: store))
    #expect(await client.refreshed().failure == nil)
    #expect(client.title("product/rose") == "New" && client.title("product/iris") == "New")
    return titles[0]
  }
}

/// The work of a child: one refresh, which ends at a write.
private struct RefreshingChild {
  private let write: Int
  private let moment: KillDrill.Moment
  private let place: Int
  private let count: Int
  private let site: String
  private let store: String
  private let pin: String?

  /// `true` in a signed channel.
  var isSigned: Bool { pin != nil }

  init(_ text: String) throws {
    let words = text.split(separator: ":").map(String.init)
    try #require(words.count == 7)
    write = try #require(Int(words[0]))
    moment = try #require(KillDrill.Moment(rawValue: words[1]))
    (place, count) = (try #require(Int(words[2])), try #require(Int(words[3])))
    (site, store) = (words[4], words[5])
    pin = words[6] == "-" ? nil : words[6]
  }

  /// A client of a site in a folder; without one, of no server.
  static func configuration(
    site: String?, storing folder: String, pin: String?
  ) -> ContentConfiguration {
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["en"])
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: folder)
    configuration.trust = pin.map { .pinned(path: $0) } ?? .unsigned
    configuration.clock = ManualClock()
    configuration.transport = ScriptedTransport { request throws(TransportFailure) in
      guard let site else { throw .unreachable }
      let key = request.url.dropFirst("https://shop.example/".count)
      guard let bytes = FolderFile.contents("\(site)/\(key)", limit: 1 << 20) else {
        return ContentResponse(status: 404)
      }
      return ContentResponse(
        status: 200, headers: [("ETag", "\"\(Digest(of: bytes).hex)\"")], body: bytes)
    }
    return configuration
  }

  func run() async throws {
    // A child that waits for ever must not outlive its test.
    alarm(60)
    let writes = Locked(0)
    let storage = EndingStorage(FolderStorage(store)) { [write, moment] in
      let number = writes.withLock { count in
        count += 1
        return count - 1
      }
      guard number == write else { return }
      switch moment {
      case .before: kill(getpid(), SIGKILL)
      case .within:
        // The kernel writes 40 bytes of the file, and then ends the process.
        var limit = rlimit(rlim_cur: 40, rlim_max: 40)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      }
    }
    let client = try ContentClient(
      Self.configuration(site: site, storing: store, pin: pin), storage: storage)
    try meetTheOthers()
    _ = await client.refreshed()
    // The last changes are removals, within which there is nothing to write.
    if moment == .within { kill(getpid(), SIGKILL) }
    #expect(write == .max || count > 1, "write \(write) does not happen")
    try FolderFile.replace(
      "\(store)/writes-\(place)", with: Array("\(writes.current)".utf8), isDurable: false)
    // Reading would count as a start with a release on trial.
    #expect(client.presenter.release?.number == 2)
  }

  /// Waits until all children of the folder run, so that they refresh at the same time.
  private func meetTheOthers() throws {
    try FolderFile.replace("\(store)/ready-\(place)", with: [1], isDurable: false)
    for other in 0..<count {
      while access("\(store)/ready-\(other)", F_OK) != 0 { usleep(500) }
    }
  }
}
