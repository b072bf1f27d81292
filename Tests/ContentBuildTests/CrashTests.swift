import ContentBuild
import ContentModel
import Synchronization
import System
import SystemC
import Testing

/// Stops a build before one of its steps.
final class Stop: Sendable {
  static let error = StoreError.failed(.write, path: "stopped", errno: EIO)

  private let taken = Mutex<[StoreStep]>([])
  private let index: Int
  private let isForGood: Bool

  /// Stops before step number `index`; if `forGood`, all later steps fail, too, as after SIGKILL.
  init(before index: Int, forGood isForGood: Bool) {
    self.index = index
    self.isForGood = isForGood
  }

  var steps: StoreSteps {
    StoreSteps { step throws(StoreError) in
      let count = self.taken.withLock { taken in
        taken.append(step)
        return taken.count
      }
      let isStop = self.isForGood ? count > self.index : count == self.index + 1
      if isStop { throw Self.error }
    }
  }

  var all: [StoreStep] { taken.withLock { $0 } }
}

struct CrashTests {
  let folder: TemporaryFolder
  let out: String
  let old: Release
  let new: Release

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path("out")
    old = try Release(
      "roses", "tulips", files: [("build.plist", "old"), ("maintenance/fr.json", "{}")])
    new = try Release("roses", "lilies", files: [("build.plist", "new")])
  }

  @Test(arguments: [true, false])
  func leavesOneWholeBuildAfterAnyInterruption(isKilled: Bool) throws {
    for index in 0... {
      try old.write(to: out)
      let stop = Stop(before: index, forGood: isKilled)
      let isDone = try run(stop)
      #expect(
        old.isWhole(in: folder) || new.isWhole(in: folder),
        "stopped before \(stop.all[index...].first as Any)")
      try new.write(to: out)
      #expect(folder.files(below: "out") == new.paths)
      #expect(new.isWhole(in: folder))
      if isDone { break }
      try #require(index < 200)
    }
  }

  @Test func repairsAKilledFirstBuild() throws {
    for index in 0... {
      let fresh = "out-\(index)"
      let stop = Stop(before: index, forGood: true)
      let isDone = (try? new.write(to: folder.path(fresh), steps: stop.steps)) != nil
      try new.write(to: folder.path(fresh))
      #expect(folder.files(below: fresh) == new.paths)
      if isDone { break }
      try #require(index < 200)
    }
  }

  @Test func performsItsStepsInOrder() throws {
    try old.write(to: out)
    let stop = Stop(before: .max, forGood: true)
    try new.write(to: out, steps: stop.steps)
    let (lilies, tulips) = (try sampleDigest(from: "lilies"), try sampleDigest(from: "tulips"))
    let kinds = kinds(of: stop)
    let removed = [
      "maintenance/fr.json", "maintenance", path(of: tulips), path(of: tulips) + ".gz",
      latest(of: tulips),
      "objects/\(tulips.hex.prefix(2))",
    ]
    #expect(
      kinds.filter { !$0.hasPrefix("remove") } == [
        "place \(path(of: lilies)).gz", "place \(path(of: lilies))", "place build.plist",
        "place \(latest(of: lilies))", "sync all", "place \(Release.configPath)", "sync folder",
      ])
    #expect(Set(kinds.suffix(6)) == Set(removed.map { "remove \($0)" }))
  }

  @Test func neverCommitsAnIncompleteBuild() throws {
    try old.write(to: out)
    let stop = Stop(before: 2, forGood: false)
    let writer = try BuildWriter(folder: out, steps: stop.steps)
    #expect(throws: Stop.error) { try new.stage(in: writer) }
    #expect(throws: Stop.error) { try writer.commit(config: Release.configPath, bytes: new.config) }
    #expect(old.isWhole(in: folder))
  }

  @Test func leavesTheOldBuildWhenTheDiskIsFull() throws {
    #if os(Linux)
      folder.makeFolder("disk")
      let isMounted = mount("none", folder.path("disk"), "tmpfs", 0, "size=256k") == 0
      try #require(isMounted || errno == EPERM || errno == EACCES)
      guard isMounted else {
        print("skipped leavesTheOldBuildWhenTheDiskIsFull: mounting a tmpfs is not permitted")
        return
      }
      defer { umount2(folder.path("disk"), Int32(MNT_DETACH)) }
      try old.write(to: folder.path("disk/out"))
      let big = [UInt8](repeating: 0, count: 300_000)
      do {
        let writer = try BuildWriter(folder: folder.path("disk/out"))
        let error = #expect(throws: StoreError.self) { try writer.add(file: "big", bytes: big) }
        #expect(error?.kind == .diskFull)
      }
      #expect(old.isWhole(in: folder, "disk/out"))
      try new.write(to: folder.path("disk/out"))
      #expect(folder.files(below: "disk/out") == new.paths)
    #endif
  }

  @Test func renamesWholeFoldersInAFirstBuild() throws {
    let stop = Stop(before: .max, forGood: true)
    try old.write(to: out, steps: stop.steps)
    #expect(
      kinds(of: stop) == [
        "place objects", "place maintenance", "place preview", "place build.plist", "sync all",
        "place \(Release.configPath)", "sync folder",
      ])
    #expect(folder.files(below: "out") == old.paths)
  }

  /// Returns the steps other than staging, in order.
  private func kinds(of stop: Stop) -> [String] {
    stop.all.compactMap { step in
      switch step {
      case .place(let path): "place \(path.dropFirst(out.count + 1))"
      case .syncFileSystem: "sync all"
      case .syncFile: "sync file"
      case .syncFolder: "sync folder"
      case .removeStray(let path): "remove \(path)"
      case .makeFolder, .stage, .discard: nil
      }
    }
  }

  /// Returns `true` if the build finished.
  private func run(_ stop: Stop) throws -> Bool {
    do {
      try new.write(to: out, steps: stop.steps)
      return stop.all.count <= 200 && !stop.all.isEmpty
    } catch let error as StoreError {
      #expect(error == Stop.error)
      return false
    }
  }
}
