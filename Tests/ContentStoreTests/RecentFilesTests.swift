import Testing

@testable import ContentStore

/// Which files of a build the system may forget.
@Suite struct RecentFilesTests {
  typealias Recent = RecentFiles<Int>

  @Test func keepsTheLastBytes() {
    var recent = Recent()
    let third = Recent.largestSum / 3
    #expect((0..<3).flatMap { recent.add($0, size: third) } == [])
    #expect(recent.add(3, size: third) == [0])
    #expect(recent.add(4, size: 2 * third) == [1, 2])
    #expect(recent.add(5, size: 1) == [])
  }

  @Test func keepsFewFilesOpen() {
    var recent = Recent()
    let left = (0..<Recent.most + 10).flatMap { recent.add($0, size: Recent.smallest) }
    #expect(left == Array(0..<10))
  }

  @Test func keepsNothingOfWhatIsLargerThanAll() {
    var recent = Recent()
    #expect(recent.add(0, size: 1) == [])
    #expect(recent.add(1, size: Recent.largestSum + 1) == [0, 1])
    #expect(recent.add(2, size: Recent.largestSum) == [])
    #expect(recent.add(3, size: 1) == [2])
  }
}
