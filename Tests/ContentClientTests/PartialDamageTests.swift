import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import SystemC
import TestInputs
import TestServers
import Testing

@testable import ContentClient

/// One part of a release cannot be read, and all others stay.
///
/// Each seed damages another part.
@Suite(.timeLimit(.minutes(10))) struct PartialDamageTests {
  private static let kinds = Damage.allCases

  /// What is damaged: a part of what the site publishes, or a file on the disk.
  enum Damage: CaseIterable, Sendable {
    /// The bytes of a field, of a list item's field, and of the dates of an item and of an entry.
    case field, itemField, itemDate, entryDate
    /// Another type in place of an entry, its fields, a place in the order, and the order.
    case entry, content, place, order
    /// Another type in place of a row of the index, and of a row of a list of parts.
    case row, part
    /// An object on the disk is removed, cut, or altered.
    case removedFile, cutFile, alteredFile
  }

  @Test(arguments: kinds) func oneDamagedPartTakesNoOthersAway(_ damage: Damage) async throws {
    for seed in 1...UInt64(12) {
      let random = SeededRandom(seed: seed)
      let site = try DamagedSite(damage, random: random)
      let scratch = try ScratchFolder(inMemory: true)
      var configuration = ContentConfiguration(
        url: "https://shop.example", app: "shop", channel: "production")
      configuration.context = ReaderContext(locales: ["en"])
      configuration.eager = ["catalog", "home", "news"]
      configuration.transport = site.transport
      configuration.clock = ManualClock()
      configuration.storage = .folder(path: "\(scratch.path)/store")
      var client = try ContentClient(configuration)
      let outcome = await client.refreshed()
      #expect(outcome.isUpdated, "\(damage), seed \(seed): \(outcome)")
      for name in ["item/i0", "item/i1", "item/i2", "offers"] {
        let bundle = try #require(BundleName(name))
        _ = try? await client.snapshot.entries(loading: bundle)
      }
      var lost = site.lost
      if [.removedFile, .cutFile, .alteredFile].contains(damage) {
        await client.endTrial()
        let name = ["catalog", "news", "item/i0", "item/i1", "offers"][number(below: 5, random)]
        let bundle = try #require(BundleName(name))
        let object = try #require(client.snapshot.content?.object(of: bundle)?.object)
        try alter("\(scratch.path)/store/\(object.path)", damage)
        lost = [name]
        configuration.transport = ScriptedTransport { _ throws(TransportFailure) in
          throw .unreachable
        }
        client = try ContentClient(configuration)
        await client.refresher.mendStorage()
      }
      #expect(client.state == .content, "\(damage), seed \(seed)")
      site.expect(besides: lost, in: client.snapshot, "\(damage), seed \(seed)")
    }
  }

  /// A binary search for each entry meets the malformed key.
  @Test func aMalformedKeyHidesNoOtherEntriesOfALargeBundle() throws {
    let ids = (10_000..<30_000).map { "item/i\($0)" }
    let entry: Value = ["content": ["title": "x"]]
    let bundle: Value = [
      "format": 1, "bundle": "items", "order": .array(ids.map { .string($0) }),
      "entries": .dictionary(Members(ids.map { ($0, entry) })),
    ]
    var bytes = try PropertyList.encode(bundle, as: .binary)
    let pattern = [UInt8(0x5B)] + Array("item/i20000".utf8)
    // The order may share the text of the key.
    for place in bytes.indices
    where bytes[place] == pattern[0] && bytes[place...].starts(with: pattern) {
      bytes[place] = 0x70
    }
    let row = try #require(
      BundleRow(["object": .data([UInt8](repeating: 7, count: 32)), "size": 1], ending: "plist"))
    let open = OpenBundle("items", in: try Document(bytes), row: row)
    #expect(open.all.count == ids.count - 1)
  }

  /// A binary search misses keys that are not sorted, and a linear one for each would take long.
  @Test func aLargeBundleTakesNoLongerWithoutSortedKeys() throws {
    let ids = (10_000..<15_000).flatMap { ["item/a\($0)", "item/b\($0)"] }
    let bytes = try largeBundle(of: ids)
    var unsorted = bytes
    for place in bytes.indices where bytes[place...].starts(with: "item/".utf8) {
      let letter = place + 5
      unsorted[letter] = bytes[letter] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
    }
    let (first, second) = (try open(bytes), try open(unsorted))
    let time = processorTime { #expect(first.all.count == ids.count) }
    let other = processorTime { #expect(second.all.count == ids.count) }
    #expect(other < time * 20, "\(time) s with sorted keys, \(other) s without")
    let missing = try #require(EntryID("item/c10000"))
    #expect(first.entry(missing) == nil && second.entry(missing) == nil)
  }

  @Test func theReportOfUnreadableEntriesReadsALargeBundleOnce() throws {
    let ids = (100_000..<180_000).map { "item/i\($0)" }
    var bytes = try largeBundle(of: ids)
    let text = [UInt8(0x56)] + Array("t50000".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0] == text[0] && bytes[$0...].starts(with: text) })
    bytes[place] = 0x70
    let bundle = try open(bytes)
    let time = processorTime { #expect(bundle.all.count == ids.count) }
    let whole = processorTime { #expect(bundle.unreadable.map(\.text) == ["item/i150000"]) }
    #expect(whole < time * 4, "\(time) s to find all entries, \(whole) s to read them")
  }

  /// Returns the seconds of this thread's processor that some work takes, whatever else runs.
  private func processorTime(of work: () -> Void) -> Double {
    let start = processorSeconds()
    work()
    return processorSeconds() - start
  }

  /// Returns a bundle of entries, each with a text of its own.
  private func largeBundle(of ids: [String]) throws -> [UInt8] {
    let entries = ids.enumerated().map { place, id in
      (id, ["content": ["title": .string("t\(place)")]] as Value)
    }
    return try PropertyList.encode(
      [
        "format": 1, "bundle": "items", "order": .array(ids.map { .string($0) }),
        "entries": .dictionary(Members(entries)),
      ], as: .binary)
  }

  private func open(_ bytes: [UInt8]) throws -> OpenBundle {
    let row = try #require(
      BundleRow(["object": .data([UInt8](repeating: 7, count: 32)), "size": 1], ending: "plist"))
    return OpenBundle("items", in: try Document(bytes), row: row)
  }

  private func number(below end: Int, _ random: SeededRandom) -> Int {
    Int(random.fraction() * Double(end))
  }

  private func alter(_ path: String, _ damage: Damage) throws {
    guard damage != .removedFile else {
      unlink(path)
      return
    }
    var bytes = try #require(FolderFile.contents(path, limit: 1 << 20))
    if damage == .cutFile { bytes.removeLast() } else { bytes[bytes.count / 2] ^= 1 }
    try FolderFile.replace(path, with: bytes, isDurable: false)
  }
}

/// A site with a damaged part.
private struct DamagedSite {
  let transport: ScriptedTransport
  /// The parts that are not there: `bundle`, `bundle id`, `bundle id field` or
  /// `bundle id cards item`.
  let lost: [String]
  private let entries: [(bundle: String, id: String, content: Members)]

  init(_ damage: PartialDamageTests.Damage, random: SeededRandom) throws {
    func number(below end: Int) -> Int { Int(random.fraction() * Double(end)) }
    var bundles: [(name: String, ids: [String])] = [
      ("home", (0..<3).map { "screen/s\($0)" }), ("catalog", (0..<6).map { "product/p\($0)" }),
      ("news", (0..<5).map { "news/n\($0)" }), ("offers", (0..<4).map { "offer/o\($0)" }),
    ]
    bundles += (0..<3).map { ("item/i\($0)", ["item/i\($0)"]) }
    let place = damage == .part ? 4 + number(below: 3) : number(below: 4)
    let (target, ids) = bundles[place]
    let victim = ids[number(below: ids.count)]
    let item = number(below: 3)
    var (files, all): ([String: [UInt8]], [(String, String, Members)]) = ([:], [])
    var (rows, parts, startup) = (Members(), Members(), Members())
    let part = "\(target) \(victim)"
    lost =
      switch damage {
      case .field: ["\(part) title"]
      case .itemField: ["\(part) card \(item) text"]
      case .itemDate: ["\(part) card \(item)"]
      case .entryDate, .entry, .content: [part]
      case .row, .part: [target]
      case .place, .order, .removedFile, .cutFile, .alteredFile: []
      }

    func add(_ bytes: [UInt8]) -> Digest {
      let object = SiteObject(Digest(of: bytes), ending: "plist")
      files[object.path] = bytes
      return object.digest
    }
    for (name, ids) in bundles {
      let isTarget = name.hasSameBytes(as: target)
      var values = Members()
      for id in ids {
        let content = Self.content(of: id, in: name)
        all.append((name, id, content))
        values[id] = ["content": .dictionary(content)]
      }
      var order: Value = .array(ids.map { .string($0) })
      if isTarget {
        switch damage {
        case .entry: values[victim] = "damaged"
        case .content: values[victim] = ["content": 7]
        case .entryDate:
          values[victim] = [
            "content": .dictionary(Self.content(of: victim, in: name)), "until": "DATE",
          ]
        case .place: order = .array(ids.map { $0.hasSameBytes(as: victim) ? 5 : .string($0) })
        case .order: order = "damaged"
        default: break
        }
      }
      let bundle: Value = [
        "format": 1, "bundle": .string(name), "order": order, "entries": .dictionary(values),
      ]
      var bytes = try PropertyList.encode(bundle, as: .binary)
      if isTarget, let text = Self.text(damage, of: victim, in: name, item: item) {
        try Self.damage(text, in: &bytes)
      }
      let isRowDamaged = isTarget && (damage == .row || damage == .part)
      let row: Value =
        isRowDamaged
        ? ["object": 7]
        : ["object": .data(add(bytes).bytes), "size": .integer(Int64(bytes.count)), "count": 1]
      if name.hasPrefix("item/") {
        parts[String(name.dropFirst("item/".count))] = row
      } else {
        rows[name] = row
      }
      // The index has no damaged bytes.
      if name.hasSameBytes(as: "home"), !isRowDamaged, place != 0 { startup[name] = bundle }
    }
    let list = try PropertyList.encode(
      ["format": 1, "entries": .dictionary(parts)], as: .binary)
    rows["item"] = ["list": .data(add(list).bytes), "count": 3]
    let index = try PropertyList.encode(
      ["format": 1, "bundles": .dictionary(rows), "startup": .dictionary(startup)], as: .binary)
    let config = try PropertyList.encode(
      [
        "app": "shop", "channel": "production", "format": 1, "release": 1, "ttl": 600,
        "sourceLocale": "en", "locales": ["en": ["en"]],
        "indexes": ["en": ["any": .data(add(index).bytes)]],
      ], as: .binary)
    let served = files
    transport = ScriptedTransport { request in
      let path = String(request.url.dropFirst("https://shop.example/".count))
      let body = path.hasSuffix("config.plist") ? config : served[path]
      return body.map { ContentResponse(status: 200, body: $0) } ?? ContentResponse(status: 404)
    }
    entries = all
  }

  /// The text whose bytes are damaged; `nil` for damage of another kind.
  private static func text(
    _ damage: PartialDamageTests.Damage, of id: String, in bundle: String, item: Int
  ) -> String? {
    switch damage {
    case .field: "\(marker(of: id, in: bundle))t"
    case .itemField: "\(marker(of: id, in: bundle))c\(item)"
    case .itemDate: "\(marker(of: id, in: bundle))d\(item)"
    case .entryDate: "DATE"
    default: nil
    }
  }

  /// Returns short texts that no other part has.
  private static func marker(of id: String, in bundle: String) -> String {
    "\(bundle.prefix(1))\(id.suffix(2))"
  }

  private static func content(of id: String, in bundle: String) -> Members {
    let marker = marker(of: id, in: bundle)
    let cards = (0..<3).map { item -> Value in
      [
        "id": .string("card \(item)"), "text": .string("\(marker)c\(item)"), "size": 5,
        "when": ["until": "2030-01-01T00:00:00Z", "name": .string("\(marker)d\(item)")],
      ]
    }
    return ["title": .string("\(marker)t"), "cards": .array(cards), "price": 3]
  }

  /// Makes a text unreadable: no property list has a value of this type.
  private static func damage(_ text: String, in bytes: inout [UInt8]) throws {
    let pattern = [UInt8(0x50 + text.utf8.count)] + Array(text.utf8)
    let place = try #require(
      (0...(bytes.count - pattern.count)).first { bytes[$0...].starts(with: pattern) })
    bytes[place] = 0x70
  }

  /// Expects all parts but the lost ones.
  func expect(besides lost: [String], in snapshot: ContentSnapshot, _ comment: Comment) {
    func isLost(_ part: String) -> Bool { lost.contains { $0.hasSameBytes(as: part) } }
    for (bundle, id, content) in entries where !isLost(bundle) && !isLost("\(bundle) \(id)") {
      let entry = BundleName(bundle).flatMap { snapshot.entry(id, in: $0) }
      #expect(entry != nil, "\(id) of \(bundle); \(comment)")
      guard let entry else { continue }
      #expect(entry["price"] == 3, comment)
      if !isLost("\(bundle) \(id) title") { #expect(entry["title"] == content["title"], comment) }
      let cards = entry["cards"]?.items ?? []
      for card in content["cards"]?.items ?? [] {
        let name = card["id"]?.text ?? ""
        let shown = cards.first { $0["id"] == card["id"] }
        #expect((shown == nil) == isLost("\(bundle) \(id) \(name)"), "\(name) of \(id); \(comment)")
        guard let shown else { continue }
        #expect(shown["size"] == 5, comment)
        #expect(
          (shown["text"] == card["text"]) != isLost("\(bundle) \(id) \(name) text"), comment)
      }
      let listed = snapshot.entries(in: BundleName(bundle) ?? "home").map(\.id.text)
      #expect(listed.contains { $0.hasSameBytes(as: id) } || entry.fields.isEmpty == false, comment)
      #expect(snapshot.entry(id) != nil, "\(id); \(comment)")
    }
  }
}
