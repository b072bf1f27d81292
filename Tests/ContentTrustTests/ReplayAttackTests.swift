import ContentModel
import ContentTrust
import PropertyLists
import Testing

/// Old and foreign configs, validly signed: rows 16 to 34 of the attacks in docs/trust.md.
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
  func refusesWhatIsForAnotherAppOrChannel(key: String) throws {
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
    let expired = TrustError.expired(.fresh, since: TestPublisher.instant(days: 14))
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
    #expect(throws: TrustError.self) { try memory.verify(publisher.envelope(), days: 2) }
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
}
