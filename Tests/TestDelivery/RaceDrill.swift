import ContentModel
import Synchronization
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets

/// Runs several publishers on one channel concurrently, on any target.
struct RaceDrill {
  let place: ChannelPlace
  var publishers = 8
  var rounds = 20

  init(target: any Target) { place = ChannelPlace(target) }

  init(at place: ChannelPlace) { self.place = place }

  func run() throws {
    var released = [try place.publish(Shelf(["rose": "first"]), run: "first").record.number]
    for round in 0..<rounds {
      let before = try #require(try place.live()).number
      let outcomes = Mutex<[Int: Result<Publisher.Outcome, any Error>]>([:])
      // Separate threads, because a queue on two processors would run only two at a time.
      try Threads.runBlocking(publishers) { publisher in
        let name = "round \(round), publisher \(publisher)"
        let outcome = Result { try place.publish(Shelf(["rose": name]), message: name, run: name) }
        outcomes.withLock { $0[publisher] = outcome }
      }
      released += try check(outcomes.withLock { $0 }, after: before)
    }
    let history = try place.history().map(\.number)
    #expect(history == released.reversed() && history.count > rounds)
  }

  /// Expects that each winner has its own number and that readers see the last winner's content;
  /// returns the winners' numbers.
  ///
  /// A target with a lock skips no number. Without one, a publisher that lost its swap leaves a
  /// record, and the next release has a number above those of all records.
  private func check(
    _ outcomes: [Int: Result<Publisher.Outcome, any Error>], after before: Int
  ) throws -> [Int] {
    var winners: [ReleaseRecord] = []
    for outcome in outcomes.values {
      switch outcome {
      case .success(.released(let record, _)): winners.append(record)
      case .success(.unchanged): Issue.record("nothing to publish")
      case .failure(let error as DeliveryError):
        #expect(error.kind == .lost && error.description.contains("was published"), "\(error)")
      case .failure(let error as TargetError): #expect(error.kind == .busy, "\(error)")
      case .failure(let error): Issue.record("\(error)")
      }
    }
    let numbers = winners.map(\.number).sorted()
    #expect(!numbers.isEmpty && Set(numbers).count == numbers.count)
    if place.target.hasLock {
      #expect(numbers == Array(before + 1..<before + 1 + numbers.count))
    } else {
      #expect(numbers.allSatisfy { $0 > before })
    }
    let last = try #require(winners.max { $0.number < $1.number }?.message)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": last]).texts)
    return numbers
  }
}
