package import ContentModel

/// The facts that a reader of a signed channel keeps between looks.
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
  /// The document that a pinned one replaced; `nil` once the documents between both were seen, or a
  /// release was accepted.
  ///
  /// One of the documents between may have floors, which the pinned one does not repeat.
  var replaced: KeyDocument?
  /// The version of the last adopted document with floors, and the floors; `nil` without one.
  package internal(set) var recovery: Recovery?

  /// The floors of an adopted document.
  package struct Recovery: Hashable, Sendable {
    package let version: Int
    package let floors: KeyDocument.Floors
  }

  /// Trusts a document as it was stored.
  init(restoring document: KeyDocument) { self.document = document }

  /// Trusts the document that an app was built with.
  package init(pinned: KeyDocument) {
    document = pinned
    recover(by: pinned)
  }

  /// Continues a memory in an app that may be newer.
  ///
  /// A pinned document of a higher version replaces the trusted one. The floors stay, unless it has
  /// floors, or a document between both has, which the next config brings. The same version with
  /// another text is another authority, which begins without floors.
  package init(pinned: KeyDocument, continuing memory: TrustMemory) {
    let trusted = memory.document
    if pinned.version == trusted.version && pinned.signed.body != trusted.signed.body {
      self.init(pinned: pinned)
    } else {
      self = memory
      if pinned.version > trusted.version { replace(by: pinned) }
    }
  }

  private mutating func replace(by pinned: KeyDocument) {
    replaced = pinned.floors == nil ? replaced ?? document : nil
    document = pinned
    recover(by: pinned)
  }

  /// Sets the floors to those of a document, if it has any.
  ///
  /// The time of a statement by a stolen key says nothing any more.
  mutating func recover(by document: KeyDocument) {
    guard let floors = document.floors else { return }
    recovery = Recovery(version: document.version, floors: floors)
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
  /// A time of more than a day ahead of the clock says nothing about the present.
  mutating func note(issued: Instant, at clock: Instant) {
    guard issued.secondsSinceReferenceDate <= clock.secondsSinceReferenceDate + 86_400 else {
      return
    }
    latestIssued = max(issued, latestIssued ?? issued)
  }
}
