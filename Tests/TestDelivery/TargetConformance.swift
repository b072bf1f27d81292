import ContentModel
import SharedGzip
import TestServers
import Testing

@testable import ContentTargets

/// The requirements for every target.
///
/// Each target's tests call this type.
struct TargetConformance {
  let target: any Target

  func check() throws {
    try createsOnce()
    try replacesByTag()
    try listsAndRemoves()
    try namesAreTheListedKeys()
    try locksOutOthers()
    try storesLargeFiles()
  }

  private func createsOnce() throws {
    let file = OutgoingFile(text: "one")
    #expect(try target.read("objects/aa/one.plist") == nil)
    #expect(try target.create("objects/aa/one.plist", as: file))
    #expect(try !target.create("objects/aa/one.plist", as: OutgoingFile(text: "other")))
    #expect(try target.read("objects/aa/one.plist")?.bytes == Array("one".utf8))
    #expect(try target.holds("objects/aa/one.plist", as: file))
    #expect(try !target.holds("objects/aa/one.plist", as: OutgoingFile(text: "two")))
    #expect(try !target.holds("objects/aa/none.plist", as: file))
  }

  private func replacesByTag() throws {
    let key = "qa/config.plist"
    #expect(try !target.replace(key, with: OutgoingFile(text: "1"), tagged: "no such tag"))
    #expect(try target.replace(key, with: OutgoingFile(text: "1"), tagged: nil))
    #expect(try !target.replace(key, with: OutgoingFile(text: "2"), tagged: nil))
    let first = try #require(try target.read(key))
    #expect(try target.replace(key, with: OutgoingFile(text: "2"), tagged: first.tag))
    #expect(try !target.replace(key, with: OutgoingFile(text: "3"), tagged: first.tag))
    let second = try #require(try target.read(key))
    #expect(second.bytes == Array("2".utf8) && second.tag != first.tag)
  }

  private func listsAndRemoves() throws {
    for key in ["list/b/2", "list/a", "list/b/1"] {
      #expect(try target.create(key, as: OutgoingFile(text: key)))
    }
    #expect(try target.list(below: "list/").map(\.key) == ["list/a", "list/b/1", "list/b/2"])
    #expect(try target.list(below: "list/b/").map(\.key) == ["list/b/1", "list/b/2"])
    try target.remove("list/b/1")
    try target.remove("list/b/1")
    #expect(try target.read("list/b/1") == nil)
    #expect(try target.list(below: "list/").map(\.key) == ["list/a", "list/b/2"])
    #expect(try target.list(below: "nothing/").isEmpty)
  }

  private func namesAreTheListedKeys() throws {
    let text = Array("c".utf8)
    let file = OutgoingFile(
      bytes: text, compressed: try GzipCompressor().compress(text),
      headers: FileHeaders(contentType: "text/plain", cacheControl: "public, max-age=60"))
    for key in ["names/b/c", "names/a-b", "names/a/b"] {
      #expect(try target.create(key, as: file))
    }
    #expect(try target.names(below: "names/") == ["names/a-b", "names/a/b", "names/b/c"])
    for prefix in ["", "names/", "names/a", "names/b/c", "nothing/"] {
      #expect(try target.names(below: prefix) == target.list(below: prefix).map(\.key))
    }
  }

  /// Tests a file that is read piece by piece.
  private func storesLargeFiles() throws {
    let scratch = try ScratchFolder(inMemory: true)
    let sample = try SampleFile(in: scratch)
    let file = try sample.outgoing()
    #expect(try target.create("objects/bb/large.mp4", as: file))
    #expect(
      try !target.create("objects/bb/large.mp4", as: file)
        && target.holds("objects/bb/large.mp4", as: file)
    )
    #expect(try target.read("objects/bb/large.mp4")?.bytes == sample.bytes)
    sample.apply(.changesAtItsEnd)
    #expect(try !target.holds("objects/bb/large.mp4", as: try sample.outgoing()))
  }

  private func locksOutOthers() throws {
    #expect(try target.exclusively { 1 } == 1)
    #expect(try target.exclusively { 2 } == 2)
  }
}

extension OutgoingFile {
  /// The bytes of a file that was created in memory.
  var bytes: [UInt8] { (try? body.bytes) ?? [] }

  init(text: String) {
    self.init(
      bytes: Array(text.utf8),
      headers: FileHeaders(
        contentType: "text/plain; charset=utf-8", cacheControl: "public, max-age=60"))
  }
}
