package import ContentModel

/// The facts that a reader of a signed channel keeps between two readings of config.
///
/// Only a recovery lowers a floor.
package struct TrustMemory: Hashable, Sendable {
  /// The newest trusted key document.
  package internal(set) var document: KeyDocument
  /// The highest accepted release, or the floor of a recovery; 0 at first.
  package internal(set) var release = 0
  /// The hash of the config of this release; `nil` before one is accepted.
  package internal(set) var config: Digest?
  /// The latest accepted statement that this release is current; `nil` before one is accepted.
  package internal(set) var fresh: FreshStatement?
  /// The newest `issued` of an accepted statement or document; `nil` before one is accepted.
  package internal(set) var latestIssued: Instant?
  /// The floors of the last adopted recovery; `nil` without one.
  package internal(set) var recovery: KeyDocument.Floors?

  /// The version of the key document with the last recovery; `nil` without a recovery.
  ///
  /// A statement counts only if it names this version or a later one.
  package var lastRecovery: Int? {
    [recovery?.version, document.floors?.version].compactMap(\.self).max()
  }

  /// Trusts a document as it was stored.
  init(restoring document: KeyDocument) { self.document = document }

  /// Trusts the document that an app was built with.
  package init(pinned: KeyDocument) {
    document = pinned
    recover(from: 0)
  }

  /// Continues a memory in an app that may be newer.
  ///
  /// A pinned document of a higher version replaces the trusted one. The floors remain, unless the
  /// pinned document has a recovery. A pinned document of the same version with another text is of
  /// another publisher, so the memory begins again without floors.
  package init(pinned: KeyDocument, continuing memory: TrustMemory) {
    let trusted = memory.document
    if pinned.version == trusted.version && pinned.signed.body != trusted.signed.body {
      self.init(pinned: pinned)
    } else {
      self = memory
      if pinned.version > trusted.version { trust(pinned) }
    }
  }

  /// Replaces the trusted document by a later one.
  mutating func trust(_ next: KeyDocument) {
    let version = document.version
    document = next
    recover(from: version)
  }

  /// Sets the floors to those of the trusted document's recovery, if the recovery is later than a
  /// version.
  ///
  /// The time of an earlier statement is forgotten, because a stolen key may have signed the
  /// statement.
  private mutating func recover(from version: Int) {
    guard let floors = document.floors, floors.version > version else { return }
    recovery = floors
    release = floors.release
    (config, fresh, latestIssued) = (nil, nil, nil)
  }

  /// Returns the time that statements are compared with: that of the clock, but not before the newest
  /// accepted statement or document.
  package func time(at clock: Instant) -> Instant {
    var memory = self
    memory.note(issued: document.issued, at: clock)
    return max(clock, memory.latestIssued ?? clock)
  }

  /// Remembers when a statement or document was issued.
  ///
  /// A time that is more than a day ahead of the clock is ignored.
  mutating func note(issued: Instant, at clock: Instant) {
    guard issued.secondsSinceReferenceDate <= clock.secondsSinceReferenceDate + 86_400 else {
      return
    }
    latestIssued = max(issued, latestIssued ?? issued)
  }
}
