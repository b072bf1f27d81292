import ContentClient
import ContentModel
import PropertyLists
import SystemC
import Testing

@testable import ShopTerminal

/// The progress bar of the example app.
@Suite struct ShopProgressTests {
  @Test(arguments: [
    (0, 0, 0, "0 % of 0 kB"), (0, 1_500, 0, "0 % of 2 kB"), (600, 1_200, 15, "50 % of 2 kB"),
    (1_199, 1_200, 29, "99 % of 2 kB"), (1_200, 1_200, 30, "100 % of 2 kB"),
    (9_000, 1_200, 30, "100 % of 2 kB"),
  ])
  func fillsTheBarWithTheBytes(received: Int, total: Int, full: Int, text: String) {
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 30 - full)
    #expect(Painter().bar(received: received, total: total) == "\(bar) \(text)")
  }

  /// The app on a terminal, with a bundle that arrives in ten parts.
  @Test(.timeLimit(.minutes(2))) func drawsTheProgressOfTheFirstRefresh() async throws {
    let terminal = try PseudoTerminal()
    var (ends, status) = ([CInt](repeating: -1, count: 2), CInt(0))
    status = pipe(&ends)
    try #require(status == 0)
    var configuration = ContentConfiguration(
      url: "https://flowers.example", app: "flowershop", channel: "qa")
    configuration.eager = ["catalog"]
    configuration.transport = PartsTransport()
    var app = try ShopApp(
      configuration,
      terminal: Terminal(
        output: terminal.program, isInteractive: true, environment: ["TERM": "xterm"]))
    let input = LineInput(ends[0])
    let running = Task {
      await app.run(input)
      return true
    }
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).contains("100 % of") {
      bytes += try await terminal.output()
    }
    let shown = String(decoding: bytes, as: UTF8.self)
    #expect(write(ends[1], "quit\n", 5) == 5)
    #expect(await running.value)
    let bars = shown.matches(of: /\r\x{1B}\[K(█*)(░*) (\d+) % of 5 kB/)
    let percents = bars.compactMap { Int($0.output.3) }
    #expect(percents.count > 2 && percents == percents.sorted(), "\(percents)")
    for bar in bars {
      #expect(bar.output.1.count + bar.output.2.count == 30)
      #expect(bar.output.1.count == (Int(bar.output.3) ?? 0) * 30 / 100, "\(bar.output.0)")
    }
    close(ends[0])
    close(ends[1])
  }
}

/// A release whose only bundle arrives in ten parts.
private struct PartsTransport: ContentTransport {
  private var files: [String: [UInt8]] = [:]

  init() {
    func file(_ value: Value) -> (Digest, [UInt8]) {
      let bytes = (try? PropertyList.encode(value, as: .binary)) ?? []
      return (Digest(of: bytes), bytes)
    }
    let text = String(repeating: "rose ", count: 900)
    let (bundle, bundleBytes) = file([
      "bundle": "catalog", "format": 1, "order": ["product/rose"],
      "entries": ["product/rose": ["content": ["title": .string(text)], "datatype": "test"]],
    ])
    let (index, indexBytes) = file([
      "format": 1, "startup": [:],
      "bundles": [
        "catalog": [
          "count": 1, "object": .data(bundle.bytes), "size": .integer(Int64(bundleBytes.count)),
        ]
      ],
    ])
    let (_, config) = file([
      "app": "flowershop", "channel": "qa", "format": 1, "release": 1, "ttl": 600,
      "locales": ["en": ["en"]], "sourceLocale": "en",
      "indexes": ["en": ["any": .data(index.bytes)]],
      "purge": ["entries": [], "minimumRelease": 0, "objects": [], "sequence": 0],
      "maintenance": ["active": false, "retryAfter": 60],
    ])
    files = [
      "config.plist": config, "\(index.hex).plist": indexBytes, "\(bundle.hex).plist": bundleBytes,
    ]
  }

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    let name = request.url.split(separator: "/").last.map(String.init) ?? ""
    guard let body = files[name] else { return ContentResponse(status: 404) }
    for part in 0..<10 {
      do { try await Task.sleep(for: .milliseconds(20)) } catch { throw .cancelled }
      progress(body.count * (part + 1) / 10 - body.count * part / 10)
    }
    return ContentResponse(status: 200, body: body)
  }
}

/// A terminal whose screen a test reads.
private final class PseudoTerminal: Sendable {
  /// The side of the program.
  let program: CInt
  /// The side of the person.
  private let person: CInt

  init() throws {
    // Swift does not import the C library's functions for this. These requests have the same effect
    // (`tty_ioctl(4)`).
    let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, index): (CInt, CInt) = (0, 0)
    let isReady = ioctl(person, unlock, &locked) == 0 && ioctl(person, number, &index) == 0
    program = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(isReady && program >= 0)
  }

  deinit {
    close(program)
    close(person)
  }

  /// Waits for output, and returns it.
  func output() async throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var descriptor = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
    // A task must not block the thread that others share.
    while poll(&descriptor, 1, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let count = read(person, &bytes, bytes.count)
    try #require(count > 0)
    return Array(bytes.prefix(count))
  }
}
