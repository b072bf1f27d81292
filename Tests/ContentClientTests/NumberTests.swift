import ContentClientTesting
import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import SystemC
import TestInputs
import TestReaders
import TestSigning
import Testing

@testable import ContentClient
@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// The bounds of numbers that others wrote: the table in docs/reference/security.md, whose rows are tried at
/// their ends in the tool, in the client and in the verification of signatures.
@Suite struct NumberTests {
  /// What a reader makes of a number outside its bounds.
  enum Treatment: String {
    /// The whole file is refused.
    case refused
    /// The nearest allowed number counts.
    case nearest
    /// The number counts as missing.
    case missing
  }

  /// A reader that has a number.
  struct Reader: Sendable {
    let treatment: Treatment
    /// Reads a file with a value in place of the number; returns the number that counts, or `nil`
    /// if the number counts as missing.
    let read: @Sendable (Value) throws -> Int?

    init(_ treatment: Treatment, _ read: @escaping @Sendable (Value) throws -> Int?) {
      (self.treatment, self.read) = (treatment, read)
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let range: ClosedRange<Int>
    var tool: Reader?
    var client: Reader?
    var verification: Reader?

    var testDescription: String { name }

    var readers: [Reader] { [tool, client, verification].compactMap(\.self) }

    /// The cells of the row in docs/reference/security.md.
    var cells: [String] {
      [name, "\(range.lowerBound)", "\(range.upperBound)"]
        + [tool, client, verification].map { $0?.treatment.rawValue ?? "" }
    }
  }

  static let rows: [Row] = [
    Row(
      name: "config at a target: `release`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in
        do { return try live(["release"], value)?.number } catch let error as DeliveryError {
          // Only release 1 has a record there.
          guard error.description.contains("its record") else { throw error }
          return value.number
        }
      }),
    Row(
      name: "config: `release`, 0 in a build", range: LimitedNumber.serials,
      client: Reader(.refused) { try siteConfig(["release"], $0).release },
      verification: Reader(.refused) { value in
        try verified { publisher in
          for part in [\TestPublisher.config, \.release, \.fresh] {
            publisher[keyPath: part]["release"] = value
          }
        }.release.release
      }),
    Row(
      name: "config: `ttl`, seconds", range: SiteConfig.lifetimes,
      client: Reader(.nearest) { try siteConfig(["ttl"], $0).ttl }),
    Row(
      name: "config: `maintenance.retryAfter`, seconds", range: SiteConfig.lifetimes,
      client: Reader(.nearest) {
        try siteConfig(["maintenance", "retryAfter"], $0).maintenance.retryAfter
      }),
    Row(
      name: "config: `purge.sequence`", range: LimitedNumber.serials,
      tool: Reader(.refused) {
        try live(["purge", "sequence"], $0)?.purge?["sequence"]?.number
      },
      client: Reader(.nearest) { try siteConfig(["purge", "sequence"], $0).purge.sequence }),
    Row(
      name: "config: `purge.minimumRelease`", range: LimitedNumber.serials,
      tool: Reader(.refused) {
        try live(["purge", "minimumRelease"], $0)?.purge?["minimumRelease"]?.number
      },
      client: Reader(.nearest) {
        try siteConfig(["purge", "minimumRelease"], $0).purge.minimumRelease
      }),
    Row(
      name: "signed config: `purge.minimumRelease` of release 5", range: 0...5,
      verification: Reader(.refused) { value in
        let config = try verified { $0.config["purge"] = ["minimumRelease": value] }
        return try SiteConfig(config.bytes).purge.minimumRelease
      }),
    Row(
      name: "statements: `keys`, with key document 1", range: 0...1,
      verification: Reader(.refused) { value in
        try verified { $0.release["keys"] = value }.release.keys
      }),
    Row(
      name: "key document: `version`", range: 1...LimitedNumber.serials.upperBound,
      tool: Reader(.refused) { value in try keyDocument { $0["version"] = value }.version },
      client: Reader(.refused) { value in try keyDocument { $0["version"] = value }.version },
      verification: Reader(.refused) { value in try keyDocument { $0["version"] = value }.version }),
    Row(
      name: "key document: `threshold`", range: 1...LimitedNumber.serials.upperBound,
      verification: Reader(.refused) { value in
        let role: Value = ["keys": [], "threshold": value]
        return try keyDocument { $0["roles"] = ["keys": role, "release": role, "fresh": role] }
          .roles.release.threshold
      }),
    Row(
      name: "key document: `floors.release`, `floors.purge`", range: LimitedNumber.serials,
      verification: Reader(.refused) { value in
        let floors = try keyDocument {
          $0["floors"] = ["version": 1, "release": value, "purge": value]
        }.floors
        return floors?.release == floors?.purge ? floors?.purge : nil
      }),
    Row(
      name: "index: `size` of a bundle, bytes", range: 0...BundleRow.maximumSize,
      client: Reader(.missing) { row(size: $0, ttl: 1)?.version(country: nil, app: nil).size }),
    Row(
      name: "index: `ttl` of a bundle, seconds", range: LimitedNumber.lifetimes,
      client: Reader(.nearest) { row(size: 1, ttl: $0)?.ttl }),
    Row(
      name: "bundle: `ttl` of an entry, seconds", range: LimitedNumber.lifetimes,
      client: Reader(.nearest) { try entry(ttl: $0).ttl }),
    Row(
      name: "asset: `size`, bytes", range: 0...Limits.assetBytes,
      client: Reader(.missing) { try asset(size: $0, width: 1)?.file(scale: 1)?.size }),
    Row(
      name: "asset: `width`, `height`, pixels", range: LimitedNumber.pixels,
      client: Reader(.missing) { value in
        let asset = try asset(size: 1, width: value)
        return asset?.width == asset?.height ? asset?.width : nil
      }),
    Row(
      name: "record: `release`, `of`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in
        let record = try record { members in
          members["release"] = value
          members["of"] = value
        }
        return record.number == record.contentRelease ? record.number : nil
      }),
    Row(
      name: "record: `before`", range: LimitedNumber.serials,
      tool: Reader(.refused) { value in try record { $0["before"] = value }.numberBefore }),
    Row(
      name: "record, notes and manifest of a purge: `size` of an object, bytes",
      range: 0...ReleaseObject.largestSize,
      tool: Reader(.refused) { value in
        let hex = String(repeating: "0a", count: 32)
        return try record {
          $0["objects"] = .dictionary([hex: ["extension": "plist", "size": value]])
        }.objects.first?.size
      }),
    Row(
      name: "note `begun` of a purge: `sequence`, `release`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in
        var members = begun.members
        (members["sequence"], members["release"]) = (value, value)
        let begun: Begun = try note(members)
        return begun.number == begun.release ? begun.number : nil
      }),
    Row(
      name: "note `done-` of a purge: `seconds` of a layer", range: LimitedNumber.lifetimes,
      tool: Reader(.refused) { value in
        var members = done.members
        members["bound"] = [["layer": "app", "seconds": value]]
        return try (note(members) as DoneNote).bound.first?.seconds
      }),
    Row(
      name: "note `lost` of a purge: `release`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in
        let issued = Value.date(Instant(secondsSinceReferenceDate: 1))
        return try (note(["issued": issued, "release": value]) as LostNote).release
      }),
    Row(
      name: "manifest of a purge, format 1: `sequence`, `release`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in
        let begun = try manifest(value).begun
        return begun.number == begun.release ? begun.number : nil
      }),
    Row(
      name: "draft: `release`", range: LiveRelease.numbers,
      tool: Reader(.refused) { value in try draft { $0["release"] = value }.release }),
    Row(
      name: "draft: `previous.release`", range: LimitedNumber.serials,
      tool: Reader(.refused) { value in
        try draft { $0["previous"] = ["release": value] }.previous.release
      }),
    Row(
      name: "state of a client: `highestRelease`, `purgeSequence`, `minimumRelease`, `generation`",
      range: LimitedNumber.serials,
      client: Reader(.nearest) { value in
        let keys = ["highestRelease", "purgeSequence", "minimumRelease", "generation"]
        let state = try state { members in for key in keys { members[key] = value } }
        let numbers = [
          state.highestRelease, state.purgeSequence, state.minimumRelease, state.generation,
        ]
        return Set(numbers).count == 1 ? numbers[0] : nil
      }),
    Row(
      name: "`content.yaml`: durations, seconds", range: LimitedNumber.lifetimes,
      tool: Reader(.refused) { value in
        guard let number = value.number, let span = TimeSpan("\(number)s") else {
          throw Unreadable()
        }
        return span.seconds
      }),
    Row(
      name: "property list: values", range: 1...PropertyList.valueLimit,
      tool: Reader(.refused, countOfValues), client: Reader(.refused, countOfValues),
      verification: Reader(.refused, countOfValues)),
    Row(
      name: "property list: nested containers", range: 0...PropertyList.depthLimit,
      tool: Reader(.refused, depth), client: Reader(.refused, depth),
      verification: Reader(.refused, depth)),
  ]

  struct Unreadable: Error {}

  @Test(arguments: rows) func acceptsNumbersUpToTheEnds(_ row: Row) throws {
    for reader in row.readers {
      for number in [row.range.lowerBound, row.range.upperBound] {
        let read = try reader.read(.integer(Int64(number)))
        #expect(read == number, "\(row.name): \(number)")
      }
    }
  }

  @Test(arguments: rows) func acceptsNoNumberBeyondTheEnds(_ row: Row) throws {
    let (low, high) = (row.range.lowerBound, row.range.upperBound)
    let others: [Int] = [low - 1, high + 1, -1, .min, .max, .max - 1]
    for reader in row.readers {
      for number in others where !row.range.contains(number) {
        let found = Result { try reader.read(.integer(Int64(number))) }
        let nearest = number < low ? low : high
        switch reader.treatment {
        case .refused: #expect((try? found.get()) == nil, "\(row.name): \(number)")
        case .nearest: #expect(try found.get() == nearest, "\(row.name): \(number)")
        case .missing: #expect(try found.get() == nil, "\(row.name): \(number)")
        }
      }
    }
  }

  /// A value of another kind never counts as a number outside the bounds, and ends no program.
  @Test(arguments: rows) func takesNoOtherValueForANumber(_ row: Row) throws {
    let others: [Value] = [
      .real(.nan), .real(.infinity), .real(1e300), .real(-0.0), .boolean(true), .data([1]), [], [:],
      .date(Instant(secondsSinceReferenceDate: 1)), "", "nan", "9223372036854775808", "1e3", "0x1",
    ]
    for reader in row.readers {
      for value in others {
        guard let number = try? reader.read(value) else { continue }
        // These numbers stand for a missing one.
        #expect(row.range.contains(number) || number == 0, "\(row.name): \(value)")
      }
    }
  }

  @Test func documentsEachNumber() throws {
    try DerivedTable(
      ["number", "from", "to", "tool", "client", "`verify`"], Self.rows.map(\.cells)
    ).expect(in: "docs/reference/security.md")
  }
}

// MARK: The readers

extension NumberTests {
  /// The live release of a channel whose config has a value at a path.
  private static func live(_ path: [String], _ value: Value) throws -> LiveRelease? {
    let scene = try ClientScene()
    var members = try #require(try PropertyList.decode(scene.config).value.members)
    set(value, at: path, in: &members)
    let key = "production/config.plist"
    let bytes = try PropertyListBytes.binary(.dictionary(members))
    let headers = FileHeaders(contentType: "application/x-plist", cacheControl: "no-cache")
    _ = scene.memory.replace(
      key, with: OutgoingFile(bytes: bytes, headers: headers),
      tagged: try #require(scene.memory.read(key)).tag)
    return try scene.place.live()
  }

  private static func set(_ value: Value, at path: [String], in members: inout Members) {
    guard path.count == 2 else {
      members[path[0]] = value
      return
    }
    var inner = members[path[0]]?.members ?? Members()
    inner[path[1]] = value
    members[path[0]] = .dictionary(inner)
  }

  private static func siteConfig(_ path: [String], _ value: Value) throws -> SiteConfig {
    var members: Members = ["format": 1, "app": "shop", "channel": "production", "release": 1]
    set(value, at: path, in: &members)
    return try SiteConfig(try PropertyListBytes.binary(.dictionary(members)))
  }

  private static func verified(
    _ change: (inout TestPublisher) throws -> Void
  ) throws -> VerifiedConfig {
    var publisher = try TestPublisher()
    try change(&publisher)
    var memory = try TestPublisher().memory()
    return try memory.verify(publisher.envelope())
  }

  private static func keyDocument(_ change: (inout Members) -> Void) throws -> KeyDocument {
    var publisher = try TestPublisher()
    change(&publisher.document)
    return try KeyDocument(publisher.keyDocument())
  }

  private static let digest = Value.data([UInt8](repeating: 10, count: 32))

  private static func row(size: Value, ttl: Value) -> BundleRow? {
    BundleRow(["object": digest, "size": size, "ttl": ttl], ending: "plist")
  }

  private static func entry(ttl: Value) throws -> EntryNode {
    let bundle: Value = [
      "format": 1, "bundle": "a", "order": ["a/b"],
      "entries": ["a/b": ["ttl": ttl, "content": [:]]],
    ]
    let document = try Document(try PropertyListBytes.binary(bundle))
    // Without a number of its own, the entry has that of the bundle: none.
    let row = try #require(BundleRow(["object": digest, "size": 1], ending: "plist"))
    let open = OpenBundle("a", in: document, row: row)
    guard let id = EntryID("a/b"), let entry = open.entry(id) else { throw Unreadable() }
    return entry
  }

  private static func asset(size: Value, width: Value) throws -> AssetValue? {
    let hex = String(repeating: "0a", count: 32)
    return AssetValue([
      "type": "image/png", "width": width, "height": width,
      "scales": [
        "1": ["object": digest, "size": size, "path": .string("objects/0a/\(hex).png")]
      ],
    ])
  }

  private static func record(_ change: (inout Members) -> Void) throws -> ReleaseRecord {
    var members: Members = ["release": 1, "objects": [:]]
    change(&members)
    let bytes = try PropertyListBytes.binary(.dictionary(members))
    guard let record = ReleaseRecord(bytes: bytes) else { throw Unreadable() }
    return record
  }

  private static let begun = Begun(
    app: "shop", channel: "qa", number: 1, issued: Instant(secondsSinceReferenceDate: 1),
    reason: "a", release: 1, record: Digest(of: []), commandWords: [], entries: [], contents: [],
    assets: [], objects: [], atRisk: [])

  private static let done = DoneNote(
    issued: Instant(secondsSinceReferenceDate: 1), copies: [], caches: [], without: [], bound: [],
    urls: [], keys: [], kept: [])

  /// Reads a note with some members.
  private static func note<Content: NoteContent>(_ members: Members) throws -> Content {
    var members = members
    members["format"] = 2
    guard let note = try Content.read(PropertyListBytes.binary(.dictionary(members)), at: "a")
    else { throw Unreadable() }
    return note
  }

  /// Reads a manifest of format 1 with a number, which its name has, too.
  private static func manifest(_ value: Value) throws -> OldManifest {
    let members: Members = [
      "format": 1, "sequence": value, "release": value, "reason": "a", "record": digest,
      "objects": [:], "issued": .date(Instant(secondsSinceReferenceDate: 1)),
    ]
    let (memory, name) = (MemoryTarget(), PurgeName.number(value.number ?? 1))
    memory.overwrite(name.key(in: "qa"), with: try PropertyListBytes.binary(.dictionary(members)))
    guard let manifest = try OldManifest.read(name, at: ChannelPlace(memory, channel: "qa")) else {
      throw Unreadable()
    }
    return manifest
  }

  private static func draft(
    _ change: (inout Members) -> Void
  ) throws -> SigningDraft.Facts {
    var members: Members = [
      "format": 1, "command": "publish", "app": "shop", "channel": "qa", "release": 1,
      "previous": ["release": 0], "until": "2027-01-01T00:00:00Z", "texts": [], "files": [:],
    ]
    change(&members)
    return try SigningDraft.Facts.read(
      PropertyList.encode(.dictionary(members), as: .json)
    ).facts
  }

  private static func state(_ change: (inout Members) -> Void) throws -> StoredState {
    let empty = StoredState(url: "https://shop.example", app: "shop", channel: "production")
    var members = try #require(empty.value.members)
    change(&members)
    guard let state = StoredState(.dictionary(members)) else { throw Unreadable() }
    return state
  }

  /// Decodes a list that has a number of values, itself among them.
  @Sendable private static func countOfValues(_ value: Value) throws -> Int {
    guard case .integer(let count) = value, (1...4_000_000).contains(count) else {
      throw Unreadable()
    }
    // [1,1,1]
    var bytes = [UInt8](repeating: UInt8(ascii: ","), count: max(2, Int(count) * 2 - 1))
    for place in stride(from: 1, to: bytes.count - 1, by: 2) { bytes[place] = UInt8(ascii: "1") }
    (bytes[0], bytes[bytes.count - 1]) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    let list = try PropertyList.decode(bytes).value
    return 1 + (list.items?.count ?? 0)
  }

  /// Decodes a number of nested lists.
  @Sendable private static func depth(_ value: Value) throws -> Int {
    guard case .integer(let depth) = value, (0...10_000).contains(depth) else { throw Unreadable() }
    let opening = String(repeating: "[", count: Int(depth))
    let closing = String(repeating: "]", count: Int(depth))
    var list: Value? = try PropertyList.decode(Array("\(opening)1\(closing)".utf8)).value
    var levels = 0
    while let items = list?.items {
      levels += 1
      list = items.first
    }
    return levels
  }
}
