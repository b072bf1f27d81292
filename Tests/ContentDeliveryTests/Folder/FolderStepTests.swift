import Synchronization
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// The state of the disk if the process ends after any one step.
@Suite struct FolderStepTests {
  /// Simulates a process that ends before step number `index`.
  private final class Stop: Sendable {
    private let taken = Mutex<[StoreStep]>([])
    let index: Int

    init(before index: Int) { self.index = index }

    var all: [StoreStep] { taken.withLock { $0 } }

    var steps: StoreSteps {
      StoreSteps { step throws(StoreError) in
        let count = self.taken.withLock { taken in
          taken.append(step)
          return taken.count
        }
        if count > self.index { throw .failed(.write, path: "stopped", errno: 5) }
      }
    }
  }

  let scratch: ScratchFolder
  let root: String
  let object: OutgoingFile
  private static let key = "objects/roses"

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    let found = try FolderRoot(scratch.path).find()
    root = try #require(found)
    object = try OutgoingFile.compressed("roses")
  }

  @Test func syncsNewFilesBeforeReplacingThePointer() throws {
    let stop = Stop(before: .max)
    try publish("new", through: FolderTarget(scratch.path, steps: stop.steps))
    let (object, pointer) = ("\(root)/\(Self.key)", "\(root)/qa/config.plist")
    #expect(
      stop.all == [
        .stage(object), .place(object + ".gz"), .place(object), .stage(pointer), .syncFileSystem,
        .place(pointer), .syncFolder("\(root)/qa"),
      ])
  }

  @Test func leavesWholeFilesAfterAnyInterruption() throws {
    let target = FolderTarget(scratch.path)
    for index in 0..<7 {
      try target.remove(Self.key)
      try target.remove("qa/config.plist")
      #expect(try target.replace("qa/config.plist", with: OutgoingFile(text: "old"), tagged: nil))
      let stop = Stop(before: index)
      #expect(throws: TargetError.self) {
        try publish("new", through: FolderTarget(scratch.path, steps: stop.steps))
      }
      let config = try target.read("qa/config.plist")?.bytes
      #expect(
        config == Array((index < 6 ? "old" : "new").utf8), "stopped before \(stop.all.last as Any)")
      #expect(try target.read(Self.key) == nil || target.holds(Self.key, as: object))
      #expect(try index < 3 || target.holds(Self.key, as: object))
      try publish("new", through: target)
      #expect(try target.holds(Self.key, as: object))
      #expect(try target.list(below: "").map(\.key) == [Self.key, "qa/config.plist"])
    }
  }

  @Test func reportsAnUncertainResultAfterReplacingThePointer() throws {
    let stop = Stop(before: 6)
    let error = #expect(throws: TargetError.self) {
      try publish("new", through: FolderTarget(scratch.path, steps: stop.steps))
    }
    #expect(error?.kind == .unreachable)
  }

  @Test func removesTheCompressedCopyFirst() throws {
    let stop = Stop(before: .max)
    let target = FolderTarget(scratch.path, steps: stop.steps)
    #expect(try target.create(Self.key, as: object))
    try target.remove(Self.key)
    #expect(
      stop.all.suffix(2) == [
        .removeStray("\(root)/\(Self.key).gz"), .removeStray("\(root)/\(Self.key)"),
      ])
  }

  private func publish(_ text: String, through target: FolderTarget) throws {
    _ = try target.create(Self.key, as: object)
    let tag = try target.read("qa/config.plist")?.tag
    guard try target.replace("qa/config.plist", with: OutgoingFile(text: text), tagged: tag) else {
      throw Problem("not replaced")
    }
  }
}
