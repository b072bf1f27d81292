import ContentModel
import Testing

@testable import ContentReleases
@testable import ContentTargets

/// Fails a publisher at every write, in every way, and checks the readers' content, on any target.
struct CrashDrill {
  /// Returns a fresh, empty target for each attempt.
  let makeTarget: () throws -> any Target
  /// Returns the channel at a target.
  var place: (any Target) -> ChannelPlace = { ChannelPlace($0) }
  /// `true` if each write of a rollout fails in only one of the ways, for slow targets.
  var isShort = false
  let old = Shelf(["rose": "Rose", "lily": "Lily"])
  let new = Shelf(["rose": "Rosa", "lily": "Lily", "iris": "Iris"])

  /// A publication that fails.
  private enum Publication: CaseIterable {
    /// The first release of the channel, and the second one.
    case first, second
    case start, step, replaceNext, finish, abort

    /// The change of a rollout; `nil` for a publication to all readers.
    var action: RolloutAction? {
      switch self {
      case .first, .second: nil
      case .start: .start
      case .step: .step
      case .replaceNext: .replaceNext
      case .finish: .finish
      case .abort: .abort
      }
    }

    /// The number of releases before.
    var earlier: Int {
      switch self {
      case .first: 0
      case .second, .start: 1
      case .step, .replaceNext, .finish, .abort: 2
      }
    }
  }

  /// Runs the drill and returns the number of points tried.
  func run() throws -> Int {
    var points = 0
    for publication in Publication.allCases {
      let counting = FaultyTarget(try prepared(for: publication), .refused, at: .max)
      try publish(publication, to: place(counting))
      let faults = FaultyTarget.Fault.allCases
      for write in 0..<counting.writes {
        let isShort = self.isShort && publication.action != nil
        for fault in isShort ? [faults[write % faults.count]] : faults {
          try drill(fault, at: write, publication)
          points += 1
        }
      }
    }
    return points
  }

  /// Returns a target with the releases before a publication.
  private func prepared(for publication: Publication) throws -> any Target {
    let target = try makeTarget()
    if publication.earlier > 0 { try place(target).publish(old, run: "before") }
    if publication.earlier > 1 { try publish(.start, to: place(target), run: "started") }
    return target
  }

  /// The shelf that a publication brings, if it brings one.
  private func shelf(of publication: Publication) -> Shelf {
    switch publication {
    case .first: old
    case .replaceNext: Shelf(["rose": "Rosy"])
    default: new
    }
  }

  private func publish(
    _ publication: Publication, to place: ChannelPlace, run: String = "run"
  ) throws {
    let shelf = shelf(of: publication)
    guard let action = publication.action else {
      try place.publish(shelf, run: run)
      return
    }
    try action.publish(shelf.content(), through: place.publisher(run: run))
  }

  private func drill(
    _ fault: FaultyTarget.Fault, at write: Int, _ publication: Publication
  ) throws {
    let target = try prepared(for: publication)
    let sound = place(target)
    let before = try ShelfReader(place: sound).view()
    let after =
      publication == .first
      ? ShelfView(stable: old.texts)
      : before?.after(publication.action, shelf(of: publication))
    let faulty = place(FaultyTarget(target, fault, at: write))
    let outcome = Result { try publish(publication, to: faulty, run: "faulty") }
    let situation: Comment = "\(publication), \(fault) at write \(write): \(outcome)"
    let seen = try ShelfReader(place: sound).view()
    #expect(seen == before || seen == after, situation)
    if case .success = outcome { #expect(seen == after, situation) }

    // A change of a rollout that is done is refused.
    if publication.action == nil || seen != after {
      try publish(publication, to: sound, run: "again")
    }
    #expect(try ShelfReader(place: sound).view() == after, situation)
    let numbers = try sound.history().map(\.number)
    #expect(numbers == Array((1...publication.earlier + 1).reversed()), situation)
    for object in target.objects { #expect(try sound.hasIntactObject(object), situation) }
  }
}

extension Target {
  fileprivate var objects: [String] { ((try? list(below: "objects/")) ?? []).map(\.key) }
}

extension ChannelPlace {
  /// Returns `true` if an object's bytes have the hash in its name.
  fileprivate func hasIntactObject(_ key: String) throws -> Bool {
    let name = key.split(separator: "/").last?.split(separator: ".").first ?? ""
    return try target.read(key).map { Digest(of: $0.bytes).hex == name } ?? false
  }
}
