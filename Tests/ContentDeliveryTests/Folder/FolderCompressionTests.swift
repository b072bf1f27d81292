import SharedGzip
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

@Suite struct FolderCompressionTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let roses: OutgoingFile
  let tulips: OutgoingFile

  private let locks = [".contentc-lock", ".contentc-lock-emergency"]

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    target = FolderTarget(scratch.path)
    (roses, tulips) = (try .compressed("roses"), try .compressed("tulips"))
  }

  @Test func writesCompressedCopiesButDoesNotListThem() throws {
    #expect(try target.create("a", as: roses))
    #expect(try ScratchFolder.read(scratch.path("a.gz")) == roses.compressed?.bytes)
    #expect(try target.read("a")?.bytes == roses.bytes)
    #expect(try target.list(below: "").map(\.key) == ["a"])
    try target.remove("a")
    #expect(scratch.names() == locks)
  }

  @Test func writesNoCompressedCopyOfAPointer() throws {
    try scratch.write("config.plist.gz", "left by somebody, and sent for ever")
    #expect(try target.replace("config.plist", with: roses, tagged: nil))
    #expect(scratch.names() == locks + ["config.plist"])
  }

  @Test func holdsAFileOnlyIfItsCompressedCopyMatches() throws {
    #expect(try target.create("a", as: roses))
    #expect(try target.holds("a", as: roses))
    #expect(try !target.holds("a", as: tulips))
    // A copy from another compressor.
    var other = roses
    other.compressed = .bytes(try GzipCompressor(level: 1).compress(roses.bytes))
    #expect(try target.holds("a", as: other))
    var plain = roses
    plain.compressed = nil
    #expect(try target.holds("a", as: plain))
    try Program.run("/bin/cp", [scratch.path("a.gz"), scratch.path("b.gz")])
    for damage in ["", "no gzip", "\u{1F}"] {
      try scratch.write("a.gz", damage)
      #expect(try !target.holds("a", as: roses))
      #expect(try !target.holds("a", as: plain))
    }
    try Program.run("/bin/rm", [scratch.path("a.gz")])
    #expect(try !target.holds("a", as: roses))
    #expect(try target.holds("a", as: plain))
  }

  @Test func replacesAPartialCompressedCopy() throws {
    try scratch.write("a.gz", "cut of")
    #expect(try target.create("a", as: roses))
    #expect(try target.holds("a", as: roses))
  }

  @Test func refusesNamesThatCollideWithCompressedCopies() throws {
    #expect(try target.create("a", as: OutgoingFile(text: "a")))
    expectRefusal(.unusable, "compressed copy") {
      try target.create("a.gz", as: OutgoingFile(text: "b"))
    }
    #expect(try target.create("b.gz", as: OutgoingFile(text: "b")))
    expectRefusal(.unusable, "compressed copy") {
      try target.create("b", as: OutgoingFile(text: "c"))
    }
    #expect(try target.list(below: "").map(\.key) == ["a", "b.gz"])
  }
}

extension OutgoingFile {
  /// A file with a compressed copy that is smaller.
  static func compressed(_ text: String) throws -> OutgoingFile {
    var file = OutgoingFile(text: String(repeating: text, count: 100))
    file.compressed = .bytes(try GzipCompressor().compress(file.bytes))
    return file
  }
}

/// Expects a `TargetError` of a kind whose description contains `words`.
func expectRefusal<Result>(
  _ kind: TargetError.Kind, _ words: String, location: SourceLocation = #_sourceLocation,
  _ work: () throws -> Result
) {
  let error = #expect(throws: TargetError.self, sourceLocation: location) { _ = try work() }
  #expect(error?.kind == kind, sourceLocation: location)
  #expect(
    error?.description.contains(words) ?? false, "\(error?.description ?? "")",
    sourceLocation: location)
}
