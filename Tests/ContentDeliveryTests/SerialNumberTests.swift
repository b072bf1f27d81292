import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Numbers that no channel can reach.
@Suite struct SerialNumberTests {
  let place = ChannelPlace(MemoryTarget())

  init() throws { try place.publish(Shelf(["rose": "Rose"])) }

  @Test(arguments: [Int64.max, Int64.max - 1, .min, -1, (1 << 53) + 1])
  func refusesImpossibleNumbers(number: Int64) throws {
    for path in [["release"], ["purge", "sequence"], ["purge", "minimumRelease"]] {
      let before = try #require(try place.target.read("production/config.plist"))
      try write(path, .integer(number))
      let error = #expect(throws: DeliveryError.self) {
        try place.publish(Shelf(["rose": "Rosa"]), run: "again")
      }
      let words = error?.description ?? ""
      #expect(
        error?.kind == .refused && words.contains("\(number)")
          && words.contains("put the file of a backup back"))
      #expect(words.contains(path.joined(separator: ".")))
      let now = try place.target.read("production/config.plist")
      _ = try place.target.replace(
        "production/config.plist", with: OutgoingFile(bytes: before.bytes, headers: .none),
        tagged: now?.tag)
    }
  }

  @Test func refusesAPurgeAfterTheHighestNumber() throws {
    try write(["purge", "sequence"], .integer(1 << 53))
    #expect(try place.live()?.purge?["sequence"]?.number == 1 << 53)
    #expect(throws: DeliveryError.self) {
      _ = try place.publisher(run: "purge").publish { live in
        Draft(
          content: try Shelf(["rose": "Rosa"]).content(),
          purged: Draft.Purged(entries: [], objects: []))
      }
    }
    // Commands other than purges still work.
    try place.publish(Shelf(["rose": "Rosa"]), run: "again")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rosa"]).texts)
  }

  @Test(arguments: [1e300, -1e300, 252_423_993_599, 252_423_993_600])
  func publishesAfterAnImpossibleTime(seconds: Double) throws {
    try write(["issued"], .date(Instant(secondsSinceReferenceDate: 1)), seconds: seconds)
    try place.publish(Shelf(["rose": "Rosa"]), run: "again")
    #expect(try place.live()?.issued != nil && place.live()?.number == 2)
  }

  /// Replaces a value in config.
  ///
  /// If `seconds` is set, it overwrites the date with bytes that no encoder writes.
  private func write(_ path: [String], _ value: Value, seconds: Double? = nil) throws {
    let stored = try #require(try place.target.read("production/config.plist"))
    guard case .dictionary(var members) = try PropertyList.decode(stored.bytes).value else {
      return
    }
    if path.count == 2 {
      var inner = members[path[0]]?.members ?? Members()
      inner[path[1]] = value
      members[path[0]] = .dictionary(inner)
    } else {
      members[path[0]] = value
    }
    var bytes = try PropertyListBytes.binary(.dictionary(members))
    if let seconds {
      let old = withUnsafeBytes(of: 1.0.bitPattern.bigEndian) { Array($0) }
      let place = try #require(bytes.firstIndex(of: old))
      withUnsafeBytes(of: seconds.bitPattern.bigEndian) {
        bytes.replaceSubrange(place..<place + 8, with: $0)
      }
    }
    _ = try place.target.replace(
      "production/config.plist", with: OutgoingFile(bytes: bytes, headers: .none),
      tagged: stored.tag)
  }
}

extension FileHeaders {
  fileprivate static let none = FileHeaders(
    contentType: "application/x-plist", cacheControl: "no-cache")
}
