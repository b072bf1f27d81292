import ContentModel
import ContentSource
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The caches that have confirmed finished purges, as the names of notes tell.
@Suite struct CacheConfirmationTests {
  private static let varnish = CacheLayer(.varnish, settings: ["nodes": ["http://a"]])
  private static let fastly = CacheLayer(.fastly, settings: ["service": ["S"], "token": ["T"]])
  private static let copies: [PurgeNote] = [
    .copies("0123456789abcdef"), .copies("fedcba9876543210"),
  ]

  /// Returns a finished purge that some caches have confirmed.
  private func purge(
    _ number: Int, copies: [PurgeNote] = copies, confirmedBy layers: [CacheLayer] = [],
    after others: [PurgeNote]? = nil
  ) throws -> ListedPurge {
    var purge = ListedPurge(PurgeFolder(number: number, digits: "0123456789abcdef"))
    let confirmations = try layers.map { try PurgeNote.cache($0, after: others ?? copies) }
    for note in [.begun, .live, .done(naming: copies)] + copies + confirmations { purge.add(note) }
    #expect(purge.state == .finished)
    return purge
  }

  /// Returns the caches that have not confirmed purges, with the numbers.
  private func unconfirmed(
    _ purges: [ListedPurge], by layers: [CacheLayer] = [varnish, fastly]
  ) throws -> [String: [Int]] {
    let found = try CacheConfirmations(of: purges, by: layers)
    #expect(
      Set(found.unconfirmed.map(\.folder.number)) == Set(found.caches.flatMap(\.purges)))
    return Dictionary(uniqueKeysWithValues: found.caches.map { ($0.name.rawValue, $0.purges) })
  }

  @Test func aFinishedPurgeNeedsANoteOfEachCache() throws {
    let purges = [
      try purge(3), try purge(4, confirmedBy: [Self.varnish]),
      try purge(5, confirmedBy: [Self.varnish, Self.fastly]),
      try purge(7, confirmedBy: [Self.fastly]),
    ]
    #expect(try unconfirmed(purges) == ["varnish": [3, 7], "fastly": [3, 4]])
    #expect(try unconfirmed([purges[2]]) == [:])
    #expect(try unconfirmed(purges, by: []) == [:])
    let found = try CacheConfirmations(of: purges, by: [Self.varnish, Self.fastly])
    #expect(found.unconfirmed.map(\.folder.number) == [3, 4, 7])
    #expect(found.caches.map(\.name) == [.varnish, .fastly])
  }

  /// A note is about the settings of its time: a mended cache has not confirmed anything.
  @Test(arguments: [
    ["nodes": ["http://b"]], ["nodes": ["http://a", "http://b"]],
    ["nodes": ["http://a"], "token": ["OTHER"]],
  ])
  func anotherSettingNeedsAnotherNote(settings: [String: [String]]) throws {
    let purges = [try purge(3, confirmedBy: [Self.varnish, Self.fastly])]
    let mended = CacheLayer(.varnish, settings: settings)
    #expect(try unconfirmed(purges, by: [mended, Self.fastly]) == ["varnish": [3]])
  }

  @Test func twoLayersOfACacheAreNamedOnce() throws {
    let inner = CacheLayer(.varnish, settings: ["nodes": ["http://inner"]])
    let purges = [
      try purge(3, confirmedBy: [Self.varnish]), try purge(4, confirmedBy: [inner]),
      try purge(5, confirmedBy: [inner, Self.varnish]),
    ]
    #expect(try unconfirmed(purges, by: [inner, Self.varnish]) == ["varnish": [3, 4]])
    // Equal items are one cache.
    #expect(try unconfirmed([purges[0]], by: [Self.varnish, Self.varnish]) == [:])
  }

  /// Another command has found more copies, and the cache did not purge them.
  @Test func aNoteNamesAllCopies() throws {
    let half = try purge(3, confirmedBy: [Self.varnish], after: Array(Self.copies.prefix(1)))
    #expect(try unconfirmed([half], by: [Self.varnish]) == ["varnish": [3]])
  }

  @Test func onlyFinishedPurgesNeedConfirmations() throws {
    var begun = ListedPurge(PurgeFolder(number: 3, digits: "0123456789abcdef"))
    begun.add(.begun)
    var unfinished = begun
    for note in [PurgeNote.live] + Self.copies { unfinished.add(note) }
    #expect(begun.state == .void && unfinished.state == .unfinished)
    #expect(try unconfirmed([begun, unfinished]) == [:])
  }

  /// For example, the purge that ended the state of a restored config.
  @Test func aPurgeWithoutObjectsLeavesNothingInCaches() throws {
    let file = try CopiesNote(objects: []).file
    let nothing = PurgeNote.copies(Digest(of: file.bytes).shortHex)
    #expect(try unconfirmed([purge(3, copies: [nothing])]) == [:])
    #expect(try unconfirmed([purge(3, copies: [nothing] + Self.copies)]).count == 2)
  }

  @Test func aPurgeOfFormat1HasNoNotesOfCaches() throws {
    let scene = try PurgeListScene()
    try scene.write(ManifestSample.final, as: .number(3))
    for isAlone in [true, false] {
      if !isAlone {
        try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
      }
      for number in [2, 3] {
        let list = try scene.list(number)
        #expect(try CacheConfirmations(of: list, by: [Self.fastly]).caches == [])
        // Whoever asks for it can send such a purge again.
        let newest = try list.purgesToSendAgain(to: [Self.fastly], orNewest: true)
        #expect(newest.purges.map(\.begun.number) == [3] && newest.problems == [])
      }
    }
  }

  // MARK: Words

  @Test(arguments: [
    ([3], "fastly has not confirmed purge 3"), ([3, 7], "fastly has not confirmed purges 3 and 7"),
    ([3, 4, 5], "fastly has not confirmed purges 3 to 5"),
    ([3, 5, 118], "fastly has not confirmed 3 purges from 3 to 118"),
  ])
  func namesPurges(numbers: [Int], sentence: String) throws {
    let purges = try numbers.map { try purge($0) }
    let caches = try CacheConfirmations(of: purges, by: [Self.fastly]).caches
    #expect(caches.map(\.sentence) == [sentence])
  }
}
