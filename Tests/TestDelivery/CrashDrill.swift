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
  let old = Shelf(["rose": "Rose", "lily": "Lily"])
  let new = Shelf(["rose": "Rosa", "lily": "Lily", "iris": "Iris"])

  /// Runs the drill and returns the number of points tried.
  func run() throws -> Int {
    let counting = FaultyTarget(try makeTarget(), .refused, at: .max)
    try place(counting).publish(old)
    let first = counting.writes
    try place(counting).publish(new)
    let second = counting.writes - first
    var points = 0
    for fault in FaultyTarget.Fault.allCases {
      for write in 0..<first {
        try drill(fault, at: write, before: nil, publishing: old)
        points += 1
      }
      for write in 0..<second {
        try drill(fault, at: write, before: old, publishing: new)
        points += 1
      }
    }
    return points
  }

  private func drill(
    _ fault: FaultyTarget.Fault, at write: Int, before: Shelf?, publishing shelf: Shelf
  ) throws {
    let target = try makeTarget()
    let sound = place(target)
    if let before { try sound.publish(before, run: "before") }
    let faulty = place(FaultyTarget(target, fault, at: write))
    let outcome = Result { try faulty.publish(shelf, run: "faulty") }
    let situation: Comment = "\(fault) at write \(write): \(outcome)"
    let seen = try ShelfReader(place: sound).read()
    #expect(seen == before?.texts || seen == shelf.texts, situation)
    if case .success = outcome { #expect(seen == shelf.texts, situation) }

    try sound.publish(shelf, run: "again")
    #expect(try ShelfReader(place: sound).read() == shelf.texts, situation)
    let numbers = try sound.history().map(\.number)
    #expect(numbers == Array((1...numbers.count).reversed()), situation)
    #expect(numbers.count == (before == nil ? 1 : 2), situation)
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
