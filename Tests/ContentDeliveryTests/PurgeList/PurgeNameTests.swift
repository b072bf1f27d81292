import ContentModel
import ContentSource
import TestInputs
import Testing

@testable import ContentPurging

/// The names of files below `<channel>/purges/`.
@Suite struct PurgeNameTests {
  private static let folder = PurgeFolder(number: 7, digits: "0123456789abcdef")
  private static let hash = "fedcba9876543210"

  private func parsed(_ text: String) -> PurgeName? { PurgeName(text[...].utf8) }

  @Test(
    arguments: [
      ("7.plist", .number(7)), ("9007199254740992.plist", .number(1 << 53)),
      ("7-0123456789abcdef.plist", .pendingManifest(folder)),
      ("7-0123456789abcdef/begun", .note(.begun, in: folder)),
      ("7-0123456789abcdef/live", .note(.live, in: folder)),
      ("7-0123456789abcdef/lost", .note(.lost, in: folder)),
      ("7-0123456789abcdef/copies-fedcba9876543210", .note(.copies(hash), in: folder)),
      ("7-0123456789abcdef/cache-nginx-fedcba9876543210", .note(.cache(.nginx, hash), in: folder)),
      ("7-0123456789abcdef/done-fedcba9876543210", .note(.done(hash), in: folder)),
    ] as [(String, PurgeName)])
  func parsesAndPrintsEachKindOfName(text: String, name: PurgeName) {
    #expect(parsed(text) == name)
    #expect(name.key(in: "production") == "production/purges/\(text)")
  }

  /// Names that contentc never writes.
  @Test(arguments: [
    "", "7", "0.plist", "07.plist", "-7.plist", "9007199254740993.plist", "7.plist.old", "7.PLIST",
    "/7.plist", "more/7.plist", "7-0123456789ABCDEF.plist", "7-0123456789abcde.plist",
    "7-0123456789abcdef", "7-0123456789abcdef/", "7/live", "7-0123456789ABCDEF/live",
    "7-0123456789abcdef//live", "7-0123456789abcdef/more/live", "7-0123456789abcdef/Live",
    "7-0123456789abcdef/live.plist", "7-0123456789abcdef/begun-fedcba9876543210",
    "7-0123456789abcdef/copies", "7-0123456789abcdef/copies-",
    "7-0123456789abcdef/copies-fedcba987654321", "7-0123456789abcdef/copies-fedcba98765432100",
    "7-0123456789abcdef/copies-FEDCBA9876543210", "7-0123456789abcdef/cache-nginx",
    "7-0123456789abcdef/cache-fedcba9876543210", "7-0123456789abcdef/cache-more-fedcba9876543210",
    "7-0123456789abcdef/cache-nginx-nginx-fedcba9876543210",
  ])
  func refusesForeignNames(text: String) { #expect(parsed(text) == nil) }

  @Test func parsesWhatItPrints() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: seed)
      let name = random.purgeName()
      let key = name.key(in: "qa")
      #expect(parsed(String(key.dropFirst("qa/purges/".count))) == name, "seed \(seed): \(key)")
    }
  }

  @Test func ordersFoldersByNumber() {
    let folders = [(2, "b"), (10, "a"), (2, "a")].map { PurgeFolder(number: $0, digits: $1) }
    #expect(folders.sorted() == [folders[2], folders[0], folders[1]])
  }
}

extension SeededGenerator {
  /// Returns any name of a file of a purge.
  mutating func purgeName() -> PurgeName {
    let numbers = [1, 9, 10, 1_000_000, 1 << 53]
    let folder = PurgeFolder(number: one(of: numbers), digits: digits())
    switch below(3) {
    case 0: return .number(one(of: numbers))
    case 1: return .pendingManifest(folder)
    default: return .note(purgeNote(), in: folder)
    }
  }

  /// Returns any name of a note.
  mutating func purgeNote() -> PurgeNote {
    let notes: [PurgeNote] = [
      .begun, .live, .lost, .copies(digits()), .done(digits()),
      .cache(one(of: CacheName.allCases), digits()),
    ]
    return one(of: notes)
  }

  private mutating func digits() -> String {
    String((0..<16).map { _ in one(of: Array("0123456789abcdef")) })
  }
}
