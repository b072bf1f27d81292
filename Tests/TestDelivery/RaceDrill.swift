import ContentModel
import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets

/// Runs several publishers on one channel concurrently, on any target.
struct RaceDrill {
  let place: ChannelPlace
  var publishers = 8
  var rounds = 20
  /// `true` if most publishers begin, change and end rollouts.
  var hasRollouts = false

  init(target: any Target, hasRollouts: Bool = false) {
    (place, self.hasRollouts) = (ChannelPlace(target), hasRollouts)
  }

  init(at place: ChannelPlace) { self.place = place }

  /// The work of a publisher in a round.
  private struct Attempt {
    /// The round and the publisher, which are the message of the release.
    let name: String
    /// The change of a rollout; `nil` for a publication to all readers.
    let action: RolloutAction?
    /// The limit after a step, which no other attempt has.
    let below: Int

    var shelf: Shelf { Shelf(["rose": name]) }
  }

  private func attempt(of publisher: Int, in round: Int) -> Attempt {
    let place = round * publishers + publisher
    let actions: [RolloutAction?] = [nil] + RolloutAction.allCases
    return Attempt(
      name: "round \(round), publisher \(publisher)",
      action: hasRollouts ? actions[place % actions.count] : nil,
      below: RolloutAction.half + place)
  }

  private func publish(_ attempt: Attempt) throws -> Publisher.Outcome {
    guard let action = attempt.action else {
      return try place.publish(attempt.shelf, message: attempt.name, run: attempt.name)
    }
    return try action.publish(
      attempt.shelf.content(), through: place.publisher(run: attempt.name), message: attempt.name,
      upTo: attempt.below)
  }

  func run() throws {
    var released = [try place.publish(Shelf(["rose": "first"]), run: "first").record.number]
    for round in 0..<rounds {
      let before = try #require(try place.live()).number
      let seen = try #require(try ShelfReader(place: place).view())
      let outcomes = Mutex<[Int: Result<Publisher.Outcome, any Error>]>([:])
      // Separate threads, because a queue on two processors would run only two at a time.
      try Threads.runBlocking(publishers) { publisher in
        let attempt = attempt(of: publisher, in: round)
        var outcome = Result { try publish(attempt) }
        // Otherwise, the only publisher that gets the lock may be one that is refused.
        while hasRollouts, outcome.isBusy {
          usleep(200)
          outcome = Result { try publish(attempt) }
        }
        outcomes.withLock { [outcome] in $0[publisher] = outcome }
      }
      released += try check(outcomes.withLock { $0 }, in: round, after: before, seen)
    }
    let history = try place.history().map(\.number)
    #expect(history == released.reversed() && history.count > rounds)
  }

  /// Expects that each winner has its own number, that each follows the release before it, and that
  /// readers see the last winner's content; returns the winners' numbers.
  ///
  /// A target with a lock skips no number. Without one, a publisher that lost its swap leaves a
  /// record, and the next release has a number above those of all records.
  private func check(
    _ outcomes: [Int: Result<Publisher.Outcome, any Error>], in round: Int, after before: Int,
    _ seen: ShelfView
  ) throws -> [Int] {
    var winners: [(number: Int, attempt: Attempt)] = []
    for (publisher, outcome) in outcomes {
      let attempt = attempt(of: publisher, in: round)
      switch outcome {
      case .success(.released(let record, _)): winners.append((record.number, attempt))
      case .success(.unchanged): Issue.record("nothing to publish")
      case .failure(let error as DeliveryError):
        let isRefused = hasRollouts && [.rollout, .unknown].contains(error.kind)
        #expect(
          isRefused || error.kind == .lost && error.description.contains("was published"),
          "\(error)")
      case .failure(let error as TargetError): #expect(error.kind == .busy, "\(error)")
      case .failure(let error): Issue.record("\(error)")
      }
    }
    winners.sort { $0.number < $1.number }
    let numbers = winners.map(\.number)
    #expect(!numbers.isEmpty && Set(numbers).count == numbers.count)
    if place.target.hasLock {
      #expect(numbers == Array(before + 1..<before + 1 + numbers.count))
    } else {
      #expect(numbers.allSatisfy { $0 > before })
    }
    let view = try winners.reduce(seen) { view, winner in
      let attempt = winner.attempt
      return try #require(
        view.after(attempt.action, attempt.shelf, upTo: attempt.below),
        "\(winner) after \(view)")
    }
    #expect(try ShelfReader(place: place).view() == view)
    return numbers
  }
}

extension Result<Publisher.Outcome, any Error> {
  /// `true` if another publisher held the target's lock.
  fileprivate var isBusy: Bool {
    if case .failure(let error as TargetError) = self { error.kind == .busy } else { false }
  }
}
