import ContentModel
import ContentcCommands
import TestServers
import Testing

/// The releases of channels that a machine remembers.
@Suite struct ReleaseMemoryTests {
  private func seen(_ release: Int) -> ReleaseMemory.Seen {
    ReleaseMemory.Seen(
      release: release, config: Digest(of: [UInt8(release)]), purge: 0, keys: 1, own: nil)
  }

  /// Commands that publish different channels at the same time lose no release of each other.
  @Test func keepsWhatSeveralCommandsNoteAtTheSameTime() async throws {
    let scratch = try ScratchFolder()
    let memory = ReleaseMemory(beside: scratch.path("content"))
    await withTaskGroup { group in
      for channel in 1...20 {
        group.addTask {
          for release in 1...5 {
            memory.note(seen(release), of: "channel-\(channel)", app: "shop", at: "site")
          }
        }
      }
    }
    for channel in 1...20 {
      #expect(memory.seen("channel-\(channel)", of: "shop", at: "site") == seen(5))
    }
  }

  /// A purge above a restored config must have a number that apps have not seen.
  @Test func keepsTheHighestPurgeNumber() throws {
    let scratch = try ScratchFolder()
    let memory = ReleaseMemory(beside: scratch.path("content"))
    for (release, purge) in [(7, 3), (9, 1)] {
      var new = seen(release)
      new.purge = purge
      memory.note(new, of: "qa", app: "shop", at: "site")
    }
    let known = memory.seen("qa", of: "shop", at: "site")
    #expect(known?.release == 9 && known?.purge == 3)
  }

  @Test func keepsTheHighestReleaseAndBeginsAgainAfterDamage() throws {
    let scratch = try ScratchFolder()
    let memory = ReleaseMemory(beside: scratch.path("content"))
    for release in [7, 9, 8] { memory.note(seen(release), of: "qa", app: "shop", at: "site") }
    #expect(memory.seen("qa", of: "shop", at: "site") == seen(9))
    #expect(memory.seen("qa", of: "shop", at: "other") == nil)
    try scratch.write(".contentc/signed.plist", Array("damaged".utf8))
    #expect(memory.seen("qa", of: "shop", at: "site") == nil)
    memory.note(seen(3), of: "qa", app: "shop", at: "site")
    #expect(memory.seen("qa", of: "shop", at: "site") == seen(3))
  }
}
