import ContentModel
import PropertyLists
import SiteFormat
import SystemC
import TestSigning
import Testing

/// Searches all states of a small model of the protocol, and compares the model with `TrustMemory`.
///
/// The model is `Model/trust-model.py`. Its traces are replayed in `TrustMemory`.
@Suite struct TrustModelTests {
  @Test(arguments: [
    "--documents 3 --publications 3 --number 4 --thefts 1", "--states 500000",
  ])
  func everyStateKeepsThePromises(bounds: String) throws {
    let search = try Self.search(bounds)
    #expect(search.status == 0, "\(search.lines.joined(separator: "\n"))")
    #expect(search.lines.last?.hasPrefix("kept every promise in ") == true)
  }

  /// In release 233fb599, a recovery that kept a release key let readers go back to releases from before
  /// it.
  @Test func theSearchFindsTheRollbackOfRelease233fb599() throws {
    let search = try Self.search("--rules 233fb599")
    let text = search.lines.joined(separator: "\n")
    #expect(search.status == 1, "\(text)")
    #expect(text.contains("rollback: publication 1 of before a recovery"), "\(text)")
    #expect(text.contains("with the same key"), "\(text)")
  }

  /// Each config of the model's traces, accepted or refused, has the same outcome in `TrustMemory`, and
  /// leaves the same memory.
  @Test func theModelAgreesWithTheClient() throws {
    let search = try Self.search(
      "--documents 4 --publications 4 --states 120000 --traces 150")
    #expect(search.status == 0)
    var outcomes: Set<String> = []
    for line in search.lines where line.hasPrefix("[") {
      let steps = try #require(
        PropertyList.decode(Array(line.utf8), as: .json).value.items, "\(line)")
      var replay = try Replay()
      for step in steps { try replay.take(step) }
      outcomes.formUnion(replay.outcomes)
    }
    #expect(
      outcomes == [
        "accepted", "tooFewSignatures", "withheldDocument", "beforeRecovery", "olderRelease",
        "equivocation", "pinned", "merged",
      ])
  }

  /// Runs the search, and returns its exit status and all that it prints.
  private static func search(_ arguments: String) throws -> (status: Int32, lines: [String]) {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let pipe = try #require(
      popen("python3 '/\(folder)/Model/trust-model.py' \(arguments) 2>&1", "r"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    let status = pclose(pipe)
    return (
      status >> 8 & 0xFF,
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    )
  }
}

/// A trace of the model with real documents, signatures and memories.
private struct Replay {
  private var publisher: TestPublisher
  /// All key documents from version 1.
  private var documents: [KeyDocument] = []
  private var readers: [TrustMemory] = []
  private(set) var outcomes: Set<String> = []

  init() throws {
    publisher = try TestPublisher()
    let key = try Self.key(1)
    (publisher.authority.release, publisher.authority.fresh) = ([key], [key])
    let memory = try publisher.memory()
    (documents, readers) = ([memory.document], [memory, memory])
  }

  private static func key(_ number: Int) throws -> TestKey { try TestKey(10 + number) }

  mutating func take(_ step: Value) throws {
    if let number = step["key"]?.number, let floor = step["floor"]?.number {
      return try add(key: number, floor: floor)
    }
    guard let reader = step["reader"]?.number else { return }
    for other in step["instead"]?.items ?? [] {
      var memory = readers[reader]
      try offer(other, to: &memory)
    }
    switch step["do"]?.text {
    case "offer":
      var memory = readers[reader]
      try offer(step, to: &memory)
      readers[reader] = memory
    case "pin":
      let pinned = documents[try #require(step["version"]?.number) - 1]
      readers[reader] = TrustMemory(pinned: pinned, continuing: readers[reader])
      outcomes.insert("pinned")
    default:
      readers[reader].merge(readers[1 - reader])
      outcomes.insert("merged")
    }
    try expect(readers[reader], toBe: step)
  }

  /// Adds a key document, which is a recovery if the floor is above 0.
  private mutating func add(key number: Int, floor: Int) throws {
    let key = try Self.key(number)
    try publisher.rotate(
      to: documents.count + 1, recovery: floor > 0 ? (release: Int64(floor), purge: 0) : nil
    ) { ($0.release, $0.fresh) = ([key], [key]) }
    documents.append(try KeyDocument(try #require(publisher.documents.last)))
  }

  /// Gives a config to a reader, and expects the outcome and the memory of the model.
  private mutating func offer(_ step: Value, to memory: inout TrustMemory) throws {
    let count = try #require(step["documents"]?.number)
    let release = try #require(step["release"])
    let config = try Self.config(release)
    let bytes = try Envelope(
      config: config, release: Self.signed(release, .release, about: config),
      fresh: Self.signed(try #require(step["fresh"]), .fresh, about: config),
      documents: documents[..<count].dropFirst().map(\.signed)
    ).encoded(as: .binary)
    var outcome = "accepted"
    do throws(TrustError) { _ = try memory.verify(bytes) } catch {
      switch error {
      case .tooFewSignatures: outcome = "tooFewSignatures"
      case .withheldDocument: outcome = "withheldDocument"
      case .beforeRecovery: outcome = "beforeRecovery"
      case .olderRelease: outcome = "olderRelease"
      case .equivocation: outcome = "equivocation"
      default: outcome = error.reason
      }
    }
    outcomes.insert(outcome)
    #expect(step["outcome"]?.text == outcome, "\(step)")
    try expect(memory, toBe: step)
  }

  private func expect(_ memory: TrustMemory, toBe step: Value) throws {
    let known = try #require(step["memory"])
    #expect(memory.document.version == known["document"]?.number, "\(step)")
    #expect(memory.release == known["release"]?.number, "\(step)")
    #expect(memory.recovery?.version ?? 0 == known["recovery"]?.number, "\(step)")
    // The model has no hashes: -1 is no config.
    let config = known["config"]?.number == -1 ? nil : try Self.digest(of: known)
    #expect(memory.config == config, "\(step)")
  }

  private static func digest(of memory: Value) throws -> Digest {
    Digest(
      of: try config([
        "number": memory["release"] ?? 0, "content": memory["config"] ?? 0,
      ]))
  }

  /// The bytes of the config of a release with some content.
  private static func config(_ statement: Value) throws -> [UInt8] {
    try PropertyList.encode(
      .dictionary([
        "app": "shop", "channel": "production", "format": 1,
        "release": statement["number"] ?? 0, "content": statement["content"] ?? 0,
      ]), as: .binary)
  }

  private static func signed(
    _ statement: Value, _ type: SignedType, about config: [UInt8]
  ) throws -> SignedBody {
    let release = ReleaseStatement(
      app: "shop", channel: "production", release: try #require(statement["number"]?.number),
      issued: TestPublisher.now, config: Digest(of: config), size: config.count,
      keys: try #require(statement["keys"]?.number))
    let fresh = FreshStatement(
      about: release, issued: TestPublisher.now, expires: TestPublisher.instant(days: 14))
    let body = try type == .release ? release.body() : fresh.body()
    let signer = try key(try #require(statement["signer"]?.number))
    return SignedBody(body: body, signatures: [try signer.signature(of: body, as: type)])
  }
}
