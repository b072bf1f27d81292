import ContentModel
import SiteFormat

/// The place where a client keeps objects, its state and its journal.
protocol ContentStorage: Sendable {
  /// Returns the stored state; `nil` if there is none.
  ///
  /// - Throws: `ContentError` of kind `.storage` if it cannot be read now, which is no reason to
  ///   begin without it; `.damaged` if it is no state.
  func state() throws(ContentError) -> StoredState?

  /// Runs work while no other process changes state and journal.
  ///
  /// Returns `nil` without `waits` if another process does at this moment.
  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result?

  /// Replaces the state.
  ///
  /// With `isDurable`, the new bytes are on the disk before they replace the earlier ones.
  func store(_ state: StoredState, isDurable: Bool) throws(ContentError)

  /// Replaces the journal. A state that names its newest switch follows.
  func store(_ journal: Journal, isDurable: Bool) throws(ContentError)

  /// The stored journal; empty if there is none.
  func journal() -> Journal

  /// Returns an object's bytes, checked by their hash at the first use in this process; `nil` if it
  /// is missing, short or altered.
  func bytes(of object: SiteObject) -> [UInt8]?

  /// Returns whether there is an object; with a size, whether it has so many bytes.
  func contains(_ object: SiteObject, size: Int?) -> Bool

  /// Returns whether there is an object whose bytes are right; with a size, that has so many.
  func holds(_ object: SiteObject, size: Int?) -> Bool

  /// Returns the objects whose bytes were found to be wrong since the last call.
  func takeDamagedObjects() -> [SiteObject]

  /// Stores an object whose hash was checked.
  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError)

  /// Removes an object; without effect if there is none.
  func remove(_ object: SiteObject)

  /// The stored objects with their sizes, the least recently used first.
  func objects() -> [(object: SiteObject, size: Int)]

  /// Notes the use of an object, whose file systems may not record that it is read.
  func noteUse(of object: SiteObject)

  /// The objects that were used in the last seconds.
  func objects(usedWithin seconds: Int) -> Set<SiteObject>

  /// The path of an object's file; `nil` if there is none.
  func path(of object: SiteObject) -> String?

  /// Returns the bytes of an index of entries by its name; `nil` if there is none.
  func entryIndex(_ name: Digest) -> [UInt8]?

  /// Keeps the bytes of an index of entries, if that is possible: it saves time only.
  func store(entryIndex: [UInt8], named name: Digest)

  /// Removes the indexes of entries with other names.
  func removeEntryIndexes(besides names: Set<Digest>)

  /// Removes the temporary files of processes that ended while they wrote.
  func removeAbandonedFiles()

  /// The reader's unit that was drawn; `nil` if there is none that can be read.
  var unit: String? { get }

  /// Returns the reader's unit, which is drawn if there is none or a damaged one; `nil` if it cannot
  /// be read or stored now.
  func unit(drawnBy random: any ContentRandom) -> String?

  /// A number that differs after another process stored a state, and after the storage became
  /// readable.
  var stamp: Int { get }
}

extension ContentStorage {
  // Storage without files orders objects by itself, and no other process has it.
  func noteUse(of object: SiteObject) {}
  func objects(usedWithin seconds: Int) -> Set<SiteObject> { [] }

  // A unit in memory would be another one at each start.
  var unit: String? { nil }
  func unit(drawnBy random: any ContentRandom) -> String? { nil }

  // What is in memory is found fast without an index.
  func entryIndex(_ name: Digest) -> [UInt8]? { nil }
  func store(entryIndex: [UInt8], named name: Digest) {}
  func removeEntryIndexes(besides names: Set<Digest>) {}

  /// Merges a state with that of other processes, stores the result, and returns it.
  ///
  /// A switch that is recorded gets the next number after the stored one. Returns `nil` without
  /// `waits` if another process has the lock.
  func update(
    _ own: StoredState, at moment: Moment, isDurable: Bool, waits: Bool = true,
    change: (inout StoredState) -> Journal.Switch? = { _ in nil }
  ) throws(ContentError) -> StoredState? {
    try exclusively(waits: waits) { () throws(ContentError) -> StoredState in
      var merged = own
      do throws(ContentError) {
        if let other = try state() { merged.merge(other, at: moment) }
      } catch  where error.kind == .damaged {
        // A damaged state counts as absent.
      }
      if let new = change(&merged) {
        var journal = self.journal()
        journal.append(new)
        try store(journal, isDurable: isDurable)
      }
      try store(merged, isDurable: isDurable)
      return merged
    }
  }
}
