import ContentModel
import ContentReleases

/// The state of a purge.
package enum PurgeState: Sendable {
  /// A `done-` note names every `copies-` note of the purge.
  case finished
  /// Readers got config with the purge, and work may be left. Any later purge does it.
  case unfinished
  /// Readers never got config with the purge, as far as is known and proven, or its loss was accepted. No
  /// command takes its steps.
  case void

  /// Returns the state of a purge with some notes, whose release is live, or was live before the live
  /// one, if it `isInHistory`.
  init(of notes: Set<PurgeNote>, isInHistory: Bool) {
    self.init(isDone: notes.areDone, isLive: notes.contains(.live) || isInHistory)
  }

  fileprivate init(isDone: Bool, isLive: Bool) {
    self = isDone ? .finished : isLive ? .unfinished : .void
  }
}

/// A purge as the names of its files tell it.
package struct ListedPurge: Sendable {
  package let folder: PurgeFolder
  /// The notes of the purge, and those that its manifest of format 1 counts as.
  private(set) var notes: Set<PurgeNote> = []
  /// `true` if a `done-` note names every `copies-` note.
  ///
  /// Its name is a hash, which is made once, and not for each question about the state.
  private var isDone = false
  /// The manifest of format 1; `nil` for a purge with the note `begun`.
  private(set) var manifest: OldManifest?
  /// `true` if the release of a purge without the note `live` is live, or was live before the live one.
  var isInHistory = false

  /// `true` if the purge was live, and config does not follow it; see `RestoredConfig`.
  var isMissed = false

  /// `false` for a purge of a signed channel that no signature proves.
  var isProven = true

  /// The state; a purge without proof, and one whose loss a publisher accepted, counts as void.
  package var state: PurgeState {
    let isLost = notes.contains(.lost) && !notes.contains(.begun)
    return isProven && !isLost
      ? PurgeState(isDone: isDone, isLive: notes.contains(.live) || isInHistory) : .void
  }

  init(_ folder: PurgeFolder) { self.folder = folder }

  mutating func add(_ note: PurgeNote) {
    notes.insert(note)
    switch note {
    case .copies, .done: isDone = notes.areDone
    default: break
    }
  }

  /// Adds a manifest of format 1, and the notes that it counts as; all other notes are added before.
  mutating func add(_ manifest: OldManifest) {
    self.manifest = manifest
    add(.begun)
    if manifest.isLive { add(.live) }
    if manifest.isFinal { add(.done(naming: notes.copies)) }
  }
}

/// A purge with its work.
package struct KnownPurge: Sendable {
  package var listed: ListedPurge
  package var begun: Begun
  /// The SHA-256 of the note `begun`; `nil` for a purge of format 1.
  var hash: Digest?
  /// The objects of the release that another command may remove; `nil` unless this command
  /// published the release.
  var endangered: [ReleaseObject]?

  /// The objects of the release that the target may lack.
  ///
  /// The command that published the release knows them. Every other command takes all objects that
  /// were new in the release.
  var atRisk: [ReleaseObject] { endangered ?? begun.atRisk }
}

extension Set<PurgeNote> {
  /// `true` if a `done-` note names every `copies-` note.
  fileprivate var areDone: Bool {
    contains { if case .done = $0 { true } else { false } } && contains(.done(naming: copies))
  }

  /// The `copies-` notes, in order of their names.
  var copies: [PurgeNote] {
    filter { if case .copies = $0 { true } else { false } }.sorted { $0.name < $1.name }
  }
}
