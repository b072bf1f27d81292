import ContentModel
import ContentSource
import Testing

@testable import ContentPurging

/// The state of a purge, which the names of its notes tell.
@Suite struct PurgeStateTests {
  private static let copies = ["0123456789abcdef", "fedcba9876543210"].map(PurgeNote.copies)

  /// Returns every selection of some notes.
  private static func selections(of notes: [PurgeNote]) -> [Set<PurgeNote>] {
    notes.reduce([[]]) { sets, note in sets + sets.map { $0.union([note]) } }
  }

  @Test func followsFromEveryCombinationOfNotes() {
    let ends = [[], Array(Self.copies.prefix(1)), Self.copies].map(PurgeNote.done)
    let others = [PurgeNote.begun, .live, .lost, .cache(.nginx, "0123456789abcdef")]
    for notes in Self.selections(of: Self.copies + ends + others) {
      for isInHistory in [false, true] {
        let isFinished = notes.contains(.done(naming: notes.intersection(Self.copies)))
        let isPublic = notes.contains(.live) || isInHistory
        let expected: PurgeState = isFinished ? .finished : isPublic ? .unfinished : .void
        let state = PurgeState(of: notes, isInHistory: isInHistory)
        #expect(state == expected, "\(notes) \(isInHistory)")
      }
    }
  }

  @Test func becomesUnfinishedAgainIfAnotherCommandFindsCopies() {
    let notes: Set<PurgeNote> = [.begun, .live, Self.copies[0], .done(naming: [Self.copies[0]])]
    #expect(PurgeState(of: notes, isInHistory: false) == .finished)
    #expect(PurgeState(of: notes.union([Self.copies[1]]), isInHistory: false) == .unfinished)
  }
}
