import ContentModel
import Diagnostics
import Dispatch
import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentPreview

/// The builds of the preview, and the events for its pages.
@Suite struct RebuildingTests {
  @Test func buildsAtTheStartAndAfterEveryChange() async throws {
    let builds = Counter()
    let live = try await LivePreview { _ in builds.attempt() }
    var lines = live.lines.makeAsyncIterator()
    #expect(await lines.next()?.generation == 1)
    try live.folder.write("content/a.yaml", "x: 1")
    #expect(await lines.next()?.generation == 2)
    await live.preview.stop()
    #expect(builds.count == 2)
  }

  @Test func buildsSequentiallyAndIncludesTheLastEdit() async throws {
    let running = Atomic(0)
    let seen = Mutex<[String]>([])
    let live = try await LivePreview { folder in
      #expect(running.add(1, ordering: .relaxed).newValue == 1)
      let text = (try? folder.read("content/a.yaml")) ?? ""
      usleep(30_000)
      seen.withLock { $0.append(text) }
      running.subtract(1, ordering: .relaxed)
      return .finished(facts: [:], diagnostics: [], source: { _ in nil })
    }
    for number in 0..<40 {
      try live.folder.write("content/a.yaml", "\(number)")
      try await Task.sleep(for: .milliseconds(7))
    }
    for _ in 0..<500 where seen.withLock({ $0.last }) != "39" {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(seen.withLock { $0.last } == "39")
    await live.preview.stop()
  }

  @Test(.timeLimit(.minutes(1))) func firesOnceAtItsInstant() async throws {
    let (firings, start) = (Counter(), ContinuousClock.now)
    let now: @Sendable () -> Instant = {
      Instant(secondsSinceReferenceDate: (ContinuousClock.now - start) / .seconds(1))
    }
    let timer = WallClockTimer(on: DispatchQueue(label: "timer"), now: now) {
      _ = firings.attempt()
    }
    let moment = Instant(secondsSinceReferenceDate: 0.3)
    timer.set(to: moment)
    while firings.count == 0 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(now() >= moment)
    // Content with mistakes still names that moment, and must not be built again and again.
    timer.set(to: moment)
    try await Task.sleep(for: .milliseconds(300))
    #expect(firings.count == 1)
    // A moment in the past fires at once.
    timer.set(to: Instant(secondsSinceReferenceDate: 0.4))
    while firings.count == 1 { try await Task.sleep(for: .milliseconds(10)) }
    timer.set(to: Instant(secondsSinceReferenceDate: now().secondsSinceReferenceDate + 0.5))
    timer.set(to: nil)
    try await Task.sleep(for: .milliseconds(800))
    #expect(firings.count == 2)
  }

  @Test func retriesWhileAnotherProcessBuilds() async throws {
    let builds = Counter()
    let live = try await LivePreview { _ in
      builds.count < 3 ? builds.attempt(.busy) : builds.attempt()
    }
    var lines = live.lines.makeAsyncIterator()
    let line = try #require(await lines.next())
    #expect(line.generation == 1)
    #expect(line.isGood)
    #expect(builds.count == 4)
    await live.preview.stop()
  }

  /// The line of a setting may hold a secret.
  @Test func hidesTheLineOfASecret() {
    var diagnostic = Diagnostic(
      .error, rule: .wrongType,
      at: SourceLocation(
        path: "a.yaml",
        range: SourceRange(
          from: SourcePosition(line: 1, column: 1), to: SourcePosition(line: 1, column: 4))),
      message: "'a' must be good")
    func page() -> Value? {
      DiagnosticsJSON([diagnostic]) { _ in Array("bad\n".utf8) }.value.items?.first
    }
    #expect(page()?["source"]?.text == "bad")
    diagnostic.hidesSource = true
    #expect(page()?["source"] == nil && page()?["length"]?.number == 3)
  }

  @Test func keepsTheLastGoodBuildWhileTheContentHasErrors() async throws {
    let live = try await LivePreview { folder in
      (try? folder.read("content/a.yaml")) == "bad"
        ? Self.failed : .finished(facts: ["entries": 7], diagnostics: [], source: { _ in nil })
    }
    var lines = live.lines.makeAsyncIterator()
    #expect(await lines.next()?.isGood == true)
    try live.folder.write("content/a.yaml", "bad")
    let line = try #require(await lines.next())
    #expect(!line.isGood)
    #expect(line.text.contains("content/a.yaml:1:1: error: 'a' must be good"))
    let state = try await live.get("/api/state").body
    #expect(state.contains(#""entries":7"#))
    #expect(state.contains(#""ok":false"#))
    #expect(
      state.contains(
        ##"{"column":1,"file":"content/a.yaml","length":3,"line":1,"message":"'a' must be good""##))
    #expect(state.contains(##""rule":"wrong-type","severity":"error","source":"bad""##))
    #expect(try await live.get("/preview/config.plist").status == 200)
    try live.folder.write("content/a.yaml", "good")
    // One save may be seen as two.
    var isGood = false
    for _ in 0..<5 where !isGood { isGood = await lines.next()?.isGood ?? false }
    #expect(isGood)
    #expect(try await live.get("/api/state").body.contains(#""diagnostics":[]"#))
    await live.preview.stop()
  }

  @Test(.timeLimit(.minutes(1))) func reportsOnceThatTheFolderCannotBeWritten() async throws {
    let tries = Atomic(0)
    let live = try await LivePreview(persistAndPrepare: {
      tries.add(1, ordering: .relaxed).newValue < 3
        ? .unwritable(reason: "the disk is full") : .done
    })
    let port = UInt16(live.preview.port)
    let text = try await LivePreview.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      socket.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      return socket.receive(until: "\"written\":false")
    }
    #expect(text.contains("\"written\":false"))
    #expect(
      try await live.get("/api/state").body.contains(
        #""writing":{"message":"the disk is full","ok":false}"#))
    // Other remarks are about the limit of watches, which many tests may reach.
    var remarks = live.remarks.filter { $0.hasPrefix("saved") }.makeAsyncIterator()
    #expect(await remarks.next() == "saved edits are served, but not written: the disk is full")
    #expect(await remarks.next() == "saved edits are written now")
    #expect(tries.load(ordering: .relaxed) == 3)
    #expect(try await live.get("/api/state").body.contains(#""writing":{"ok":true}"#))
    await live.preview.stop()
  }

  @Test(.timeLimit(.minutes(1))) func retriesAFailedBuildAndReportsItOnce() async throws {
    let builds = Counter()
    let live = try await LivePreview { _ in
      let isLast = builds.count == 2
      return isLast
        ? builds.attempt()
        : builds.attempt(
          .failed(Diagnostic(.error, rule: .unwritable, at: nil, message: "no room")))
    }
    var lines = live.lines.makeAsyncIterator()
    #expect(await lines.next()?.text == "error: no room [unwritable]\n")
    let line = await lines.next()
    #expect(line?.generation == 2 && line?.isGood == true)
    #expect(builds.count == 3)
    await live.preview.stop()
  }

  @Test func sendsAnEventForEveryAttempt() async throws {
    let live = try await LivePreview()
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let port = UInt16(live.preview.port)
    let folder = live.folder
    let text = try await LivePreview.blocking {
      let socket = try Socket.connected(to: port)
      defer { socket.close() }
      socket.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      let first = socket.receive(until: "\"generation\":1")
      try folder.write("content/a.yaml", "x: 1")
      return first + socket.receive(until: "\"generation\":2")
    }
    #expect(text.contains("content-type: text/event-stream"))
    #expect(
      text.contains(
        "id: 1\nevent: build\ndata: {\"generation\":1,\"ok\":true,\"errors\":0,\"warnings\":0,\"config\":\""
      ))
    #expect(text.contains("id: 2\nevent: build\n"))
    await live.preview.stop()
  }

  @Test func dropsClosedConnections() async throws {
    let broadcaster = EventBroadcaster()
    let stream = broadcaster.subscribe { "first" }
    #expect(broadcaster.subscriberCount == 1)
    let task = Task { for await _ in stream {} }
    task.cancel()
    for _ in 0..<200 where broadcaster.subscriberCount > 0 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(broadcaster.subscriberCount == 0)
  }

  @Test func stopsWhileAPageIsOpen() async throws {
    let live = try await LivePreview()
    let port = UInt16(live.preview.port)
    let socket = try Socket.connected(to: port)
    defer { socket.close() }
    socket.send(Array("GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    let first = try await LivePreview.blocking { socket.receive(until: "retry") }
    #expect(first.contains("text/event-stream"))
    #expect(
      try await LivePreview.blocking { !socket.isClosed(afterMilliseconds: 300, onlyClose: true) })
    await live.preview.stop()
    let isClosed = try await LivePreview.blocking {
      while socket.isClosed(afterMilliseconds: 10_000) {
        if socket.receive().isEmpty { return true }
      }
      return false
    }
    #expect(isClosed)
    #expect(throws: Problem.self) { try Socket.connected(to: port) }
  }

  private static let failed = BuildAttempt.finished(
    facts: [:],
    diagnostics: [
      Diagnostic(
        .error, rule: .wrongType,
        at: SourceLocation(
          path: "content/a.yaml",
          range: SourceRange(
            from: SourcePosition(line: 1, column: 1), to: SourcePosition(line: 1, column: 4))
        ),
        message: "'a' must be good")
    ], source: { $0 == "content/a.yaml" ? Array("bad\n".utf8) : nil })
}

/// A count of attempts to build.
///
/// A class, since the builder increments it and the test reads it.
private final class Counter: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func attempt(
    _ attempt: BuildAttempt = .finished(facts: [:], diagnostics: [], source: { _ in nil })
  ) -> BuildAttempt {
    number.add(1, ordering: .relaxed)
    return attempt
  }
}
