import ContentModel

/// The place where a client keeps objects, its state and its journal.
protocol ContentStorage: Sendable {
  /// Returns the stored state; `nil` if there is none.
  ///
  /// - Throws: `ContentError` of kind `.storage` if it cannot be read now, which is no reason to
  ///   begin without it; `.damaged` if it is no state.
  func state() throws(ContentError) -> StoredState?

  /// Merges a state with that of other processes, stores the result, and returns it.
  ///
  /// With `isDurable`, the result is on the disk before it replaces the earlier state.
  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) -> StoredState

  /// Replaces the journal. A state that names its newest switch follows.
  func store(_ journal: Journal) throws(ContentError)

  /// The stored journal; empty if there is none.
  func journal() -> Journal

  /// Returns an object's bytes, checked by their hash at the first use in this process; `nil` if it
  /// is missing, short or altered.
  func bytes(of object: SiteObject) -> [UInt8]?

  /// Returns whether there is an object; with a size, whether it has so many bytes.
  func contains(_ object: SiteObject, size: Int?) -> Bool

  /// Returns whether there is an object whose bytes are right; with a size, that has so many.
  func holds(_ object: SiteObject, size: Int?) -> Bool

  /// Stores an object whose hash was checked.
  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError)

  /// Removes an object; without effect if there is none.
  func remove(_ object: SiteObject)

  /// The stored objects with their sizes, the least recently used first.
  func objects() -> [(object: SiteObject, size: Int)]

  /// The path of an object's file; `nil` if it is not in a file.
  func path(of object: SiteObject) -> String?

  /// A number that differs after another process stored a state.
  var stamp: Int { get }
}
