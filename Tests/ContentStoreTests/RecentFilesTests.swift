import Testing

@testable import ContentStore

import SystemC

/// Which files of a build the system may forget.
@Suite struct RecentFilesTests {
  typealias Recent = RecentFiles<Int>

  @Test func takesNoNoticeOfTheFirst() {
    var recent = Recent(sparing: 10)
    #expect(recent.add(0, size: 6) == [] && recent.add(1, size: 4) == [])
    #expect(recent.add(2, size: Recent.largestSum) == [])
    #expect(recent.add(3, size: 1) == [2])
  }

  @Test func keepsTheLastBytes() {
    var recent = Recent(sparing: 0)
    let third = Recent.largestSum / 3
    #expect((0..<3).flatMap { recent.add($0, size: third) } == [])
    #expect(recent.add(3, size: third) == [0])
    #expect(recent.add(4, size: 2 * third) == [1, 2])
    #expect(recent.add(5, size: 1) == [])
  }

  @Test func keepsFewFiles() {
    var recent = Recent(sparing: 0)
    let left = (0..<Recent.most + 10).flatMap { recent.add($0, size: Recent.smallest) }
    #expect(left == Array(0..<10))
  }

  @Test func keepsNothingOfWhatIsLargerThanAll() {
    var recent = Recent(sparing: 0)
    #expect(recent.add(0, size: 1) == [])
    #expect(recent.add(1, size: Recent.largestSum + 1) == [0, 1])
    #expect(recent.add(2, size: Recent.largestSum) == [])
    #expect(recent.add(3, size: 1) == [2])
  }
}

#if os(Linux)
  @Suite struct WriteBehindTests {
    /// How many files in a folder this process has open.
    private func openCount(in folder: String) throws -> Int {
      try Disk.names(in: "/proc/self/fd").count { number in
        guard let path = realpath("/proc/self/fd/\(number)", nil) else { return false }
        defer { free(path) }
        return String(cString: path).hasPrefix("\(folder)/")
      }
    }

    @Test func keepsFewFilesOpenAndLosesNothing() throws {
      let folder = try TemporaryFolder()
      let most = RecentFiles<Int>.most
      let bytes = {
        [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: RecentFiles<Int>.smallest + $0)
      }
      let behind = WriteBehind(sparing: 10 * bytes(10).count)
      for number in 0..<2 * most {
        try Disk.create(folder.path("\(number)"), bytes(number), behind: behind)
        if number == 8 { #expect(try openCount(in: folder.path) == 0) }
      }
      #expect(try openCount(in: folder.path) == most)
      behind.close()
      #expect(try openCount(in: folder.path) == 0)
      for number in 0..<2 * most {
        #expect(Disk.holds(bytes(number), at: folder.path("\(number)")))
      }
    }
  }
#endif
