import ContentModel
import Synchronization
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

@Suite struct FolderTargetTests {
  let scratch: ScratchFolder
  let root: String
  let target: FolderTarget

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    root = scratch.path("root")
    target = FolderTarget(root)
  }

  @Test(arguments: [Placing.allCases, [.link], [.lockedRename]])
  func conforms(placings: [Placing]) throws {
    #expect(target.honorsConditions())
    try TargetConformance(target: FolderTarget(root, placings: placings)).check()
  }

  @Test func conformsOnADisk() throws {
    let scratch = try ScratchFolder()
    try TargetConformance(target: FolderTarget(scratch.path("root"))).check()
  }

  @Test func conformsThroughALinkToItsRoot() throws {
    scratch.makeFolder("real")
    scratch.link("real", as: "root")
    try TargetConformance(target: target).check()
    #expect(scratch.holds("real/qa/config.plist"))
  }

  @Test func createsOnlyFilesAndItsLock() throws {
    #expect(try target.create("a", as: OutgoingFile(text: "a")))
    #expect(try !target.create("a", as: OutgoingFile(text: "b")))
    #expect(try target.replace("b", with: OutgoingFile(text: "b"), tagged: nil))
    #expect(try !target.replace("b", with: OutgoingFile(text: "c"), tagged: "none"))
    #expect(scratch.names(in: "root") == [".contentc-lock", ".contentc-lock-emergency", "a", "b"])
  }

  @Test func datesEachReplacementOneSecondLater() throws {
    let key = "qa/config.plist"
    var tag: String?
    var seconds = [0]
    for number in 0..<5 {
      #expect(try target.replace(key, with: OutgoingFile(text: "\(number)"), tagged: tag))
      tag = try target.read(key)?.tag
      seconds.append(scratch.modified("root/\(key)"))
    }
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $0 < $1 }, "\(seconds)")
    scratch.date("root/\(key)", 4_000_000_000)
    tag = try target.read(key)?.tag
    #expect(try target.replace(key, with: OutgoingFile(text: "5"), tagged: tag))
    #expect(scratch.modified("root/\(key)") == 4_000_000_001)
  }

  @Test func changesTheTagEvenForEqualBytes() throws {
    #expect(try target.replace("a", with: OutgoingFile(text: "a"), tagged: nil))
    let first = try #require(try target.read("a")?.tag)
    #expect(try target.replace("a", with: OutgoingFile(text: "a"), tagged: first))
    #expect(try target.read("a")?.tag != first)
    #expect(try !target.replace("a", with: OutgoingFile(text: "a"), tagged: first))
  }

  @Test func listsKeysInOrderByPrefix() throws {
    for key in ["a/b", "a-b", "a.plist", "ab/c", "a/b.gz.plist"] {
      #expect(try target.create(key, as: OutgoingFile(text: key)))
    }
    scratch.makeFolder("root/empty")
    try scratch.write("root/not a key", "")
    scratch.link("a", as: "root/link")
    #expect(
      try target.list(below: "").map(\.key) == ["a-b", "a.plist", "a/b", "a/b.gz.plist", "ab/c"])
    #expect(try target.list(below: "a").count == 5)
    #expect(try target.list(below: "ab").map(\.key) == ["ab/c"])
    #expect(try target.list(below: "a/b.").map(\.key) == ["a/b.gz.plist"])
    let listed = try #require(try target.list(below: "a-").first)
    #expect(
      listed.size == 3
        && listed.modified == .init(secondsSince1970: Int64(scratch.modified("root/a-b"))))
  }

  @Test func removesTemporaryFilesOlderThanADay() throws {
    scratch.makeFolder("root")
    let names = ["root/.contentc-1-1.tmp", "root/.contentc-1-2.tmp", "root/other.tmp"]
    for name in names { try scratch.write(name, "") }
    for name in [names[0], names[2]] { scratch.date(name, scratch.modified(name) - 86_500) }
    #expect(try target.list(below: "").map(\.key) == ["other.tmp"])
    #expect(try target.create("a", as: OutgoingFile(text: "a")))
    #expect(
      scratch.names(in: "root") == [
        ".contentc-1-2.tmp", ".contentc-lock", ".contentc-lock-emergency", "a", "other.tmp",
      ])
  }
}
