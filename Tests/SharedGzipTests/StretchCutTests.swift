import TestInputs
import Testing

@testable import SharedGzip

struct StretchCutTests {
  @Test(arguments: [
    ([], [0..<100]),
    ([40], [0..<40, 40..<100]),
    ([60, 20, 20], [0..<20, 20..<60, 60..<100]),
    ([0, 100, -5, 200], [0..<100]),
    ([1], [0..<100]),
    ([99], [0..<100]),
    ([30, 35, 70], [0..<35, 35..<70, 70..<100]),
    ([50, 55], [0..<50, 50..<100]),
    ([4, 8, 12], [0..<12, 12..<100]),
    ([96, 92, 88], [0..<88, 88..<100]),
  ])
  func cutsAtSeamsThatAreFarEnoughApart(seams: [Int], stretches: [Range<Int>]) {
    #expect(StretchCut.stretches(of: 100, seams: seams, minimum: 10) == stretches)
  }

  @Test func keepsSmallInputInOnePiece() {
    #expect(StretchCut.stretches(of: 0, seams: [0, 1], minimum: 10) == [0..<0])
    #expect(StretchCut.stretches(of: 9, seams: [3, 6], minimum: 10) == [0..<9])
  }

  @Test(arguments: 0..<100)
  func coversTheInputOnce(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...1000, using: &random)
    let seams = (0..<Int.random(in: 0...30, using: &random)).map { _ in
      Int.random(in: -10...1010, using: &random)
    }
    let stretches = StretchCut.stretches(of: count, seams: seams, minimum: 25)
    #expect(stretches.flatMap { Array($0) } == Array(0..<count))
    #expect(stretches.count == 1 || stretches.allSatisfy { $0.count >= 25 })
    #expect(stretches.dropFirst().allSatisfy { seams.contains($0.lowerBound) })
  }
}
