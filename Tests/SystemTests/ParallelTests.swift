import Synchronization
import System
import Testing

/// Tests the order of results, the choice between failures, and the end of work.
struct ParallelTests {
  /// The refusal of one element.
  struct Refusal: Error, Equatable {
    let element: Int
  }

  @Test(arguments: [0, 1, 2, 1_000])
  func keepsTheOrderOfTheElements(count: Int) throws {
    let elements = Array(0..<count)
    let expected = elements.map { $0 * 2 }
    #expect(elements.concurrentValues { $0 * 2 } == expected)
    #expect(try elements.concurrentMap { $0 * 2 } == expected)
    #expect(elements.mapOverlapped { $0 * 2 } == expected)
  }

  @Test func mapsASliceFromItsFirstElement() {
    let slice = (0..<100).map { $0 }[40..<60]
    #expect(slice.concurrentValues { $0 } == Array(40..<60))
    #expect(slice.mapOverlapped { $0 } == Array(40..<60))
  }

  @Test func mapsASecondCollectionAfterTheFirst() {
    let (numbers, texts) = (0..<50).concurrentValues({ $0 + 1 }, then: 0..<70) { "\($0)" }
    #expect(numbers == Array(1...50))
    #expect(texts == (0..<70).map(String.init))
  }

  @Test func throwsTheErrorOfTheFirstElement() {
    #expect(throws: Refusal(element: 7)) {
      try (0..<100).concurrentMap { element in
        if element >= 7 { throw Refusal(element: element) }
      }
    }
  }

  @Test func beginsNoCallAfterAFailure() {
    let called = Mutex<[Int]>([])
    #expect(throws: Refusal(element: 3)) {
      try (0..<10).mapOverlapped(atOnce: 1) { element in
        called.withLock { $0.append(element) }
        if element == 3 { throw Refusal(element: element) }
      }
    }
    #expect(called.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test func runsNoMoreCallsAtOnceThanTheLimit() {
    let counts = Mutex((running: 0, most: 0))
    _ = (0..<100).mapOverlapped(atOnce: 4) { _ in
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
      counts.withLock { $0.running -= 1 }
    }
    #expect((1...4).contains(counts.withLock { $0.most }))
  }

  @Test func cutsACollectionIntoChunks() {
    #expect((0..<10).chunks(of: 4).map(Array.init) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    #expect((0..<0).chunks(of: 4).isEmpty)
  }

  @Test func waitsForBackgroundWork() {
    let task = BackgroundTask { 42 }
    #expect(task.value == 42)
    #expect(task.value == 42)
  }

  @Test func waitsForAllWorkOfAQueue() {
    let queue = WorkQueue()
    let sum = Mutex(0)
    for number in 1...100 { queue.add { sum.withLock { $0 += number } } }
    queue.waitForAll()
    #expect(sum.withLock { $0 } == 5_050)
  }
}
