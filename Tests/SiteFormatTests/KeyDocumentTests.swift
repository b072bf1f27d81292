import ContentModel
import PropertyLists
import SiteFormat
import TestSigning
import Testing

/// Rotations of keys, and attacks on them: see the attacks in docs/reference/trust.md.
@Suite struct KeyDocumentTests {
  @Test func followsRotationsToTheNewestDocument() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    for version in 2...5 {
      try publisher.rotate(to: version) {
        $0.release = [try TestKey(20 + version)]
        $0.keys = [try TestKey(30 + version)]
      }
    }
    _ = try memory.verify(publisher.envelope())
    #expect(memory.document.version == 5)
    // A phone that knows the newest document skips the others.
    _ = try memory.verify(publisher.envelope())
  }

  @Test func raisesAThreshold() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    try publisher.rotate(to: 2) {
      $0.release.append(try TestKey(4))
      $0.thresholds.release = 2
    }
    var alone = publisher
    alone.authority.release.removeLast()
    #expect(throws: TrustError.tooFewSignatures(.release, valid: 1, threshold: 2)) {
      try memory.verify(alone.envelope())
    }
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
  }

  @Test("refuses a document that only the old keys sign, or only its own")
  func requiresBothGenerationsOfKeys() throws {
    let (old, new) = (try TestKey(1), try TestKey(4))
    for signers in [[old], [new]] {
      var publisher = try TestPublisher()
      var memory = try publisher.memory()
      let before = memory
      try publisher.rotate(to: 2) { $0.keys = [new] }
      publisher.document["version"] = 2
      publisher.documents = [try publisher.keyDocument(signedBy: signers)]
      #expect(throws: TrustError.tooFewSignatures(.keys(version: 2), valid: 0, threshold: 1)) {
        try memory.verify(publisher.envelope())
      }
      #expect(memory == before)
    }
  }

  @Test func refusesAGapBetweenVersions() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    try publisher.rotate(to: 2)
    try publisher.rotate(to: 3)
    publisher.documents.removeFirst()
    #expect(throws: TrustError.documentOutOfOrder(version: 3, trusted: 1)) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test func refusesAnotherDocumentOfTheTrustedVersion() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    var other = publisher
    try publisher.rotate(to: 2)
    _ = try memory.verify(publisher.envelope())
    try other.rotate(to: 2) { $0.release = [try TestKey(9)] }
    #expect(throws: TrustError.otherDocument(version: 2)) { try memory.verify(other.envelope()) }
  }

  @Test func countsTheExpiryOfTheLastDocumentOnly() throws {
    var publisher = try TestPublisher()
    let pinned = try publisher.memory()
    publisher.document["expires"] = TestPublisher.time(days: -1)
    try publisher.rotate(to: 2)
    var memory = pinned
    let release = try ReleaseStatement(publisher.body(of: .release))
    #expect(
      throws: TrustError.expired(
        .keys(version: 2), since: TestPublisher.instant(days: -1), of: release)
    ) { try memory.verify(publisher.envelope()) }
    // The expiry of a pinned document counts, too.
    memory = TrustMemory(pinned: try KeyDocument(publisher.documents[0]))
    #expect(
      throws: TrustError.expired(
        .keys(version: 2), since: TestPublisher.instant(days: -1), of: release)
    ) { try memory.verify(publisher.envelope()) }
    publisher.document["expires"] = TestPublisher.time(days: 300)
    try publisher.rotate(to: 3)
    memory = pinned
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
  }

  @Test func refuses33Documents() throws {
    var publisher = try TestPublisher()
    let pinned = try publisher.memory()
    for version in 2...33 { try publisher.rotate(to: version) }
    var memory = pinned
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
    try publisher.rotate(to: 34)
    memory = pinned
    #expect(throws: TrustError.tooManyDocuments) { try memory.verify(publisher.envelope()) }
  }

  @Test func refusesAConfigByAStolenKeyAfterItsRemoval() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let thief = publisher
    try publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
    _ = try memory.verify(publisher.envelope())
    var stolen = thief
    stolen.number(6)
    stolen.documents = publisher.documents
    #expect(throws: TrustError.tooFewSignatures(.release, valid: 0, threshold: 1)) {
      try memory.verify(stolen.envelope())
    }
  }

  @Test func trustsADocumentEvenIfTheConfigIsRefused() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    try publisher.rotate(to: 2)
    publisher.config["channel"] = "qa"
    #expect(throws: TrustError.self) { try memory.verify(publisher.envelope()) }
    #expect(memory.document.version == 2 && memory.release == 0)
  }

  @Test(arguments: ["app", "channels"])
  func refusesADocumentOfAnotherAppOrChannel(key: String) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.document[key] = key == "app" ? "other" : ["qa"]
    try publisher.rotate(to: 2)
    #expect(throws: TrustError.foreign(.keys(version: 2))) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test("refuses a statement that names a withheld document", arguments: ["release", "fresh"])
  func refusesWithheldDocuments(statement: String) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let members = statement == "release" ? \TestPublisher.release : \.fresh
    publisher[keyPath: members]["keys"] = 2
    #expect(throws: TrustError.withheldDocument(version: 2)) {
      try memory.verify(publisher.envelope())
    }
  }

  // MARK: Recovery

  @Test func recoversFromTheLastPossibleRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.number(1 << 53)
    _ = try memory.verify(publisher.envelope())
    try publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
    publisher.number(6)
    #expect(throws: TrustError.olderRelease(6, floor: 1 << 53)) {
      try memory.verify(publisher.envelope())
    }
    try publisher.rotate(to: 3, recovery: (release: 6, purge: 2))
    _ = try memory.verify(publisher.envelope())
    #expect(memory.release == 6)
    #expect(memory.recovery == KeyDocument.Floors(version: 3, release: 6, purge: 2))
    // Neither skipped documents nor later ones set these floors again.
    try publisher.rotate(to: 4)
    publisher.number(9)
    _ = try memory.verify(publisher.envelope())
    publisher.number(6)
    #expect(throws: TrustError.olderRelease(6, floor: 9)) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test func aRoutineRotationLowersNoFloor() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.number(7)
    _ = try memory.verify(publisher.envelope())
    try publisher.rotate(to: 2)
    publisher.number(6)
    #expect(throws: TrustError.olderRelease(6, floor: 7)) {
      try memory.verify(publisher.envelope())
    }
  }

  /// A recovery forgets the time of a statement by a stolen key.
  @Test func recoversFromATimeYearsAhead() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.release["issued"] = TestPublisher.time(days: 3_650)
    publisher.fresh["issued"] = TestPublisher.time(days: 3_650)
    publisher.fresh["expires"] = TestPublisher.time(days: 3_660)
    publisher.document["expires"] = TestPublisher.time(days: 9_000)
    memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope(), days: 3_650)
    publisher.release["issued"] = TestPublisher.time(days: 1)
    publisher.fresh["issued"] = TestPublisher.time(days: 1)
    publisher.fresh["expires"] = TestPublisher.time(days: 15)
    publisher.number(6)
    let stuck = memory
    #expect(
      throws: TrustError.expired(
        .fresh, since: TestPublisher.instant(days: 15),
        of: try ReleaseStatement(publisher.body(of: .release)))
    ) { try memory.verify(publisher.envelope(), days: 1) }
    #expect(memory == stuck)
    publisher.document["issued"] = TestPublisher.time(days: 1)
    try publisher.rotate(to: 2, recovery: (release: 6, purge: 0))
    #expect(throws: Never.self) { try memory.verify(publisher.envelope(), days: 1) }
    #expect(memory.latestIssued == TestPublisher.instant(days: 1))
  }

  /// After a recovery that keeps the release key, statements from before the recovery are refused.
  ///
  /// The floor of the recovery is lower than their releases, so that the next release is accepted.
  @Test(arguments: ["adopted", "pinned"], ["release", "fresh"])
  func refusesStatementsFromBeforeARecovery(way: String, statement: String) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let before = publisher
    publisher.number(9)
    _ = try memory.verify(publisher.envelope())
    try publisher.rotate(to: 2, recovery: (release: 5, purge: 0))
    if way == "pinned" {
      memory = TrustMemory(
        pinned: try KeyDocument(publisher.documents[0]), continuing: memory)
    }
    publisher.number(5)
    publisher.config["text"] = "Recovered"
    var old = before
    old.documents = publisher.documents
    if statement == "fresh" { old.release["keys"] = 2 }
    let part = statement == "release" ? SignedPart.release : .fresh
    #expect(throws: TrustError.beforeRecovery(part, version: 1, recovery: 2)) {
      try memory.verify(old.envelope())
    }
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
    // Later documents repeat the recovery.
    try publisher.rotate(to: 3)
    publisher.number(6)
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
    old.documents = publisher.documents
    #expect(throws: TrustError.beforeRecovery(part, version: 1, recovery: 2)) {
      try memory.verify(old.envelope())
    }
  }

  // MARK: Pinning

  @Test(arguments: ["app", "channels"])
  func refusesAPinnedDocumentOfAnotherAppOrChannel(key: String) throws {
    var publisher = try TestPublisher()
    publisher.document[key] = key == "app" ? "other" : ["qa"]
    var memory = try publisher.memory()
    #expect(throws: TrustError.foreign(.keys(version: 1))) {
      try memory.verify(publisher.envelope())
    }
  }

  /// An app that pins the recovery, or a later document, recovers like an app that is not updated.
  ///
  /// A server cannot hide the recovery from that app by omitting key documents.
  @Test(arguments: [3, 4], [true, false])
  func aPinnedDocumentBringsARecovery(pinned: Int, isWithheld: Bool) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.number(1 << 53)
    _ = try memory.verify(publisher.envelope())
    try publisher.rotate(to: 2) { $0.release = [try TestKey(4)] }
    try publisher.rotate(to: 3, recovery: (release: 6, purge: 2)) { $0.keys = [try TestKey(5)] }
    try publisher.rotate(to: 4)
    publisher.number(6)
    let document = try KeyDocument(publisher.documents[pinned - 2])
    if isWithheld {
      publisher.documents = publisher.documents.filter { $0 == document.signed }
      publisher.release["keys"] = .integer(Int64(pinned))
      publisher.fresh["keys"] = .integer(Int64(pinned))
    }
    var updated = TrustMemory(pinned: document, continuing: memory)
    _ = try updated.verify(publisher.envelope())
    #expect(updated.release == 6 && updated.recovery?.version == 3)
    // Now the floor rises again.
    publisher.number(9)
    _ = try updated.verify(publisher.envelope())
    publisher.number(6)
    #expect(throws: TrustError.olderRelease(6, floor: 9)) {
      try updated.verify(publisher.envelope())
    }
    // A new installation has the floors of the document that it pins.
    let installed = TrustMemory(pinned: document)
    #expect(installed.release == 6)
  }

  @Test(arguments: [0, 4, -1]) func refusesFloorsOfALaterDocument(version: Int64) throws {
    var publisher = try TestPublisher()
    publisher.document["version"] = 3
    publisher.document["floors"] = ["version": .integer(version), "release": 6, "purge": 2]
    #expect(throws: TrustError.self) { try publisher.memory() }
  }

  /// A stolen earlier key cannot lower the floors of an app that pins a later document.
  ///
  /// That holds even if the document between both still has the stolen key.
  @Test(arguments: [true, false]) func aStolenEarlierKeySetsNoFloors(isKept: Bool) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.number(9)
    _ = try memory.verify(publisher.envelope())
    var thief = publisher
    let next = try TestKey(5)
    try publisher.rotate(to: 2) { if !isKept { $0.keys = [next] } }
    try publisher.rotate(to: 3) { $0.keys = [next] }
    try thief.rotate(to: 2, recovery: (release: 1, purge: 0))
    let pinned = try KeyDocument(publisher.documents[1])
    var updated = TrustMemory(pinned: pinned, continuing: memory)
    publisher.documents = [thief.documents[0], publisher.documents[1]]
    publisher.number(6)
    #expect(throws: TrustError.olderRelease(6, floor: 9)) {
      try updated.verify(publisher.envelope())
    }
  }

  @Test func aNewerPinnedDocumentKeepsTheFloors() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope())
    let first = memory
    try publisher.rotate(to: 2)
    let second = try KeyDocument(publisher.documents[0])
    let updated = TrustMemory(pinned: second, continuing: first)
    #expect(updated.document == second && updated.release == 5)
    // An app that was installed again pins the older document.
    #expect(TrustMemory(pinned: first.document, continuing: updated) == updated)
  }

  @Test func pinningADifferentDocumentResetsTheMemory() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope())
    var other = publisher
    other.authority.release = [try TestKey(9)]
    let restarted = TrustMemory(pinned: try other.memory().document, continuing: memory)
    #expect(restarted == (try other.memory()))
  }
}
