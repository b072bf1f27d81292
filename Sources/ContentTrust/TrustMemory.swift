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
  /// The version of the last adopted document with floors, and the floors; `nil` without one.
  package internal(set) var recovery: Recovery?

  /// The floors of an adopted document.
  package struct Recovery: Hashable, Sendable {
    package let version: Int
    package let floors: KeyDocument.Floors
  }

  /// Trusts the document that an app was built with.
  package init(pinned: KeyDocument) { document = pinned }

  /// Continues a memory in an app that may be newer.
  ///
  /// A pinned document of a higher version replaces the trusted one, and the floors stay. The same
  /// version with another text is another authority: it begins again.
  package init(pinned: KeyDocument, continuing memory: TrustMemory) {
    let trusted = memory.document
    if pinned.version == trusted.version && pinned.signed.body != trusted.signed.body {
      self.init(pinned: pinned)
    } else {
      self = memory
      if pinned.version > trusted.version { document = pinned }
    }
  }

  /// Returns the time that statements are compared with: that of the clock, but not before the
  /// newest accepted statement.
  func time(at clock: Instant) -> Instant { max(clock, latestIssued ?? clock) }

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
