import ContentModel
import PropertyLists
import SiteFormat
import TestSigning
import Testing

/// Old and foreign configs, validly signed; see the attacks in docs/reference/trust.md.
@Suite struct ReplayAttackTests {
  @Test func refusesAnOlderRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let older = try publisher.envelope()
    publisher.number(6)
    _ = try memory.verify(publisher.envelope())
    let before = memory
    #expect(throws: TrustError.olderRelease(5, floor: 6)) { try memory.verify(older) }
    #expect(memory == before)
  }

  @Test func refusesAnotherConfigOfTheSameRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope())
    publisher.config["ttl"] = 60
    #expect(throws: TrustError.equivocation(release: 5)) {
      try memory.verify(publisher.envelope())
    }
  }

  @Test func refusesStatementsAboutAnotherRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.release["release"] = 6
    #expect(throws: TrustError.otherConfig(.fresh)) { try memory.verify(publisher.envelope()) }
    publisher.fresh["release"] = 6
    #expect(throws: TrustError.otherConfig(.release)) { try memory.verify(publisher.envelope()) }
  }

  @Test(arguments: [("config", "00"), ("size", "1")])
  func refusesAStatementAboutOtherBytes(key: String, value: String) throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.release[key] =
      key == "size" ? 1 : .string(String(repeating: value, count: 32))
    #expect(throws: TrustError.otherConfig(.release)) { try memory.verify(publisher.envelope()) }
    publisher.release[key] = nil
    publisher.fresh["config"] = .string(String(repeating: "00", count: 32))
    #expect(throws: TrustError.otherConfig(.fresh)) { try memory.verify(publisher.envelope()) }
  }

  @Test(arguments: ["app", "channel"])
  func refusesConfigsForAnotherAppOrChannel(key: String) throws {
    let honest = try TestPublisher()
    for (part, members) in [
      (SignedPart.release, \TestPublisher.release), (.fresh, \.fresh), (.config, \.config),
    ] {
      var publisher = honest
      publisher[keyPath: members][key] = "qa"
      var memory = try publisher.memory()
      #expect(throws: TrustError.foreign(part)) { try memory.verify(publisher.envelope()) }
    }
  }

  // MARK: Time

  @Test func keepsTheLaterOfTwoStatementsAboutOneRelease() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let older = try publisher.envelope()
    publisher.fresh["issued"] = TestPublisher.time(days: 3)
    publisher.fresh["expires"] = TestPublisher.time(days: 17)
    _ = try memory.verify(publisher.envelope(), days: 3)
    let later = memory.fresh
    _ = try memory.verify(older, days: 3)
    #expect(memory.fresh == later)
  }

  @Test func acceptsNothingAfterTheExpiry() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    let expired = TrustError.expired(
      .fresh, since: TestPublisher.instant(days: 14),
      of: try ReleaseStatement(publisher.body(of: .release)))
    for days in [14, 15, 300.0] {
      #expect(throws: expired) { try memory.verify(publisher.envelope(), days: days) }
    }
    #expect(memory.config == nil)
    // The app's own code signature protects baked content.
    #expect(throws: Never.self) {
      try memory.verify(publisher.envelope(), days: 300, checkingExpiry: false)
    }
  }

  @Test func reportsAnExpiryOnlyIfAllElseIsRight() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.config["app"] = "other"
    #expect(throws: TrustError.foreign(.config)) {
      try memory.verify(publisher.envelope(), days: 20)
    }
  }

  @Test("a clock that is set back makes nothing fresh again, for more than a day, too")
  func aClockThatIsSetBackMakesNothingFreshAgain() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    let old = try publisher.envelope()
    publisher.number(6)
    publisher.release["issued"] = TestPublisher.time(days: 30)
    publisher.fresh["issued"] = TestPublisher.time(days: 30)
    publisher.fresh["expires"] = TestPublisher.time(days: 44)
    _ = try memory.verify(publisher.envelope(), days: 30)
    publisher.number(7)
    publisher.fresh["issued"] = TestPublisher.time(days: 1)
    publisher.fresh["expires"] = TestPublisher.time(days: 15)
    #expect(
      throws: TrustError.expired(
        .fresh, since: TestPublisher.instant(days: 15),
        of: try ReleaseStatement(publisher.body(of: .release)))
    ) { try memory.verify(publisher.envelope(), days: 2) }
    #expect(throws: TrustError.olderRelease(5, floor: 6)) { try memory.verify(old, days: 2) }
  }

  @Test func aClockYearsAheadDegradesAndHeals() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope())
    publisher.number(6)
    #expect(throws: TrustError.self) { try memory.verify(publisher.envelope(), days: 3_650) }
    _ = try memory.verify(publisher.envelope(), days: 1)
    #expect(memory.release == 6)
  }

  /// A document and both statements of a release each move the time, by at most a day.
  @Test(arguments: ["document", "release", "fresh"], [86_400, 86_401] as [Double])
  func eachPartMovesTheTimeByAtMostADay(part: String, seconds: Double) throws {
    var publisher = try TestPublisher()
    let issued = TestPublisher.time(days: seconds / 86_400)
    let members =
      ["document": \TestPublisher.document, "release": \.release, "fresh": \.fresh][part]
    publisher[keyPath: try #require(members)]["issued"] = issued
    publisher.document["expires"] = TestPublisher.time(days: 300)
    var memory = try publisher.memory()
    if part == "document" {
      #expect(
        memory.time(at: TestPublisher.now)
          == TestPublisher.instant(days: seconds > 86_400 ? 0 : 1))
    }
    _ = try memory.verify(publisher.envelope())
    let moved = memory.time(at: TestPublisher.now)
    #expect(moved == TestPublisher.instant(days: seconds > 86_400 ? 0 : 1))
  }

  @Test func aStatementFromTheFutureDoesNotMoveTheTime() throws {
    var publisher = try TestPublisher()
    var memory = try publisher.memory()
    publisher.fresh["issued"] = TestPublisher.time(days: 300)
    publisher.fresh["expires"] = TestPublisher.time(days: 314)
    _ = try memory.verify(publisher.envelope())
    publisher.number(6)
    publisher.fresh["issued"] = TestPublisher.time(days: 1)
    publisher.fresh["expires"] = TestPublisher.time(days: 15)
    #expect(throws: Never.self) { try memory.verify(publisher.envelope(), days: 1) }
  }

  // MARK: Storage

  @Test func aStoredMemoryIsReadBack() throws {
    var publisher = try TestPublisher()
    let pinned = try publisher.memory()
    var memory = pinned
    #expect(TrustMemory(stored: try memory.stored()) == memory)
    _ = try memory.verify(publisher.envelope())
    try publisher.rotate(to: 2)
    try publisher.rotate(to: 3, recovery: (release: 4, purge: 2))
    for pin in [nil, 2] as [Int?] {
      var updated = memory
      if let pin {
        let document = try KeyDocument(publisher.documents[pin - 1])
        updated = TrustMemory(pinned: document, continuing: memory)
        #expect(updated.recovery != nil)
      } else {
        let document = try KeyDocument(publisher.documents[0])
        updated = TrustMemory(pinned: document, continuing: memory)
      }
      let bytes = try PropertyList.encode(updated.stored(), as: .binary)
      #expect(TrustMemory(stored: try PropertyList.decode(bytes).value) == updated)
      _ = try updated.verify(publisher.envelope())
      #expect(TrustMemory(stored: try updated.stored()) == updated && updated.recovery != nil)
    }
  }

  @Test func refusesADamagedMemory() throws {
    let publisher = try TestPublisher()
    var memory = try publisher.memory()
    _ = try memory.verify(publisher.envelope())
    let whole = try #require(memory.stored().members)
    #expect(whole.map(\.key) == ["config", "document", "fresh", "latestIssued", "release"])
    for (key, _) in whole {
      var members = whole
      members[key] = "x"
      #expect(TrustMemory(stored: .dictionary(members)) == nil, "\(key)")
    }
    var members = whole
    members["recovery"] = ["version": 0]
    #expect(TrustMemory(stored: .dictionary(members)) == nil)
  }

  @Test func readsTheStatementsThatItWrites() throws {
    let release = ReleaseStatement(
      app: "shop", channel: "qa", release: 7, issued: TestPublisher.now,
      config: Digest(of: Array("config".utf8)), size: 6, keys: 2)
    let fresh = FreshStatement(
      about: release, issued: TestPublisher.now, expires: TestPublisher.instant(days: 14))
    #expect(try ReleaseStatement(release.body()) == release)
    #expect(try FreshStatement(fresh.body()) == fresh)
    let text = String(decoding: try fresh.body(), as: UTF8.self)
    #expect(text.hasPrefix(#"{"app":"shop","channel":"qa","config":""#) && !text.contains(" "))
    #expect(try release.body().count < ReleaseStatement.byteLimit / 2)
  }
}
