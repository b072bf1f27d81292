import ContentModel
import ContentSource
import PropertyLists
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The files of a purge: what is written is read again, and nothing else.
@Suite struct PurgeNotesTests {
  private static let copies: [PurgeNote] = [
    .copies("0123456789abcdef"), .copies("fedcba9876543210"),
  ]
  private static let time = Instant(secondsSince1970: 1_800_000_000)
  private static let partlyPurged: PurgedContent = {
    var purged = PurgedContent(entry: "product/iris", field: nil, hashes: [Digest(of: [9])])
    purged.bundles = [
      PurgedBundles(names: ["catalog", "product"], contexts: ["en/any", "fr/any"])
    ]
    purged.fields = [
      ExactString("title"): Set(["Iris", "L'iris"].compactMap { ValueHash(of: .string($0)) })
    ]
    return purged
  }()
  static let begun = Begun(
    app: "shop", channel: "production", number: 7, issued: time, reason: "A swear word",
    by: "Ada", release: 41, record: Digest(of: [1]), previous: Digest(of: [2]),
    commandWords: ["product/rose", "--field", "title"], subject: "release 40",
    entries: ["product/rose"],
    contents: [
      PurgedContent(
        entry: "product/rose", field: ContentPath("title"), hashes: [Digest(of: [3])]),
      partlyPurged,
    ],
    assets: [Digest(of: [4])],
    given: [PurgedContent(entry: "product/rose", field: nil, hashes: [Digest(of: [5])])],
    objects: [ReleaseObject(digest: Digest(of: [6]), fileExtension: "plist", size: 10)],
    atRisk: [ReleaseObject(digest: Digest(of: [7]), fileExtension: "png", size: 1 << 36)],
    returned: [ReleaseObject(digest: Digest(of: [8]), fileExtension: "plist", size: 11)])
  private static let done = DoneNote(
    issued: time, copies: copies, caches: ["nginx", "fastly"], without: ["varnish"],
    bound: [DoneNote.Bound(layer: "app", seconds: 600)], urls: ["https://example.com/a"],
    keys: ["key"], kept: [Digest(of: [8])])
  private static let lost = LostNote(issued: time, by: "Ada", release: 41, config: [1, 2])

  private static let plainBegun: Begun = {
    var plain = Self.begun
    (plain.by, plain.previous, plain.subject) = (nil, nil, nil)
    (plain.entries, plain.contents, plain.given, plain.objects) = ([], [], nil, [])
    (plain.assets, plain.atRisk, plain.returned, plain.commandWords) = ([], [], [], [])
    return plain
  }()

  private static let notes: [any NoteContent] = [
    begun, plainBegun, LiveNote(config: nil), LiveNote(config: [1, 2]),
    CopiesNote(objects: []), CopiesNote(objects: begun.objects),
    CacheNote(cache: .nginx, issued: time, copies: copies), done, lost,
    LostNote(issued: time, by: nil, release: 1, config: nil),
  ]

  private func read<Content: NoteContent>(_ bytes: [UInt8], as note: Content) throws -> Content? {
    try Content.read(bytes, at: "here")
  }

  private func isWhole(_ bytes: [UInt8], as note: some NoteContent) throws -> Bool {
    try read(bytes, as: note) != nil
  }

  private func expectsItself(_ note: some NoteContent) throws {
    #expect(try read(note.file.bytes, as: note) == note)
    #expect(try note.file.headers.cacheControl == "no-store")
  }

  @Test func readsWhatItWrites() throws {
    for note in Self.notes { try expectsItself(note) }
  }

  @Test func refusesADamagedNote() throws {
    for note in Self.notes {
      let bytes = try note.file.bytes
      for count in [0, 1, bytes.count / 2, bytes.count - 1] {
        #expect(try !isWhole(Array(bytes.prefix(count)), as: note), "\(note), \(count) bytes")
      }
      #expect(try !isWhole(PropertyListBytes.binary(["other": 1]), as: note))
    }
  }

  /// All keys of a note but these are needed.
  @Test func refusesANoteWithoutAKey() throws {
    let optional = ["by", "previous", "subject", "given", "config"]
    for note in Self.notes {
      for key in note.members.keys {
        var members = note.members
        members[key] = nil
        let isWhole = try isWhole(NoteFormat.file(members).bytes, as: note)
        #expect(isWhole == optional.contains(key), "\(note) without \(key)")
      }
    }
  }

  @Test func refusesANoteOfAnotherFormat() throws {
    for note in Self.notes {
      var members = note.members
      members["format"] = 1
      #expect(try !isWhole(PropertyListBytes.binary(.dictionary(members)), as: note))
      members["format"] = 3
      let newer = try PropertyListBytes.binary(.dictionary(members))
      let error = #expect(throws: DeliveryError.self) { try isWhole(newer, as: note) }
      #expect(error?.description.contains("here was written by a newer contentc") == true)
    }
  }

  @Test(
    arguments: [
      ("sequence", 0), ("sequence", -1), ("sequence", (1 << 53) + 1), ("sequence", Int64.max),
      ("release", 0), ("release", Int64.min), ("release", (1 << 53) + 1),
    ] as [(String, Int64)])
  func refusesNumbersThatNoPurgeReaches(key: String, number: Int64) throws {
    for note in [Self.begun, Self.lost] as [any NoteContent] where note.members[key] != nil {
      var members = note.members
      members[key] = .integer(number)
      #expect(try !isWhole(NoteFormat.file(members).bytes, as: note))
    }
  }

  @Test func refusesHostileValues() throws {
    let digest = String(repeating: "0a", count: 32)
    let hostile: [(any NoteContent, String, Value)] = [
      (Self.begun, "issued", .date(Instant(secondsSinceReferenceDate: 1e300))),
      (Self.begun, "record", .data([1])), (Self.begun, "entries", ["product/rose", 1]),
      (Self.begun, "contents", [["hashes": []]]), (Self.begun, "assets", [.data([])]),
      (Self.begun, "objects", [digest: ["extension": "plist", "size": -1]]),
      (Self.begun, "objects", [digest: ["extension": "../../x", "size": 1]]),
      (CopiesNote(objects: []), "objects", [digest: ["extension": "a", "size": 137_438_953_472]]),
      (CopiesNote(objects: []), "objects", ["no hash": ["extension": "plist", "size": 1]]),
      (Self.done, "bound", [["layer": "app", "seconds": -1]]),
      (Self.done, "bound", [["layer": "app", "seconds": 1_099_511_627_776]]),
      (Self.done, "copies", ["copies-../x"]), (Self.done, "kept", [1]),
    ]
    for (note, key, value) in hostile {
      var members = note.members
      members[key] = value
      #expect(try !isWhole(NoteFormat.file(members).bytes, as: note), "\(key): \(value)")
    }
  }

  // MARK: Hashes

  /// Config names this hash: another encoding of the same purge would be another purge.
  @Test func hashesABegunPurgeAlways() throws {
    let digest = try Self.begun.file.body.digest
    #expect(digest.hex == "e054edaff628b0531624d4ab71cc37493ec924c441b1bf0960a905e107e2b0ab")
    // Without bundles and fields, the file is that of earlier versions.
    var earlier = Self.begun
    earlier.contents.removeLast()
    let earlierDigest = try earlier.file.body.digest
    #expect(earlierDigest.hex == "d2c8f81bf27fd463ef2025088ea223d012eaed06048bd1efb6ff0fa49fb96d52")
  }

  /// Two commands that take a number write the same file.
  @Test func writesOneFileForANumber() throws {
    #expect(try NoteFormat.numberFile(7).body.digest == NoteFormat.numberFile(7).body.digest)
    let value = try PropertyList.decode(NoteFormat.numberFile(7).bytes).value
    #expect(value == ["format": 2, "sequence": 7, "record": .data([])])
  }

  @Test func hashesTheNamesOfAllCopies() {
    // SHA-256 of nothing, of the first name, and of both names in two lines.
    #expect(PurgeNote.done(naming: []) == .done("e3b0c44298fc1c14"))
    #expect(PurgeNote.done(naming: Self.copies.prefix(1)) == .done("3e4937d03e03064a"))
    #expect(PurgeNote.done(naming: Self.copies) == .done("0e9f74e02f37a960"))
    #expect(PurgeNote.done(naming: Self.copies.reversed()) == .done("0e9f74e02f37a960"))
  }

  @Test func hashesTheSettingsOfACacheAndItsCopies() throws {
    let layer = CacheLayer(.nginx, settings: ["nodes": ["http://a", "http://b"], "token": ["T"]])
    let note = try PurgeNote.cache(layer, after: Self.copies)
    #expect(note == .cache(.nginx, "8b6c415facf927b6"))
    #expect(try PurgeNote.cache(layer, after: Self.copies.reversed()) == note)
    #expect(try PurgeNote.cache(layer, after: Self.copies.prefix(1)) != note)
    for settings in [[:], ["nodes": ["http://a"], "token": ["T"]], ["nodes": ["http://a"]]] {
      let other = CacheLayer(.nginx, settings: settings)
      #expect(try PurgeNote.cache(other, after: Self.copies) != note)
    }
    #expect(
      try PurgeNote.cache(CacheLayer(.squid, settings: layer.settings), after: Self.copies) != note)
  }

  /// The names of two notes say the hash of their bytes.
  @Test func comparesBytesWithTheHashInANoteName() throws {
    let bytes = try Self.begun.file.bytes
    let folder = PurgeFolder(number: 7, of: Digest(of: bytes))
    let other = PurgeFolder(number: 7, of: Digest(of: []))
    #expect(PurgeNote.begun.fits(bytes, in: folder) && !PurgeNote.begun.fits(bytes, in: other))
    #expect(PurgeNote.copies(folder.digits).fits(bytes, in: other))
    #expect(!PurgeNote.copies(other.digits).fits(bytes, in: folder))
    #expect(PurgeNote.live.fits([], in: other))
  }
}
