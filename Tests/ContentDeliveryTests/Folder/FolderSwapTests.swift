import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// A target's folder that is repeatedly swapped for a symbolic link while files are written there.
@Suite struct FolderSwapTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    for name in ["root", "root/objects", "root/objects/aa", "elsewhere", "elsewhere/aa"] {
      scratch.makeFolder(name)
    }
  }

  @Test(
    arguments: [("objects", "../elsewhere"), ("objects/aa", "../../elsewhere")], Placing.allCases)
  func neverWritesThroughALink(swap: (folder: String, link: String), placing: Placing) throws {
    let isDone = Atomic(false)
    let (folder, aside) = (scratch.path("root/\(swap.folder)"), scratch.path("aside"))
    let swapped = Counter()
    try Threads.runBlocking(3) { [scratch] number in
      guard number > 0 else {
        while !isDone.load(ordering: .relaxed) {
          if rename(folder, aside) == 0 {
            symlink(swap.link, folder)
            _ = swapped.next()
            usleep(50)
            unlink(folder)
            // A publisher may have recreated the folder meanwhile.
            while rename(aside, folder) != 0, !isDone.load(ordering: .relaxed) {
              try? Program.run("/bin/rm", ["-rf", folder])
            }
          }
          usleep(50)
        }
        return
      }
      let target = FolderTarget(scratch.path("root"), placings: [placing])
      for file in 0..<1_500 {
        let key = "objects/aa/\(number)-\(file)"
        _ = try? target.create(key, as: try OutgoingFile.compressed(key))
        _ = try? target.replace("objects/aa/pointer", with: OutgoingFile(text: key), tagged: nil)
        try? target.remove("objects/aa/pointer")
        if number == 1, file == 1_499 { isDone.store(true, ordering: .relaxed) }
      }
    }
    #expect(swapped.next() > 20)
    #expect(scratch.names(in: "elsewhere") == ["aa"])
    #expect(scratch.names(in: "elsewhere/aa") == [])
  }
}
